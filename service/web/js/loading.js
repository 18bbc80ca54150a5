/** Pages to read, and what they show until it is there. */

import { html, useEffect, useState } from "../vendor/preact.js";
import { t } from "./text.js";

/**
 * What a function promises, once it is there.
 *
 * @param {() => Promise<unknown>} load
 * @param {unknown[]} on what it depends on: it is asked again when one of these changes.
 * @returns {{ value?: any, problem?: any, again: () => void }}
 */
export function useLoaded(load, on) {
  const [found, setFound] = useState({});
  const [count, setCount] = useState(0);
  useEffect(() => {
    let wanted = true;
    load().then(
      (value) => wanted && setFound({ value }),
      (problem) => wanted && setFound({ problem }),
    );
    return () => (wanted = false);
  }, [...on, count]);
  return { ...found, again: () => setCount(count + 1) };
}

/** A page under its name. */
export function Main({ page, children, ...others }) {
  return html`<main id="main" tabindex="-1" class="reading ${page}" data-page=${page} ...${others}>${children}</main>`;
}

/** What stands in the place of something until it is there; `again` is what may be done where it can't be had. */
export function Waiting({ problem, again }) {
  if (!problem) return html`<p class="waiting" role="status">${t("One moment …")}</p>`;
  if (!problem.code) throw problem;
  return html`
    <p class="trouble" role="alert">${problem.detail}</p>
    ${again && html`<button class="primary" onClick=${again}>${t("Try again")}</button>`}
  `;
}
