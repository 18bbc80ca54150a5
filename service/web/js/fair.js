// The check of a deal's cards: docs/fair-cards.md, "Checking a deal", computed by the browser itself.
//
// Nothing here asks the service or shows anything, so it can be read and tested by itself. `proof.js`
// gets the papers, and puts what is found into words.

import { Fault, follow, need, same } from "./fair-play.js";

export const DECK = ["c", "d", "h", "s"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit));

const ALGORITHM = "paiute-fair-cards-1";
const utf8 = new TextEncoder();

/**
 * Makes every check that the papers allow, and ends with the first that fails.
 *
 * `papers` are `proof`, and where there are any the `record` of the deal, the commitment in the event
 * that began it (`published`), and the one that this browser noted before the cut (`noted`). Each
 * finding is `{ check, fits, ... }`.
 */
export async function check(papers) {
  const found = [];
  for (const [name, one] of Object.entries(CHECKS)) {
    try {
      const facts = await one(papers);
      if (facts) found.push({ check: name, fits: true, facts });
    } catch (fault) {
      // Anything else that goes wrong does so because the papers are not in their form.
      const { fault: what, facts } = fault instanceof Fault ? fault : new Fault("form");
      return [...found, { check: name, fits: false, fault: what, facts }];
    }
  }
  return found;
}

/** Each gives the facts of what it has found, or nothing where there was nothing to check. */
const CHECKS = {
  async commitment({ proof }) {
    need(proof.algorithm === ALGORITHM, "algorithm");
    need(/^[0-9a-f]{64}$/.test(proof.seed), "seed");
    need((await commitmentOf(proof.seed)) === proof.commitment, "commitment");
    return {};
  },

  noted({ proof, noted }) {
    if (!noted) return null;
    need(noted === proof.commitment, "noted");
    return {};
  },

  published({ proof, published }) {
    if (!published) return null;
    need(published === proof.commitment, "published");
    return {};
  },

  async deck({ proof: { seats, dealer, cut, dealt, seed } }) {
    need(seats.length >= 2 && seats.length <= 5 && new Set(seats).size === seats.length, "seats");
    need(seats.at(-1) === dealer, "seats");
    need((cut === null) === (dealt === null), "cut");
    if (!cut) return null;
    need(seats.includes(cut.seat) && [...DECK.keys()].includes(cut.position), "cut");
    compare(dealt.deck, await deckOf(seed, cut.position, cut.entropy));
    return {};
  },

  async dealt({ proof: { seats, cut, dealt, seed } }) {
    if (!dealt) return null;
    const deck = await deckOf(seed, cut.position, cut.entropy);
    const dealtTo = dealt.hands.map((hand) => hand.seat);
    const inOrder = seats.filter((seat) => dealtTo.includes(seat));
    need(dealtTo.length >= 2 && same(inOrder, dealtTo), "order");
    const end = 5 * dealtTo.length;
    dealt.hands.forEach((hand, place) =>
      compare(hand.cards, deck.slice(0, end).filter((_, i) => i % dealtTo.length === place)),
    );
    compare([dealt.wild_card, dealt.first_discard, ...dealt.stock], deck.slice(end));
    return { seats: dealtTo.length };
  },

  async renewals({ proof: { renewals, rules, cut, seed } }) {
    need(renewals.length <= rules.max_reshuffles, "renewals");
    for (const [index, renewal] of renewals.entries()) {
      const told = [...renewal.discards, ...renewal.kept];
      need(cut && renewal.number === index + 1, "renewals");
      need(new Set(told).size === told.length && told.every((card) => DECK.includes(card)), "renewals");
      compare(renewal.stock, await stockOf(seed, cut.entropy, renewal.number, renewal.discards));
    }
    return renewals.length ? { count: renewals.length } : null;
  },

  record({ proof, record }) {
    if (!record) return null;
    follow(proof, record);
    return { count: record.actions.length };
  },
};

/** The two are the same cards in the same order; `told` is what the proof says. */
function compare(told, computed) {
  need(told.length === computed.length, "length", { count: computed.length });
  const place = told.findIndex((card, index) => card !== computed[index]);
  need(place < 0, "place", { place: place + 1, told: told[place], computed: computed[place] });
}

// Words, numbers and shuffles.

/** The SHA-256 of a seed of hexadecimal digits, in such digits too. */
export async function commitmentOf(seed) {
  const digest = await crypto.subtle.digest("SHA-256", bytesOf(seed));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The deck of a seed, shuffled with the entropy and cut, from the top. */
export async function deckOf(seed, position, entropy) {
  const deck = await shuffled(DECK, seed, `deck:${entropy}`);
  return [...deck.slice(position), ...deck.slice(0, position)];
}

/** The new stock of a number that is made of some discards. */
export function stockOf(seed, entropy, number, discards) {
  return shuffled(DECK.filter((card) => discards.includes(card)), seed, `stock:${number}:${entropy}`);
}

async function shuffled(cards, seed, label) {
  const list = [...cards];
  const source = words(seed, label);
  for (let i = list.length - 1; i > 0; i--) {
    const j = await below(i + 1, source);
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}

/** A number below a bound, all of them equally likely. */
async function below(bound, source) {
  const limit = 2 ** 32 - (2 ** 32 % bound);
  for (;;) {
    const { value: word } = await source.next();
    if (word < limit) return word % bound;
  }
}

/** The words of 32 bits that a seed and a label give, without end. */
async function* words(seed, label) {
  const kind = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytesOf(seed), kind, false, ["sign"]);
  const text = utf8.encode(label);
  for (let block = 0; ; block++) {
    const message = new Uint8Array(4 + text.length);
    new DataView(message.buffer).setUint32(0, block);
    message.set(text, 4);
    const digest = new DataView(await crypto.subtle.sign("HMAC", key, message));
    for (let place = 0; place < 32; place += 4) yield digest.getUint32(place);
  }
}

const bytesOf = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
