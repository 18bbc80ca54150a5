// A finished deal followed action by action, with the cards of its proof in hand: docs/fair-cards.md,
// steps 7 to 11. It is about cards alone, and does not check whose turn it was.

/** Something is not as seed and cut have it: `fault` names what, and `facts` are its particulars. */
export class Fault extends Error {
  constructor(fault, facts = {}) {
    super(fault);
    this.fault = fault;
    this.facts = facts;
  }
}

export function need(holds, fault, facts) {
  if (!holds) throw new Fault(fault, facts);
}

export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const sameCards = (one, other) => same([...one].sort(), [...other].sort());

/** Plays a record with the cards of a proof that is right in itself; throws a Fault if it does not fit. */
export function follow(proof, record) {
  need(record.number === proof.number && record.dealer === proof.dealer, "other_deal");
  for (const rule of ["reshuffle", "max_reshuffles", "cut"])
    need(record.rules[rule] === proof.rules[rule], "other_deal");
  need(same(record.seats.map((one) => one.seat), proof.seats), "other_deal");
  need(record.wild_card === (proof.dealt?.wild_card ?? null), "other_deal");

  const played = new Played(proof);
  record.actions.forEach((action, index) => played.take(action, { number: index + 1, seat: action.seat }));
  need(!played.renewals.length && played.isCut === (proof.cut !== null), "ends_early");
  need(!played.isVoid || record.result.reason === "void", "ends_early");
  const shown = record.result.hands.filter((hand) => hand.cards.length);
  for (const { seat, cards } of [...shown, ...(record.hands ?? [])])
    need(sameCards(cards, played.hands.get(seat) ?? []), "last_hand", { seat });
}

/** The cards of a deal while it is followed; stock and pile have the top first. */
class Played {
  constructor(proof) {
    this.proof = proof;
    this.renewals = [...proof.renewals];
    this.inDeal = new Set(proof.seats);
    this.hands = new Map((proof.dealt?.hands ?? []).map(({ seat, cards }) => [seat, [...cards]]));
    this.stock = [...(proof.dealt?.stock ?? [])];
    this.pile = proof.dealt ? [proof.dealt.first_discard] : [];
    this.isCut = this.isVoid = false;
  }

  take(action, where) {
    need(!this.isVoid, "action", where);
    if (action.action === "time_out") return;
    if (action.action === "fold") need(this.inDeal.delete(action.seat), "action", where);
    else if (action.action === "cut") this.cut(action, where);
    else this.move(action, this.hands.get(action.seat), where);
  }

  cut(action, where) {
    const made = this.proof.cut;
    need(!this.isCut && made?.seat === action.seat, "action", where);
    need((made.by ?? null) === (action.by ?? null), "action", where);
    need(same([...this.inDeal], [...this.hands.keys()]), "action", where);
    this.isCut = true;
  }

  move(action, hand, where) {
    need(this.isCut && hand, "action", where);
    if (action.action === "draw" && action.from === "stock") this.drawFromStock(action, hand, where);
    else if (action.action === "draw" && action.from === "discard") {
      need(this.pile.length && this.pile[0] === action.card, "action", where);
      hand.push(this.pile.shift());
    } else if (action.action === "discard") this.discard(action.card, hand, where);
    else if (action.action === "call") {
      if (action.card !== null) this.discard(action.card, hand, where);
      need(sameCards(action.cards ?? [], hand), "action", where);
    } else throw new Fault("action", where);
  }

  drawFromStock(action, hand, where) {
    if (!this.stock.length && !this.renewals.length) {
      // A draw from a stock that is not renewed any more ends the deal.
      const most = this.proof.rules.max_reshuffles;
      need(action.card === null && this.proof.renewals.length === most, "action", where);
      this.isVoid = true;
      return;
    }
    if (!this.stock.length) this.renew(where);
    const card = this.stock.shift();
    need(action.card === null || action.card === card, "action", where);
    hand.push(card);
  }

  renew(where) {
    const { kept, discards, stock } = this.renewals.shift();
    const stays = this.proof.rules.reshuffle === "all" ? 0 : 1;
    need(same(kept, this.pile.slice(0, stays)), "action", where);
    need(same(discards, this.pile.slice(stays)), "action", where);
    [this.pile, this.stock] = [[...kept], [...stock]];
  }

  discard(card, hand, where) {
    const place = hand.indexOf(card);
    need(place >= 0, "action", where);
    hand.splice(place, 1);
    this.pile.unshift(card);
  }
}
