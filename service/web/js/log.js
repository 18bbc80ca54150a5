/** What happened at the table, in words; the latest is said to screen readers as well. */

import { html, useEffect, useRef } from "../vendor/preact.js";
import { cardName, Inline } from "./cards.js";
import { announce } from "./notices.js";
import { inWords } from "./showdown.js";
import { state, useStore } from "./store.js";
import { n, t } from "./text.js";

export function Log() {
  const { log } = useStore();
  const list = useRef();
  useEffect(() => {
    const { scrollTop, scrollHeight, clientHeight } = list.current;
    const reading = scrollHeight - scrollTop - clientHeight > 200; // Somebody has scrolled back.
    if (!reading || scrollTop === 0) list.current.scrollTop = scrollHeight;
  }, [log]);
  return html`
    <section class="log-area">
      <h2>${t("What happened")}</h2>
      <ol class="log" data-testid="log" ref=${list} tabindex="0" aria-label=${t("What happened")}>
        ${log.map((event) => html`<${Line} key=${event.id} event=${event} />`)}
      </ol>
    </section>
  `;
}

function Line({ event }) {
  const said = sentence(event);
  if (!said) return null;
  return html`<li class=${event.type} value=${event.id}>${fill(said.text, { ...said.facts, ...inlined(said.cards) })}</li>`;
}

/** Say what happens while the page is open, and whose turn it is. */
export function useAnnouncements() {
  const { log, table } = useStore();
  const heard = useRef(null);
  const mine = Boolean(table?.you && table.deal?.turn === table.you.seat && table.status !== "settling");
  useEffect(() => {
    const last = log.at(-1)?.id ?? null;
    const fresh = heard.current === null ? [] : log.filter((event) => event.id > heard.current);
    if (last !== null) heard.current = last;
    const texts = fresh.map(eventText).filter(Boolean);
    if (texts.length) announce(texts.slice(-4).join(" "));
  }, [log]);
  useEffect(() => {
    if (mine) announce(`${state.said} ${table.deal.phase === "cut" ? t("Cut the deck.") : t("It is your turn.")}`);
  }, [mine, table?.deal?.number]);
}

/** An event in words; it has the names of its time. */
export function eventText(event) {
  const said = sentence(event);
  if (!said) return "";
  const names = Object.fromEntries(Object.entries(said.cards ?? {}).map(([name, card]) => [name, cardName(card)]));
  return fill(said.text, { ...said.facts, ...names }).join("");
}

/** A text whose braces are filled with facts, which may be parts of the page. */
export function fill(text, facts) {
  return text.split(/(\{\w+\})/).map((part) => facts[part.slice(1, -1)] ?? part);
}

function inlined(cards = {}) {
  return Object.fromEntries(Object.entries(cards).map(([name, card]) => [name, html`<${Inline} card=${card} />`]));
}

/** An event as a text with braces, the facts for them, and the cards for them. */
function sentence({ type, data, names }) {
  const tell = SENTENCES[type];
  if (!tell) return null;
  const name = names[data.seat] ?? t("Seat {number}", { number: data.seat });
  return tell({ ...data, name, nameOf: (seat) => names[seat] ?? String(seat) });
}

const SENTENCES = {
  player_joined: ({ name }) => ({ text: t("{name} sits down."), facts: { name } }),
  player_left: ({ name, reason }) => ({
    text: reason === "timed_out" ? t("{name} was away too long and leaves.") : t("{name} leaves."),
    facts: { name },
  }),
  bought_in: ({ name, amount }) => ({ text: t("{name} buys in again: {chips}."), facts: { name, chips: n(amount) } }),
  deal_started: ({ number, dealer, nameOf }) => ({
    text: t("Deal {number}. Dealer: {name}."),
    facts: { number: n(number), name: nameOf(dealer) },
  }),
  cut: ({ name, by, wild_card: wild }) => ({
    text: ["clock", "auto"].includes(by) ? t("Chance cuts the deck. Wild: {card}.") : t("{name} cuts the deck. Wild: {card}."),
    facts: { name },
    cards: { card: wild },
  }),
  card_drawn: ({ name, from, card }) => {
    if (from === "discard") return { text: t("{name} takes {card}."), facts: { name }, cards: { card } };
    if (card) return { text: t("{name} draws {card}."), facts: { name }, cards: { card } };
    return { text: t("{name} draws from the stock."), facts: { name } };
  },
  card_discarded: ({ name, card }) => ({ text: t("{name} discards {card}."), facts: { name }, cards: { card } }),
  called: ({ name, combination, last_turn: last }) => ({
    text: last ? t("{name} lays down {combination}.") : t("{name} calls: {combination}!"),
    facts: { name, combination: inWords(combination) },
  }),
  stock_renewed: ({ size }) => ({ text: t("The discards become a new stock: {count}."), facts: { count: n(size) } }),
  turn_timed_out: ({ name, handed_to_bot: bot }) => ({
    text: bot ? t("The time of {name} is up; a bot plays on.") : t("The time of {name} is up."),
    facts: { name },
  }),
  folded: ({ name }) => ({ text: t("{name} is out of the deal."), facts: { name } }),
  deal_voided: () => ({ text: t("The deal is void: the antes go back.") }),
  showdown: () => ({ text: t("The hands are shown.") }),
  settled: ({ winners, pot, nameOf }) => ({
    text: winners.length ? t("The pot of {chips} goes to {names}.") : t("The antes are paid back."),
    facts: { chips: n(pot), names: winners.map(nameOf).join(", ") },
  }),
  waiting_for_players: () => ({ text: t("The table waits for players.") }),
  table_closed: ({ note }) => ({ text: note ? t("The table is closed: {note}") : t("The table is closed."), facts: { note } }),
};
