// What the page says, in the chosen language.
//
// English is written where it is said; other languages come from `texts/`, which `make messages` makes
// of the service's catalogues. A text's facts stand in braces, so that each language can order them.

import { state } from "./store.js";

/** A text in the chosen language with its facts: `t("{name} draws.", { name: "Keola" })`. */
export function t(text, facts = {}) {
  const said = state.texts?.[text] ?? text;
  return said.replace(/\{(\w+)\}/g, (place, name) => String(facts[name] ?? place));
}

/** The digits of the cards, in all languages. */
const DIGITS = { numberingSystem: "latn" };

/** A number as the language writes it. */
export const n = (number) => new Intl.NumberFormat(state.language, DIGITS).format(number);

/** A moment, as text of RFC 3339, by day and minute. */
export const moment = (text) =>
  new Intl.DateTimeFormat(state.language, { ...DIGITS, dateStyle: "medium", timeStyle: "short" }).format(new Date(text));
