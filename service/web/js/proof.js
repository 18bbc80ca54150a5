/** "Check the cards": the proof of a deal computed by this browser, each step with what it has found. */

import { html } from "../vendor/preact.js";
import { get, ROOT } from "./api.js";
import { cardName } from "./cards.js";
import { notedCommitment } from "./commitments.js";
import { check } from "./fair.js";
import { Main, useLoaded, Waiting } from "./loading.js";
import { n, t } from "./text.js";

/** `#/table/ID/deals/NUMBER/proof` */
export function Proof({ params: [id, number] }) {
  const { value, problem, again } = useLoaded(() => examine(id, number), [id, number]);
  if (!globalThis.crypto?.subtle) return html`<${NotHere} />`;
  if (!value) return html`<${Main} page="proof"><${Waiting} problem=${problem} again=${again} /></${Main}>`;
  const { papers, findings } = value;
  const fair = findings.every(({ fits }) => fits);
  return html`
    <${Main} page="proof" data-fair=${String(fair)}>
      <h1>${t("The cards of deal {number}", { number: n(papers.proof.number) })}</h1>
      <p><a href="#/table/${id}/deals/${number}">${t("Back to the deal")}</a></p>
      <${Verdict} fair=${fair} cautions=${cautions(papers)} />
      <ol class="findings">
        ${findings.map(
          (finding) => html`
            <li key=${finding.check} class=${finding.fits ? "good" : "trouble"}>
              <span role="img" aria-label=${finding.fits ? t("fits") : t("does not fit")}>${finding.fits ? "✓" : "✗"}</span>
              ${" "}${finding.fits ? FINDINGS[finding.check](finding.facts) : FAULTS[finding.fault](finding.facts)}
            </li>
          `,
        )}
      </ol>
      <h2>${t("What it follows from")}</h2>
      <dl class="papers">
        <dt>${t("Seed")}</dt>
        <dd><code>${papers.proof.seed}</code></dd>
        <dt>${t("Its commitment, published before the cut")}</dt>
        <dd><code>${papers.proof.commitment}</code></dd>
        ${papers.proof.cut && html`<${Cut} ...${papers.proof.cut} />`}
      </dl>
      <p><a href=${new URL(papers.proof.document.slice(1), ROOT)}>${t("How it is computed, for programmers")}</a></p>
    </${Main}>
  `;
}

/** What follows from it all; where something could not be checked, that, and no word that all is well. */
function Verdict({ fair, cautions }) {
  if (!fair) return html`<p class="verdict trouble" role="status">${t("Something does not fit: see below.")}</p>`;
  if (!cautions.length) return html`<p class="verdict good" role="status">${t("The cards are fair: nobody could choose them.")}</p>`;
  return html`<div class="verdict" role="status">${cautions.map((text) => html`<p key=${text}>${text}</p>`)}</div>`;
}

function Cut({ position, entropy }) {
  return html`
    <dt>${t("Cut at card")}</dt>
    <dd>${n(position)}</dd>
    <dt>${t("Text that the cutter mixed in")}</dt>
    <dd>${entropy ? html`<code>${entropy}</code>` : "–"}</dd>
  `;
}

/** Browsers compute such things on secure pages alone. */
function NotHere() {
  const text = t("This browser computes the proof only on a page that came by HTTPS, or from this very machine.");
  return html`<${Main} page="proof"><h1>${t("Check the cards")}</h1><p>${text}</p></${Main}>`;
}

/** Gets the papers of a deal, and makes every check. */
async function examine(id, number) {
  const deal = `/v1/tables/${id}/deals/${number}`;
  const [proof, record] = await Promise.all([get(`${deal}/proof`), get(deal)]);
  const query = { after: proof.committed_version - 1, limit: 1 };
  const { items } = await get(`/v1/tables/${id}/events`, { query });
  const published = items[0]?.data.commitment;
  const papers = { proof, record, published, noted: notedCommitment(id, proof.number) };
  return { papers, findings: await check(papers) };
}

const FINDINGS = {
  commitment: () => t("The commitment is the SHA-256 of the seed."),
  noted: () => t("It is the one that this browser noted before the cut."),
  published: () => t("It is the one in the event that began the deal."),
  deck: () => t("The deck is what seed and cut make of it."),
  dealt: () => t("Hands, wild card, first discard and stock are that deck, dealt."),
  renewals: ({ count }) => t("New stocks are what the seed makes of the discards: {count}.", { count: n(count) }),
  record: ({ count }) => t("Just these cards were drawn and discarded. Actions: {count}.", { count: n(count) }),
};

const FAULTS = {
  algorithm: () => t("The proof is made in a way that this page does not know."),
  form: () => t("The proof is not in the form that it should have."),
  seed: () => t("The seed is not 32 bytes in hexadecimal."),
  commitment: () => t("The commitment is not the SHA-256 of the seed."),
  noted: () => t("The commitment is not the one that this browser noted before the cut."),
  published: () => t("The commitment is not the one in the event that began the deal."),
  seats: () => t("The seats are not two to five with the dealer last."),
  cut: () => t("There is no such cut."),
  order: () => t("The hands are not in dealing order."),
  length: ({ count }) => t("Cards are missing, or too many: by the seed there are {count}.", { count: n(count) }),
  place: ({ place, told, computed }) =>
    t("Card {place} is told to be {told}; by the seed it is {computed}.", {
      place: n(place),
      told: cardName(told),
      computed: cardName(computed),
    }),
  renewals: () => t("The new stocks are not made of cards of the deal."),
  other_deal: () => t("The record is of another deal than the proof."),
  ends_early: () => t("The record and the proof do not end at the same place."),
  last_hand: ({ seat }) => t("Seat {seat} held another hand in the end.", { seat: n(seat) }),
  action: ({ number, seat }) =>
    t("Action {number} of the record, by seat {seat}, was not possible with these cards.", {
      number: n(number),
      seat: n(seat),
    }),
};

/** What keeps a proof from proving all that it could. */
function cautions({ proof, record, noted }) {
  const found = [];
  if (!proof.cut) return [t("All but one had left before the cut: no card was dealt.")];
  if (!noted) {
    found.push(t("Not checked: whether the commitment was published before the cut. This browser did not see it."));
  }
  if (!["player", null, undefined].includes(proof.cut.by) || proof.rules.cut === "auto" || looksMade(record, proof)) {
    found.push(t("The service made the cut itself: so this shows only that nothing changed afterwards."));
  }
  return found;
}

/** Whether the play shows that the clock or a house bot made the cut, whatever the proof says. */
function looksMade(record, { cut }) {
  const place = record.actions.findIndex(({ action }) => action === "cut");
  const cutter = record.seats.find(({ seat }) => seat === cut.seat);
  return record.actions[place - 1]?.action === "time_out" || cutter?.player.kind === "house_bot";
}
