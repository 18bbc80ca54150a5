/** What the browser remembers for the next visit; where it may not, it is kept until the page closes. */

const kept = new Map();

export function recall(name) {
  if (kept.has(name)) return kept.get(name);
  try {
    return localStorage.getItem(`paiute.${name}`);
  } catch {
    return null;
  }
}

/** Remember a text; null forgets it. Whether the next visit will know it. */
export function remember(name, text) {
  try {
    if (text === null) localStorage.removeItem(`paiute.${name}`);
    else localStorage.setItem(`paiute.${name}`, text);
    kept.delete(name);
    return true;
  } catch {
    // The browser keeps nothing, as in some private windows, or is full: then it is good for this visit.
    kept.set(name, text);
    return false;
  }
}

/** Do something when another tab remembers another text under a name, or forgets it (null). */
export function whenChangedElsewhere(name, act) {
  addEventListener("storage", ({ key, newValue }) => key === `paiute.${name}` && act(newValue));
}
