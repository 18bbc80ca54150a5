/** How a deal ended: the hands that were shown, what they are, and who gets the pot. */

import { html } from "../vendor/preact.js";
import { combinationTitle, HandRow, rankName } from "./cards.js";
import { useLeft } from "./clock.js";
import { n, t } from "./text.js";

export function Showdown({ table }) {
  const { deal } = table;
  const { result } = deal;
  if (!result) return html`<div class="panel showdown"><p>${t("The hands are shown…")}</p></div>`;
  const mine = result.reason !== "void" && result.winners.includes(table.you?.seat);
  const hands = [...result.hands].sort((one, other) => other.share - one.share);
  return html`
    <section class="panel showdown ${mine ? "mine" : ""}" data-testid="showdown" aria-label=${t("How the deal ended")}>
      ${mine && html`<${Petals} />`}
      <h2>${headline(table, result)}</h2>
      <ul>
        ${hands.map((hand) => html`<${Hand} key=${hand.seat} table=${table} hand=${hand} won=${result.winners.includes(hand.seat)} />`)}
      </ul>
      <p class="links">
        <a href="#/table/${table.id}/deals/${deal.number}">${t("Look back")}</a>
        <a href="#/table/${table.id}/deals/${deal.number}/proof">${t("Check the cards")}</a>
      </p>
      <${Next} table=${table} />
    </section>
  `;
}

/** Flowers for the winner. */
function Petals() {
  const petals = Array.from({ length: 9 }, (_, index) => index);
  return html`<div class="petals" aria-hidden="true">${petals.map((index) => html`<svg key=${index} viewBox="0 0 32 32" style=${{ "--i": index }}><use href="#flower" /></svg>`)}</div>`;
}

function headline(table, { reason, winners, pot }) {
  if (reason === "void") return t("The deal is void: the antes go back.");
  if (winners.length === 1 && winners[0] === table.you?.seat) return pot ? t("You win the pot of {chips}!", { chips: n(pot) }) : t("You win the deal!");
  const names = winners.map((seat) => nameOf(table, seat)).join(", ");
  if (winners.length > 1) return t("{names} share the pot of {chips}.", { names, chips: n(pot) });
  if (!pot) return t("{name} wins the deal.", { name: names });
  return t("{name} wins the pot of {chips}.", { name: names, chips: n(pot) });
}

function Hand({ table, hand, won }) {
  const { wild_rank: wildRank } = table.deal;
  return html`
    <li class=${won ? "won" : ""}>
      <span class="name">${nameOf(table, hand.seat)}${hand.seat === table.you?.seat && html` <small>${t("(you)")}</small>`}</span>
      <span class="combination">${hand.combination ? inWords(hand.combination) : t("No combination")}</span>
      <${HandRow} cards=${inOrder(hand)} wildRank=${wildRank} strong=${hand.combination?.cards ?? []} />
      ${hand.share > 0 && html`<span class="share">+${n(hand.share)}</span>`}
    </li>
  `;
}

/** A combination with the ranks that count in it: "Four/two: king, nine". */
export function inWords({ name, ranks }) {
  const title = combinationTitle(name);
  return ranks.length && name !== "royal_flush" ? `${title}: ${ranks.map(rankName).join(", ")}` : title;
}

/** The cards of the combination first, then what else was in the hand. */
function inOrder({ cards, combination }) {
  const counted = combination?.cards ?? [];
  return [...counted, ...cards.filter((card) => !counted.includes(card))];
}

function Next({ table }) {
  const left = useLeft(table.pause_ms_left);
  if (table.status !== "pause" || left === null) return null;
  return html`<p class="next" role="timer">${t("The next deal begins in {count} seconds.", { count: n(left) })}</p>`;
}

function nameOf(table, seat) {
  return table.seats.find((one) => one.seat === seat)?.player.name ?? t("Seat {number}", { number: seat });
}
