/** Below the felt: the own hand, what it is worth, and what can be done. */

import { html, useEffect, useState } from "../vendor/preact.js";
import { combinationTitle, Inline } from "./cards.js";
import { Hand } from "./hand.js";
import { useKeys } from "./keys.js";
import { fill } from "./log.js";
import { call, discard, drawFrom, legal, reasonAgainstCall, reasonAgainstDiscard, reasonAgainstDraw } from "./moves.js";
import { Plate } from "./seats.js";
import { inWords } from "./showdown.js";
import { useStore } from "./store.js";
import { t } from "./text.js";

export function Dock({ table }) {
  const { you, deal } = table;
  const [chosen, choose] = useState(null);
  const kept = you?.hand.includes(chosen) ? chosen : null;
  useEffect(() => choose(null), [deal?.number]); // The same card may come again: it is not chosen by that.
  useEffect(() => {
    if (!kept) choose(null);
  }, [kept]);
  useKeys(movesByKeys(table, kept));
  if (!you) return html`<section class="dock watching"><p>${t("You are watching. Hands stay hidden until they are shown.")}</p></section>`;
  const seat = table.seats.find((one) => one.seat === you.seat);
  return html`
    <section class="dock ${you.hand.length ? "" : "empty-handed"}" aria-label=${t("Your hand")}>
      <div class="own">
        <${Plate} table=${table} seat=${seat} own=${true} />
        <p class="prompt">${prompt(table, kept)}</p>
        <${Worth} table=${table} />
      </div>
      ${you.hand.length > 0 && html`<${Hand} table=${table} chosen=${kept} choose=${choose} />`}
      ${deal && deal.phase !== "cut" && deal.phase !== "over" && you.hand.length > 0 && html`<${Actions} table=${table} chosen=${kept} />`}
    </section>
  `;
}

/** One line on what is to be done. */
function prompt(table, chosen) {
  const { deal, you } = table;
  if (legal(table, "cut")) return t("Cut the deck.");
  if (legal(table, "draw")) return deal.last_turns.length ? t("Your last turn: draw a card.") : t("Your turn: draw a card.");
  if (legal(table, "call") && !chosen) return t("Call, or choose a card to discard.");
  if (legal(table, "discard")) return chosen ? t("Click it again to discard it.") : t("Choose a card to discard.");
  if (isShort(table)) return t("Your chips don't cover the ante: leave, and sit down again.");
  if (table.status !== "playing" || !deal) return "";
  const player = table.seats.find((one) => one.seat === deal.turn)?.player;
  if (you.hand.length === 0) return t("You play from the next deal on.");
  return player ? t("{name} plays.", { name: player.name }) : "";
}

/** Whether the player can't pay the next ante; as long as a deal goes on, those in it may win chips yet. */
function isShort({ status, seats, you, ante }) {
  const { state, stack } = seats.find((one) => one.seat === you.seat);
  const playing = state === "in" && ["cutting", "playing", "settling"].includes(status);
  return stack < ante && !playing && status !== "closed";
}

/** What the hand holds already; which cards make it is marked in the hand. */
function Worth({ table }) {
  const { best } = table.you;
  if (!best || table.deal.phase === "over") return null;
  return html`<p class="worth" data-testid="best">${t("You hold: {combination}", { combination: inWords(best) })}</p>`;
}

function Actions({ table, chosen }) {
  const { deal } = table;
  const top = deal.discard_top;
  const drawing = !legal(table, "discard");
  const calling = legal(table, "call");
  return html`
    <div class="actions" data-testid="actions" role="group" aria-label=${t("Moves")}>
      ${drawing
        ? html`
            <${Act} name="draw-stock" text=${t("Draw from the stock")} keys="S" against=${reasonAgainstDraw(table, "stock")} act=${() => drawFrom(table, "stock")} main=${true} />
            <${Act} name="draw-pile" text=${top ? withCard(t("Take {card}"), top) : t("Take a discard")} keys="P" against=${reasonAgainstDraw(table, "discard")} act=${() => drawFrom(table, "discard")} />
          `
        : html`<${Act}
            name="discard"
            text=${chosen ? withCard(t("Discard {card}"), chosen) : t("Discard")}
            keys="D"
            against=${chosen ? reasonAgainstDiscard(table, chosen) : t("Choose a card to discard.")}
            act=${() => discard(table, chosen)}
            main=${!calling}
          />`}
      <${Act} name="call" text=${callText(table, chosen)} keys="C" against=${reasonAgainstCall(table)} act=${() => call(table, chosen)} main=${Boolean(calling)} />
    </div>
  `;
}

function callText(table, chosen) {
  const calling = legal(table, "call");
  if (!calling) return t("Call");
  if (calling.discards.includes(chosen)) return withCard(t("Call, and discard {card}"), chosen);
  const title = combinationTitle(table.you.best.name);
  return table.deal.caller ? t("Lay down {combination}", { combination: title }) : t("Call: {combination}", { combination: title });
}

function withCard(text, card) {
  return html`<span>${fill(text, { card: html`<${Inline} card=${card} />` })}</span>`;
}

/** A button for a move. One that can't be made can be reached still, and says why. */
function Act({ name, text, keys, against, act, main = false }) {
  const { busy, keys: single } = useStore();
  const off = Boolean(against) || busy;
  return html`
    <button data-testid=${name} class=${main && !against ? "primary" : ""} aria-disabled=${String(off)} title=${against ?? undefined} aria-keyshortcuts=${single === "on" ? keys : undefined} onClick=${act}>
      ${text}<kbd aria-hidden="true">${keys}</kbd>${against && html`<span class="unseen">. ${against}</span>`}
    </button>
  `;
}

/** The moves by keys. */
function movesByKeys(table, chosen) {
  if (!table.you?.hand.length) return {};
  return {
    s: () => drawFrom(table, "stock"),
    p: () => drawFrom(table, "discard"),
    d: () => chosen && discard(table, chosen),
    c: () => call(table, chosen),
  };
}
