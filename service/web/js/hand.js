/** The own hand: cards to choose, to sort, and to drag, by mouse, touch or keyboard. */

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { byRank, bySuit, Face, spoken } from "./cards.js";
import { useDrag } from "./drag.js";
import { useKeys } from "./keys.js";
import { discard, reasonAgainstDiscard } from "./moves.js";
import { useStore } from "./store.js";
import { t } from "./text.js";

const SORTS = { rank: byRank, suit: bySuit };

export function Hand({ table, chosen, choose }) {
  const [order, setOrder] = useState({ by: "rank", cards: [] });
  const [focus, setFocus] = useState(0);
  const row = useRef();
  const cards = arrange(table.you, order);
  const drag = useDrag({ row, cards, setOrder, drop: (card) => discard(table, card) });
  const sort = (by) => setOrder({ by, cards: [] });
  useKeys({ 1: () => sort("rank"), 2: () => sort("suit") });
  const seen = useRef(false);
  useEffect(() => {
    // Whoever plays by keys goes on from the card that was drawn, and stays in the hand once one is discarded.
    const next = table.you.drawn ? ".drawn" : seen.current && "[tabindex='0']";
    if (next && document.activeElement === document.body) row.current.querySelector(next)?.focus({ preventScroll: true });
    seen.current = true;
  }, [table.you.drawn]);
  const pick = (card) => {
    if (chosen === card && !reasonAgainstDiscard(table, card)) return discard(table, card);
    return choose(chosen === card ? null : card);
  };
  return html`
    <div class="hand-area">
      <div
        class="hand"
        data-testid="hand"
        role="group"
        aria-label=${t("Your cards")}
        ref=${row}
        onKeyDown=${(event) => walk(event, row.current, setFocus, cards.length)}
      >
        ${cards.map(
          (card, index) => html`
            <${HandCard}
              key=${card}
              table=${table}
              card=${card}
              chosen=${chosen === card}
              first=${index === Math.min(focus, cards.length - 1)}
              drag=${drag}
              pick=${() => !drag.justDragged() && pick(card)}
              onFocus=${() => setFocus(index)}
            />
          `,
        )}
      </div>
      <div class="sorting" role="group" aria-label=${t("Sort the hand")}>
        <${Sort} text=${t("By rank")} keys="1" pressed=${order.by === "rank"} act=${() => sort("rank")} />
        <${Sort} text=${t("By suit")} keys="2" pressed=${order.by === "suit"} act=${() => sort("suit")} />
      </div>
    </div>
  `;
}

function Sort({ text, keys, pressed, act }) {
  const { keys: single } = useStore();
  return html`
    <button class="quiet" aria-pressed=${pressed} aria-keyshortcuts=${single === "on" ? keys : undefined} onClick=${act}>
      ${text}<kbd aria-hidden="true">${keys}</kbd>
    </button>
  `;
}

function HandCard({ table, card, chosen, first, drag, pick, onFocus }) {
  const { you, deal } = table;
  const against = you.drawn ? reasonAgainstDiscard(table, card) : null;
  const counts = you.best?.cards.includes(card);
  const words = [spoken(card, deal.wild_rank), you.drawn === card && t("just drawn"), counts && t("part of the combination")];
  const classes = [chosen && "chosen", you.drawn === card && "drawn", counts && "counts", against && "stays", drag.card === card && "dragged"];
  return html`
    <button
      class="card card-button ${classes.filter(Boolean).join(" ")}"
      data-card=${card}
      data-testid="card-${card}"
      aria-label=${words.filter(Boolean).join(", ")}
      aria-pressed=${chosen}
      title=${against ?? undefined}
      tabindex=${first ? 0 : -1}
      style=${drag.card === card ? drag.style : {}}
      onPointerDown=${(event) => drag.begin(event, card)}
      onClick=${pick}
      onFocus=${onFocus}
    >
      <${Face} card=${card} wild=${card[0] === deal.wild_rank} />
    </button>
  `;
}

/** The hand as it lies: sorted, or as the player has put it; what was just drawn is on the right. */
function arrange({ hand, drawn }, order) {
  const sort = SORTS[order.by];
  if (sort) {
    const held = hand.filter((card) => card !== drawn).sort(sort);
    return drawn && hand.includes(drawn) ? [...held, drawn] : held;
  }
  const kept = order.cards.filter((card) => hand.includes(card));
  return [...kept, ...hand.filter((card) => !kept.includes(card))];
}

/** Arrow keys walk along the hand. */
function walk(event, row, setFocus, count) {
  const at = [...row.children].indexOf(document.activeElement);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1 }[event.key];
  if (to === undefined || at < 0) return;
  event.preventDefault();
  const next = (to + count) % count;
  setFocus(next);
  row.children[next].focus();
}
