// The little game that the servers of others play: draw and discard by turns, as in `bench/byhand.py`.

import { readFileSync } from "node:fs";

const TABLE = JSON.parse(readFileSync(new URL("../table.json", import.meta.url)));

export function shuffled(cards) {
  const pack = [...cards];
  for (let last = pack.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [pack[last], pack[other]] = [pack[other], pack[last]];
  }
  return pack;
}

export function newTable(shuffle) {
  const deck = shuffle([..."23456789TJQKA"].flatMap((rank) => [..."cdhs"].map((suit) => rank + suit)));
  const cards = { hands: [deck.slice(0, 5), deck.slice(5, 10)], wild_card: deck[10], pile: [deck[11]] };
  return { ...TABLE, deal: { ...TABLE.deal, ...cards, stock: deck.slice(12) } };
}

// Both change the deal in place; they give false where the move is not allowed.
export function draw(deal, seat, shuffle) {
  if (deal.turn !== seat || deal.phase !== "draw") return false;
  if (deal.stock.length === 0) {
    const top = deal.pile.pop();
    deal.stock = shuffle(deal.pile);
    deal.pile = [top];
  }
  deal.drawn = deal.stock.pop();
  deal.hands[seat - 1].push(deal.drawn);
  deal.phase = "discard";
  return true;
}

export function discard(deal, seat, card) {
  const hand = deal.hands[seat - 1];
  if (deal.turn !== seat || deal.phase !== "discard" || !hand.includes(card)) return false;
  hand.splice(hand.indexOf(card), 1);
  deal.pile.push(card);
  deal.drawn = null;
  deal.phase = "draw";
  deal.turn = 3 - seat;
  return true;
}

export function view(table, seat) {
  const { seed, hands, stock, pile, drawn, ...deal } = table.deal;
  const acts = deal.turn === seat;
  return {
    ...table.settings,
    seats: table.seats.map((of, index) => ({ ...of, hand_size: hands[index].length })),
    deal: { ...deal, stock_size: stock.length, discard_size: pile.length, discard_top: pile.at(-1) },
    you: {
      seat, hand: hands[seat - 1], drawn: acts ? drawn : null,
      legal: acts ? [{ action: deal.phase, cards: hands[seat - 1] }] : [],
    },
  };
}
