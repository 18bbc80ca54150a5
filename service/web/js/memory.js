/** What the browser remembers for the next visit; where it may not, it is kept until the page closes. */

const kept = new Map();

export function recall(name) {
  try {
    return localStorage.getItem(`paiute.${name}`);
  } catch {
    return kept.get(name) ?? null;
  }
}

/** Remember a text; null forgets it. */
export function remember(name, text) {
  kept.set(name, text);
  try {
    if (text === null) localStorage.removeItem(`paiute.${name}`);
    else localStorage.setItem(`paiute.${name}`, text);
  } catch {
    // The browser keeps nothing, as in some private windows: then it is good for this visit.
  }
}
