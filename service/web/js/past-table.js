/** A table at one step of a deal that is over: seats with what was to be seen of their cards, and the middle. */

import { html } from "../vendor/preact.js";
import { Card, CardBack, combinationTitle } from "./cards.js";
import { n, t } from "./text.js";

export function PastTable({ view, record }) {
  if (!view) return html`<div class="past-table" aria-busy="true"></div>`;
  const { deal } = view;
  return html`
    <div class="past-table" data-testid="past-table" data-version=${view.version} data-phase=${deal.phase}>
      <${Middle} deal=${deal} />
      <ul class="past-seats">
        ${view.seats.map((seat) => html`<${Seat} key=${seat.seat} seat=${seat} view=${view} record=${record} />`)}
      </ul>
    </div>
  `;
}

function Middle({ deal }) {
  return html`
    <dl class="past-middle">
      <div><dt>${t("Wild card")}</dt><dd>${deal.wild_card ? html`<${Card} card=${deal.wild_card} wild=${true} small=${true} />` : "–"}</dd></div>
      <div><dt>${t("Stock")}</dt><dd>${deal.stock_size > 0 && html`<${CardBack} small=${true} />`} ${n(deal.stock_size)}</dd></div>
      <div>
        <dt>${t("Discards")}</dt>
        <dd>
          ${deal.discard_top && html`<${Card} card=${deal.discard_top} wild=${isWild(deal.discard_top, deal)} small=${true} />`}${" "}
          ${n(deal.discard_size)}
        </dd>
      </div>
      <div><dt>${t("Pot")}</dt><dd>${n(deal.pot)}</dd></div>
    </dl>
  `;
}

const isWild = (card, deal) => card[0] === deal.wild_rank;

function Seat({ seat: { seat, player, hand_size: size, state, shown, known }, view, record }) {
  const { deal, you } = view;
  const seen = you?.seat === seat ? you.hand : (shown ?? known);
  const hidden = Array.from({ length: Math.max(0, size - seen.length) }, (_, place) => place);
  const result = deal.result?.hands.find((hand) => hand.seat === seat);
  const marks = [
    deal.turn === seat && t("to act"),
    record.dealer === seat && t("Dealer"),
    deal.caller === seat && t("Called"),
    state === "folded" && t("Folded"),
    result?.combination && combinationTitle(result.combination.name),
    result?.share > 0 && t("gets {chips}", { chips: n(result.share) }),
  ].filter(Boolean);
  return html`
    <li class=${deal.turn === seat ? "on-turn" : ""} data-testid="past-seat-${seat}">
      <p><b>${player.name}</b> ${marks.join(" · ")}</p>
      <p class="row-of-cards">
        ${seen.map((card) => html`<${Card} key=${card} card=${card} wild=${isWild(card, deal)} small=${true} />`)}
        ${hidden.map((place) => html`<${CardBack} key=${place} small=${true} />`)}
        ${hidden.length > 0 && html`<span class="unseen">${t("Hidden cards: {count}", { count: n(hidden.length) })}</span>`}
      </p>
    </li>
  `;
}
