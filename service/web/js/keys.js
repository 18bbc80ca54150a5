/** Keys that work wherever the focus is. */

import { useEffect, useRef } from "../vendor/preact.js";
import { state } from "./store.js";

/**
 * Do something when a key is pressed, unless somebody writes or chooses from a list. Those of a single sign can
 * be switched off: somebody who dictates would make moves unawares.
 *
 * @param {Record<string, () => void>} keys what to do, by the key's name in small letters. That of the
 *   latest drawing counts, so that nobody acts on what is not on the screen any more.
 */
export function useKeys(keys) {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event) => {
      const taken = event.ctrlKey || event.metaKey || event.altKey || event.repeat;
      const act = latest.current[event.key?.toLowerCase()]; // Filling in what a browser knows has no key.
      const off = event.key?.length === 1 && state.keys === "off";
      if (taken || !act || off || event.target.closest?.("input, select, textarea")) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
