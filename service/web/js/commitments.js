/** The commitments that this browser saw before the cut: the check of the cards compares with them. */

import { recall, remember } from "./memory.js";

/** So many are kept, the latest ones. */
const MOST = 200;

/** Note the commitment of a table's deal while the deck is still to be cut. */
export function noteCommitment({ id, deal }) {
  if (deal?.phase !== "cut" || notedCommitment(id, deal.number)) return;
  const others = Object.entries(all()).slice(1 - MOST);
  remember("commitments", JSON.stringify(Object.fromEntries([...others, [nameOf(id, deal.number), deal.commitment]])));
}

/** What was noted of a deal; undefined where this browser did not see its beginning. */
export function notedCommitment(table, number) {
  return all()[nameOf(table, number)];
}

const nameOf = (table, number) => `${table}/${number}`;

const all = () => JSON.parse(recall("commitments") ?? "{}");
