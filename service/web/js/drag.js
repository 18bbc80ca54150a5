/** Dragging a card of the hand: to another place in it, or onto the discard pile. */

import { useRef, useState } from "../vendor/preact.js";

/** From how many pixels on a press is a drag. */
const FAR = 8;

/**
 * @param {object} options
 * @param {{current: HTMLElement}} options.row holds the cards, in order.
 * @param {string[]} options.cards the cards as they lie.
 * @param {(order: {by: string, cards: string[]}) => void} options.setOrder takes another order.
 * @param {(card: string) => void} options.drop takes a card that was dropped on the pile.
 */
export function useDrag({ row, cards, setOrder, drop }) {
  const [dragged, setDragged] = useState(null);
  const ended = useRef(0);
  const begin = (event, card) => {
    if (event.button) return;
    const start = { x: event.clientX, y: event.clientY };
    const target = event.currentTarget;
    let order = cards;
    let far = false;
    const moved = ({ clientX: x, clientY: y }) => {
      if (!row.current) return; // The hand was taken up while a card of it was held.
      far ||= Math.hypot(x - start.x, y - start.y) > FAR;
      if (!far) return;
      target.setPointerCapture?.(event.pointerId);
      const shift = place(row.current, order, card, x);
      if (shift !== order) {
        start.x += leftOf(row.current, order, shift, card);
        order = shift;
        setOrder({ by: "own", cards: order });
      }
      setDragged({ card, style: { "--dx": `${x - start.x}px`, "--dy": `${y - start.y}px` } });
    };
    const over = ({ clientX, clientY, type }) => {
      removeEventListener("pointermove", moved);
      removeEventListener("pointerup", over);
      removeEventListener("pointercancel", over);
      setDragged(null);
      if (!far) return;
      ended.current = performance.now();
      if (type === "pointerup" && isOnPile(clientX, clientY)) drop(card);
    };
    addEventListener("pointermove", moved);
    addEventListener("pointerup", over);
    addEventListener("pointercancel", over);
  };
  const justDragged = () => performance.now() - ended.current < 100;
  return { card: dragged?.card, style: dragged?.style, begin, justDragged };
}

/** The order with the card where the pointer is; the same order, if that is its place. */
function place(row, order, card, x) {
  const width = row.children[0].offsetWidth;
  const lefts = [...row.children].map((one) => row.getBoundingClientRect().left + one.offsetLeft - row.offsetLeft);
  const at = lefts.filter((left, index) => left + width / 2 < x && index < order.length).length;
  const to = Math.max(0, Math.min(order.length - 1, at === 0 ? 0 : at - 1));
  const from = order.indexOf(card);
  if (to === from) return order;
  const others = order.filter((one) => one !== card);
  return others.toSpliced(to, 0, card);
}

/** How far the card's place moves with its order, in pixels. */
function leftOf(row, before, after, card) {
  const [first, second] = row.children;
  const step = second ? second.offsetLeft - first.offsetLeft : 0;
  return (after.indexOf(card) - before.indexOf(card)) * step;
}

function isOnPile(x, y) {
  const pile = document.querySelector("[data-testid=pile]")?.getBoundingClientRect();
  return Boolean(pile && x >= pile.left - 20 && x <= pile.right + 20 && y >= pile.top - 20 && y <= pile.bottom + 20);
}
