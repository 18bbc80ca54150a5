"""The rules in words, section by section; `docs/rules.md` has the reasons and worked cases too."""

from service.api.languages import Phrase

SECTIONS: dict[Phrase, tuple[Phrase, ...]] = {
    Phrase("The aim"): (
        Phrase(
            "Make a winning combination of five or six cards, and take the pot with the highest "
            "one."
        ),
        Phrase(
            "On each turn you draw a card and discard a card. Whoever holds a winning combination "
            "may call; then the round is played to its end, and the hands are compared."
        ),
    ),
    Phrase("Cards"): (
        Phrase(
            "2 to 5 players use one deck of 52 cards. The ranks from high to low: "
            "A K Q J 10 9 8 7 6 5 4 3 2. Suits have no order."
        ),
        Phrase(
            "The ace is high only: A-2-3-4-5 is no sequence. With the house rule `ace_low` it is "
            "one, the lowest; but no sequence goes on past the ace, as K-A-2 would."
        ),
    ),
    Phrase("The deal"): (
        Phrase(
            "The first dealer is drawn by lot (house rule `first_dealer`). After each deal the "
            "deal passes clockwise to the next player."
        ),
        Phrase(
            "Before a deal every player pays the same ante to the pot. With an ante of 0 the game "
            "is played without stakes."
        ),
        Phrase(
            "The service shuffles in the dealer's place. The player at the dealer's right may cut, "
            "within 15 seconds, or within the time for a turn if that is less; after that the deck "
            "is cut at random. With the house rule `cut: auto` it always is."
        ),
        Phrase(
            "Each player gets five cards, face down, one at a time, starting at the dealer's left. "
            "The next card is turned face up: its rank is wild for this deal. That card stays on "
            "the table and belongs to nobody, so three wild cards are in play."
        ),
        Phrase(
            "The rest of the deck is the stock. Its top card is turned face up beside it and "
            "starts the discard pile."
        ),
        Phrase(
            "Nobody chooses the cards, not even the service: before the cut it publishes a "
            "fingerprint of the secret that they follow from, so that everyone can check it."
        ),
    ),
    Phrase("A turn"): (
        Phrase(
            "The player at the dealer's left begins, and play goes clockwise. On a turn a player "
            "first draws one card, the top one of the stock or of the discard pile, and then "
            "discards one card face up, or calls. Between turns a hand has five cards."
        ),
        Phrase(
            "A card drawn from the stock may be discarded at once. A card taken from the discard "
            "pile may not be discarded on the same turn, not even with a call."
        ),
        Phrase(
            "When somebody has to draw from the stock and it is empty, the discards are shuffled "
            "and become the new stock. The top discard stays as the discard pile, so that the next "
            "player still has a choice (house rule `reshuffle`). Combinations on the table and the "
            "card turned up are never shuffled in."
        ),
        Phrase(
            "When a stock that has been renewed 10 times in a deal (house rule `max_reshuffles`) "
            "runs out again, the deal is void: the antes go back, and the next player deals."
        ),
    ),
    Phrase("Calling"): (
        Phrase(
            "A player who holds a winning combination after drawing, with six cards in hand, may "
            "call. Nobody has to, and nobody can call before drawing."
        ),
        Phrase(
            "The combination is laid face up on the table. If it has five cards, the sixth is "
            "discarded first; if it has six, nothing is discarded. The player may choose the card "
            "to discard, as long as the five that are left are a winning combination; otherwise "
            "the highest combination is laid down. From then on the caller's hand does not change."
        ),
        Phrase(
            "If the caller is the dealer, the deal is over at once: everyone has had the same "
            "number of turns. Otherwise each player after the caller, up to and including the "
            "dealer, has one last turn (house rule `final_turns`)."
        ),
        Phrase(
            "A last turn is a turn like any other: draw, then discard or lay a combination down. "
            "Whoever lays down six cards keeps six. Laying down on a last turn gives nobody "
            "another turn."
        ),
    ),
    Phrase("Winning combinations"): (
        Phrase(
            "There are six winning combinations. Nothing else wins by itself: no four of a kind, "
            "no full house, no flush, no straight."
        ),
        Phrase(
            "A wild card stands for any card that its holder likes, its own rank and suit "
            "included. Two wild cards may stand for the same card, and a wild card may stand for "
            "one that lies elsewhere or is in the same hand. It always counts as what makes the "
            "hand highest."
        ),
        Phrase(
            "Of all the combinations that six cards hold, the highest counts. Between two "
            "combinations of one kind the ranks decide. Natural cards do not beat wild ones. "
            "Combinations that are still equal are tied."
        ),
    ),
    Phrase("Showdown and payout"): (
        Phrase(
            "After the last turns every hand still in the deal is shown. A combination of five "
            "cards counts even if its holder discarded instead of laying it down, or had no last "
            "turn. One of six cards has to be laid down, since a discard breaks it."
        ),
        Phrase(
            "The highest combination takes the pot. Tied hands share it equally; chips that do not "
            "divide go one each to the tied players, in order from the dealer's left."
        ),
    ),
    Phrase("Leaving and running out of time"): (
        Phrase(
            "A player who leaves in the middle of a deal folds: the ante stays in the pot, the "
            "hand is out of play and stays hidden until the deal ends, and the seat is skipped. A "
            "hand that lies on the table already stays in the showdown."
        ),
        Phrase(
            "The last player left in a deal takes the pot, with any hand. When the last guest has "
            "left, the table closes. All take their chips home."
        ),
        Phrase(
            "A turn has a time: 60 seconds, unless the table has another one; 0 means that no "
            "clock runs. When the time runs out, the turn is played for the player. If nothing has "
            "been drawn, a card is drawn from the stock and discarded. A card drawn from the stock "
            "is discarded; if it came from the discard pile, a bot of the lowest level chooses the "
            "discard."
        ),
        Phrase(
            "A move that arrives in time counts. A later one counts too, as long as the turn has "
            "not been played for the player."
        ),
        Phrase(
            "After three such turns in a row the player folds, and the seat is free after the "
            "deal. With the house rule `on_timeout: bot` a bot takes the seat at the first time; "
            "the player has it back with the next move."
        ),
        Phrase(
            "Where no clock runs, a player who does nothing for a long time (30 minutes, unless "
            "the service has another setting) folds, and the seat is free after the deal. A table "
            "that waits for players closes after as long a time without anything happening."
        ),
        Phrase(
            "Bots do not play for nobody. Where no guest who plays has the ante, the table waits. "
            "Where bots play for all guests, the table closes after the deal."
        ),
    ),
}
"""Titles with their paragraphs."""
