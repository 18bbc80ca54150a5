/** Times that run down: a ring around a number. */

import { html, useEffect, useState } from "../vendor/preact.js";
import { useStore } from "./store.js";
import { t } from "./text.js";

/** The clock of the turn, where there is one. */
export function Clock({ table }) {
  const cutting = table.deal.phase === "cut";
  const all = cutting ? Math.min(15, table.turn_seconds || 15) : table.turn_seconds;
  const left = useLeft(table.deal.turn_ms_left);
  if (left === null || !all) return null;
  const hurry = left <= 10 ? "hurry" : "";
  return html`
    <span class="clock ${hurry}" role="timer" aria-label=${t("Seconds left: {count}", { count: left })} style=${{ "--left": Math.min(1, left / all) }}>
      <span aria-hidden="true">${left}</span>
    </span>
  `;
}

/** How many whole seconds are left of what a view says in milliseconds; null where nothing runs. */
export function useLeft(ms) {
  const { received } = useStore();
  const [now, setNow] = useState(performance.now());
  const runs = ms !== null && ms !== undefined;
  useEffect(() => {
    if (!runs) return undefined;
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, [runs]);
  if (!runs) return null;
  return Math.max(0, Math.ceil((ms - (Math.max(now, received) - received)) / 1000));
}
