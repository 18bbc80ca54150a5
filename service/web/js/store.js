/**
 * What the page knows, in one object; the views are functions of it.
 *
 * It is never changed in place: `change` makes a new one, and what is drawn follows.
 */

import { useLayoutEffect, useState } from "../vendor/preact.js";

export let state = {
  /** The part of the address after `#`. */
  route: "#/",
  /** Whether it is known who plays. */
  ready: false,
  /** `{id, name, balance, token, …}`, or null before the first game. */
  account: null,
  /** The answer of `GET /v1/rules` in the player's language: rules, combinations, cards by name. */
  rules: null,
  language: "en",
  /** Translations by their English text. */
  texts: null,
  /** `auto`, `light` or `dark`. */
  theme: "auto",
  /** `two` or `four` colours of suits. */
  suits: "two",
  /** `on`, or `off` where keys of a single sign do nothing. */
  keys: "on",
  /** `live`, `connecting`, `away` while the service can't be reached, or `refused`. */
  connection: "live",
  /** Short messages on the screen: `{id, kind, text}`. */
  notices: [],
  /** The last thing that was said to screen readers. */
  said: "",
  /** The view of the open table, as the service gave it. */
  table: null,
  /** When that came, on the clock of `performance.now()`: what runs down is counted from there. */
  received: 0,
  /** The latest events of the open table, the oldest first. */
  log: [],
  /** Whether a command is on its way. */
  busy: false,
  /** Why the open table can't be shown, as a Problem. */
  lost: null,
};

const listeners = new Set();

/** Give some parts of the state new values. */
export function change(parts) {
  state = { ...state, ...parts };
  for (const listener of listeners) listener();
}

/** The state, in a view that is to be drawn again when it changes. */
export function useStore() {
  const [, redraw] = useState(0);
  useLayoutEffect(() => {
    const listener = () => redraw((count) => count + 1);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, []);
  return state;
}
