/** Short messages: on the screen for some seconds, and said by screen readers. */

import { html } from "../vendor/preact.js";
import { change, state, useStore } from "./store.js";
import { t } from "./text.js";

/** How long a message stays, in milliseconds. */
const STAYS = 6000;

let count = 0;

/** Show and say a message. @param {string} text @param {"info" | "trouble" | "good"} kind */
export function notify(text, kind = "info") {
  const id = (count += 1);
  const others = state.notices.filter((notice) => notice.text !== text).slice(-2);
  change({ notices: [...others, { id, text, kind }] });
  announce(text);
  setTimeout(() => dismiss(id), STAYS);
}

/** Say something without showing it: what the screen shows already. */
export function announce(text) {
  // A mark that nobody hears makes the same text twice a change, so that it is said twice.
  change({ said: state.said === text ? `${text}\u00a0` : text });
}

/** Tell what was refused. Whatever is no refusal is a fault of the page, and not hidden. */
export function tell(problem) {
  if (!problem?.code) throw problem;
  notify(problem.detail, "trouble");
}

/** Copy a link. */
export async function copy(link) {
  try {
    await navigator.clipboard.writeText(link);
    notify(t("The link is copied."), "good");
  } catch {
    notify(t("Your browser copies nothing by itself here: mark the link and copy it."));
  }
}

function dismiss(id) {
  change({ notices: state.notices.filter((notice) => notice.id !== id) });
}

export function Notices() {
  const { notices, said } = useStore();
  return html`
    <section class="notices" data-testid="notices" aria-label=${t("Messages")}>
      ${notices.map(
        ({ id, text, kind }) => html`
          <div key=${id} class="notice ${kind}">
            <span>${text}</span>
            <button class="quiet" aria-label=${t("Close this message")} onClick=${() => dismiss(id)}>×</button>
          </div>
        `,
      )}
    </section>
    <div class="unseen" role="status" aria-live="polite">${said}</div>
  `;
}
