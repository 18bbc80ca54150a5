/**
 * The player's moves, and why one can't be made now.
 *
 * What can be is in `you.legal` of the view; the words for what can't are made here, before anybody
 * clicks in vain.
 */

import { randomText } from "./api.js";
import { notify } from "./notices.js";
import { move } from "./session.js";
import { t } from "./text.js";

/** The entry of `you.legal` for an action, if it can be done now. */
export function legal(table, action) {
  return table.you?.legal.find((one) => one.action === action);
}

/** Why the viewer can't draw from there now; null where they can. */
export function reasonAgainstDraw(table, from) {
  const draw = legal(table, "draw");
  if (draw?.from.includes(from)) return null;
  if (draw) return t("The discard pile is empty.");
  return notNow(table) ?? t("You have drawn already: discard a card, or call.");
}

/** Why the viewer can't discard a card now. */
export function reasonAgainstDiscard(table, card) {
  const discard = legal(table, "discard");
  if (discard?.cards.includes(card)) return null;
  if (discard) return t("A card taken from the discards stays in the hand for this turn.");
  return notNow(table) ?? t("Draw a card first.");
}

/** Why the viewer can't call now. */
export function reasonAgainstCall(table) {
  if (legal(table, "call")) return null;
  const early = table.deal?.phase === "draw" && t("Draw a card first.");
  return notNow(table) ?? (early || t("This hand holds none of the six combinations."));
}

function notNow(table) {
  const { deal, you } = table;
  if (!you) return t("You are watching: take a seat to play.");
  if (!deal || !["playing", "cutting"].includes(table.status)) return t("No deal goes on.");
  if (deal.phase === "cut") return t("The deck is not cut yet.");
  if (you.hand.length === 0) return t("You are not in this deal; the next one is yours.");
  if (deal.turn === you.seat) return null;
  const player = table.seats.find((one) => one.seat === deal.turn)?.player;
  return t("It is the turn of {name}.", { name: player?.name ?? "" });
}

/** Draw, or say why not. */
export function drawFrom(table, from) {
  return unless(reasonAgainstDraw(table, from), () => move("draw", { from }));
}

/** Discard, or say why not. */
export function discard(table, card) {
  return unless(reasonAgainstDiscard(table, card), () => move("discard", { card }));
}

/** Call with the highest combination, or with a certain card discarded where that leaves one. */
export function call(table, chosen) {
  const named = legal(table, "call")?.discards.includes(chosen) ? { discard: chosen } : {};
  return unless(reasonAgainstCall(table), () => move("call", named));
}

/** Cut the deck; the player's own chance is mixed into the shuffle. */
export function cut(position) {
  return move("cut", { position, entropy: randomText() });
}

function unless(reason, act) {
  if (!reason) return act();
  notify(reason);
  return undefined;
}

