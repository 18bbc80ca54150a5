// A verifier of deals, written from docs/fair-cards.md and from nothing else.
//
// Reads a deal a line from standard input, {"proof": …, "record": …, "commitment": …} (the proof
// alone is enough), and answers each with a line: {"fits": true}, or {"fits": false, "fault": "…"}.

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const PACK = ["c", "d", "h", "s"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit));

class Fault extends Error {}

function need(holds, fault) {
  if (!holds) throw new Fault(fault);
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const sameCards = (one, other) => same([...one].sort(), [...other].sort());

// Words, numbers and shuffles.

function* words(seed, label) {
  for (let block = 0; ; block++) {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(block);
    const digest = createHmac("sha256", seed).update(counter).update(label, "utf8").digest();
    for (let place = 0; place < 32; place += 4) yield digest.readUInt32BE(place);
  }
}

function below(bound, source) {
  const limit = 2 ** 32 - (2 ** 32 % bound);
  for (;;) {
    const word = source.next().value;
    if (word < limit) return word % bound;
  }
}

function shuffled(cards, seed, label) {
  const list = [...cards];
  const source = words(seed, label);
  for (let i = list.length - 1; i >= 1; i--) {
    const j = below(i + 1, source);
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}

function deckOf(seed, position, entropy) {
  const deck = shuffled(PACK, seed, `deck:${entropy}`);
  return [...deck.slice(position), ...deck.slice(0, position)];
}

const stockOf = (seed, entropy, number, discards) =>
  shuffled(PACK.filter((card) => discards.includes(card)), seed, `stock:${number}:${entropy}`);

// Steps 1 to 6: the proof alone.

function checkProof(proof, noted) {
  need(proof.algorithm === "paiute-fair-cards-1", "an algorithm that is not known");
  need(/^[0-9a-f]{64}$/.test(proof.seed), "the seed's form");
  const seed = Buffer.from(proof.seed, "hex");
  need(createHash("sha256").update(seed).digest("hex") === proof.commitment, "the commitment");
  need(noted == null || noted === proof.commitment, "another commitment was published");

  const { seats, cut, dealt, renewals } = proof;
  need(seats.length >= 2 && seats.length <= 5, "how many seats there are");
  need(new Set(seats).size === seats.length && seats.at(-1) === proof.dealer, "the seats");
  need((cut === null) === (dealt === null), "a cut and no cards, or cards and no cut");
  if (cut) {
    need(seats.includes(cut.seat), "the cut's seat");
    need(Number.isInteger(cut.position) && cut.position >= 0 && cut.position <= 51, "the position");
    checkDealt(seats, dealt, deckOf(seed, cut.position, cut.entropy));
  }
  need(renewals.length <= proof.rules.max_reshuffles, "too many new stocks");
  renewals.forEach((renewal, index) => {
    need(cut && renewal.number === index + 1, "the number of a new stock");
    const cards = [...renewal.discards, ...renewal.kept];
    need(new Set(cards).size === cards.length && cards.every((c) => PACK.includes(c)), "discards");
    const stock = stockOf(seed, cut.entropy, renewal.number, renewal.discards);
    need(same(stock, renewal.stock), `new stock ${renewal.number}`);
  });
}

function checkDealt(seats, dealt, deck) {
  need(same(dealt.deck, deck), "the deck");
  const dealtTo = dealt.hands.map((hand) => hand.seat);
  need(dealtTo.length >= 2, "too few hands");
  need(same(seats.filter((seat) => dealtTo.includes(seat)), dealtTo), "the order of the hands");
  const hands = dealtTo.map(() => []);
  let next = 0;
  for (let round = 0; round < 5; round++) for (const hand of hands) hand.push(deck[next++]);
  dealt.hands.forEach((hand, index) => need(same(hand.cards, hands[index]), `hand ${index + 1}`));
  need(dealt.wild_card === deck[next++], "the wild card");
  need(dealt.first_discard === deck[next++], "the first discard");
  need(same(dealt.stock, deck.slice(next)), "the stock");
}

// Steps 7 to 11: the record, played with the cards of the proof.

function checkRecord(proof, record) {
  need(record.number === proof.number && record.dealer === proof.dealer, "another deal");
  for (const rule of ["reshuffle", "max_reshuffles", "cut"])
    need(record.rules[rule] === proof.rules[rule], `the rule ${rule}`);
  need(same(record.seats.map((one) => one.seat), proof.seats), "the record's seats");
  need(record.wild_card === (proof.dealt ? proof.dealt.wild_card : null), "its wild card");

  const table = {
    proof,
    renewals: [...proof.renewals],
    inDeal: new Set(proof.seats),
    hands: new Map((proof.dealt?.hands ?? []).map((hand) => [hand.seat, [...hand.cards]])),
    stock: [...(proof.dealt?.stock ?? [])],
    pile: proof.dealt ? [proof.dealt.first_discard] : [],
    cut: false,
    isVoid: false,
  };
  record.actions.forEach((action, index) => take(table, action, `action ${index + 1}`));
  need(table.renewals.length === 0, "a new stock that nobody needed");
  need(table.cut === (proof.cut !== null), "a cut that nobody made");
  need(!table.isVoid || record.result.reason === "void", "whether the deal is void");
  const told = [...record.result.hands.filter((hand) => hand.cards.length), ...(record.hands ?? [])];
  for (const hand of told)
    need(sameCards(hand.cards, table.hands.get(hand.seat) ?? []), `the last hand of ${hand.seat}`);
}

function take(table, action, where) {
  need(!table.isVoid, `${where} comes after the end`);
  if (action.action === "time_out") return;
  if (action.action === "fold") {
    need(table.inDeal.delete(action.seat), `${where}: not in the deal`);
    return;
  }
  if (action.action === "cut") {
    const made = table.proof.cut;
    need(!table.cut && made?.seat === action.seat, `${where}: another cut`);
    need((made.by ?? null) === (action.by ?? null), `${where}: who made the cut`);
    need(same([...table.inDeal], [...table.hands.keys()]), `${where}: dealt to others`);
    table.cut = true;
    return;
  }
  const hand = table.hands.get(action.seat);
  need(table.cut && hand, `${where}: without cards`);
  if (action.action === "draw" && action.from === "stock") draw(table, hand, action, where);
  else if (action.action === "draw" && action.from === "discard") {
    need(table.pile.length && table.pile[0] === action.card, `${where}: the top discard`);
    hand.push(table.pile.shift());
  } else if (action.action === "discard") discard(table, hand, action.card, where);
  else if (action.action === "call") {
    if (action.card !== null) discard(table, hand, action.card, where);
    need(sameCards(action.cards ?? [], hand), `${where}: what was laid down`);
  } else need(false, `${where}: no such action`);
}

function draw(table, hand, action, where) {
  if (!table.stock.length) {
    const renewal = table.renewals.shift();
    if (!renewal) {
      const most = table.proof.rules.max_reshuffles;
      need(action.card === null && table.proof.renewals.length === most, `${where}: no new stock`);
      table.isVoid = true;
      return;
    }
    const kept = table.proof.rules.reshuffle === "all" ? 0 : 1;
    need(same(renewal.kept, table.pile.slice(0, kept)), `${where}: what stays`);
    need(same(renewal.discards, table.pile.slice(kept)), `${where}: what goes in`);
    [table.pile, table.stock] = [[...renewal.kept], [...renewal.stock]];
  }
  const card = table.stock.shift();
  need(action.card === null || action.card === card, `${where}: the top of the stock`);
  hand.push(card);
}

function discard(table, hand, card, where) {
  const place = hand.indexOf(card);
  need(place >= 0, `${where}: a card that is not there`);
  hand.splice(place, 1);
  table.pile.unshift(card);
}

function judge(line) {
  try {
    const said = JSON.parse(line);
    const { proof, record, commitment } = said.proof ? said : { proof: said };
    checkProof(proof, commitment);
    if (record) checkRecord(proof, record);
    return { fits: true };
  } catch (fault) {
    return { fits: false, fault: fault instanceof Fault ? fault.message : `no proof: ${fault}` };
  }
}

// Split by hand: `readline` ends lines at U+2028 too, which JSON has in its texts.
const lines = readFileSync(0, "utf8").split("\n");
console.log(lines.filter((line) => line.trim()).map((line) => JSON.stringify(judge(line))).join("\n"));
