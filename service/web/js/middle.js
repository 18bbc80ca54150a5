/** The middle of the table: what it waits for, the cards that lie there, or how the deal ended. */

import { html } from "../vendor/preact.js";
import { Card, CardBack, cardName, Face, rankName } from "./cards.js";
import { Cut } from "./cut.js";
import { drawFrom, reasonAgainstDraw } from "./moves.js";
import { Showdown } from "./showdown.js";
import { useStore } from "./store.js";
import { n, t } from "./text.js";
import { Waiting } from "./waiting.js";

export function Middle({ table, code }) {
  const { deal, status } = table;
  if (status === "waiting" || status === "closed") {
    return html`<div class="middle">${deal?.result && status === "closed" ? html`<${Showdown} table=${table} />` : html`<${Waiting} table=${table} code=${code} />`}</div>`;
  }
  if (deal.phase === "cut") return html`<div class="middle"><${Cut} table=${table} /></div>`;
  if (deal.phase === "over") return html`<div class="middle"><${Showdown} table=${table} /></div>`;
  return html`<div class="middle"><${Piles} table=${table} /><${Pot} table=${table} /></div>`;
}

function Piles({ table }) {
  const { wild_card: wild, wild_rank: rank } = table.deal;
  return html`
    <div class="piles">
      <figure class="pile-place" data-testid="wild">
        <${Card} card=${wild} wild=${true} />
        <figcaption>${t("Wild: {rank}", { rank: rankName(rank) })}</figcaption>
      </figure>
      <${Stock} table=${table} />
      <${Pile} table=${table} />
    </div>
  `;
}

function Stock({ table }) {
  const { busy } = useStore();
  const against = reasonAgainstDraw(table, "stock");
  const count = table.deal.stock_size;
  return html`
    <figure class="pile-place">
      <button
        class="card-button stock ${count ? "" : "bare"}"
        data-testid="stock"
        aria-label=${t("Draw from the stock")}
        aria-disabled=${String(Boolean(against) || busy)}
        title=${against ?? t("Draw from the stock")}
        onClick=${() => drawFrom(table, "stock")}
      >
        <${CardBack} />
      </button>
      <figcaption>${t("Stock: {count}", { count: n(count) })}</figcaption>
    </figure>
  `;
}

function Pile({ table }) {
  const { busy, log } = useStore();
  const { discard_top: top, discard_size: count, wild_rank: rank } = table.deal;
  const against = reasonAgainstDraw(table, "discard");
  const label = top ? t("Take from the discards: {card}", { card: cardName(top) }) : t("The discard pile is empty.");
  return html`
    <figure class="pile-place">
      <button
        class="card-button pile ${count > 1 ? "deep" : ""} ${top ? "" : "bare"}"
        data-testid="pile"
        data-card=${top}
        aria-label=${label}
        aria-disabled=${String(Boolean(against) || busy)}
        title=${against ?? label}
        onClick=${() => drawFrom(table, "discard")}
      >
        ${top && html`<span key=${`${top}${count}`} class="card dropped ${wayOf(table, log)}"><${Face} card=${top} wild=${top[0] === rank} /></span>`}
      </button>
      <figcaption>${t("Discards: {count}", { count: n(count) })}</figcaption>
    </figure>
  `;
}

/** From where the top discard came flying: from below, if it is the viewer's own. */
function wayOf(table, log) {
  const last = log.findLast((event) => event.type === "card_discarded");
  return last && last.data.seat === table.you?.seat ? "from-below" : "from-above";
}

export function Pot({ table }) {
  if (!table.ante) return null;
  return html`<p class="pot" data-testid="pot"><span class="coin" aria-hidden="true"></span>${t("Pot: {chips}", { chips: n(table.deal.pot) })}</p>`;
}
