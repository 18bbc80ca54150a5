/** Cards as they look, and what they are called. The suits' shapes are in index.html. */

import { html } from "../vendor/preact.js";
import { state } from "./store.js";
import { t } from "./text.js";

export const RANKS = "23456789TJQKA";
export const SUITS = "cdhs";

/** What a card is called, such as "ace of hearts". */
export function cardName(card) {
  return state.rules?.cards.deck.find((one) => one.card === card)?.name ?? card;
}

/** What a rank is called. */
export function rankName(rank) {
  return state.rules?.cards.ranks.find((one) => one.rank === rank)?.name ?? rank;
}

/** What a combination is called, by its name in the API. */
export function combinationTitle(name) {
  return state.rules?.combinations.find((one) => one.name === name)?.title ?? name;
}

/** A card's name with a word on whether it is wild. */
export function spoken(card, wildRank) {
  return card[0] === wildRank ? t("{card}, wild", { card: cardName(card) }) : cardName(card);
}

export function Suit({ suit }) {
  return html`<svg class="suit" viewBox="0 0 32 32" aria-hidden="true"><use href="#suit-${suit}" /></svg>`;
}

/**
 * The face of a card, for the inside of whatever holds it: a button, a place on the table.
 *
 * Its rank is drawn by the style sheet: as text it would be a second name beside the one that is said.
 */
export function Face({ card, wild }) {
  const [rank, suit] = card;
  const shown = rank === "T" ? "10" : rank;
  const court = "JQKA".includes(rank) ? "court" : "";
  return html`
    <span class="face suit-${suit} ${court} ${wild ? "wild" : ""}" aria-hidden="true">
      <span class="corner"><b data-rank=${shown}></b><${Suit} suit=${suit} /></span>
      <span class="middle"><${Suit} suit=${suit} /></span>
      ${wild && html`<svg class="star" viewBox="0 0 32 32"><use href="#flower" /></svg>`}
    </span>
  `;
}

/** A card that lies there. */
export function Card({ card, wild = false, small = false }) {
  const name = wild ? t("{card}, wild", { card: cardName(card) }) : cardName(card);
  return html`
    <span class="card ${small ? "small" : ""}" role="img" aria-label=${name}>
      <${Face} card=${card} wild=${wild} />
    </span>
  `;
}

export function CardBack({ small = false }) {
  return html`<span class="card back ${small ? "small" : ""}" aria-hidden="true"></span>`;
}

/** A row of small cards; those of `strong` are marked. */
export function HandRow({ cards, wildRank, strong = [] }) {
  return html`
    <span class="row-of-cards">
      ${cards.map(
        (card) => html`
          <span key=${card} class=${strong.includes(card) ? "strong" : ""}>
            <${Card} card=${card} wild=${card[0] === wildRank} small=${true} />
          </span>
        `,
      )}
    </span>
  `;
}

/** A card within a line of text. */
export function Inline({ card }) {
  const [rank, suit] = card;
  return html`
    <span class="inline suit-${suit}" role="img" aria-label=${cardName(card)}>
      <b>${rank === "T" ? "10" : rank}</b><${Suit} suit=${suit} />
    </span>
  `;
}

/** The highest card first. */
export function byRank(one, other) {
  return RANKS.indexOf(other[0]) - RANKS.indexOf(one[0]) || bySuitAlone(one, other);
}

/** Suit by suit, the colours taking turns, and the highest first in each. */
export function bySuit(one, other) {
  return bySuitAlone(one, other) || byRank(one, other);
}

const SUIT_ORDER = "shcd";

function bySuitAlone(one, other) {
  return SUIT_ORDER.indexOf(one[1]) - SUIT_ORDER.indexOf(other[1]);
}
