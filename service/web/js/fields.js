/** The fields of forms: each with its label, what it means, and what the service has against it. */

import { html } from "../vendor/preact.js";

/** Some fields under a title that opens and closes. */
export function Group({ title, open = false, children }) {
  // What is wrong in a closed one is to be seen: browsers stop a form there without a word.
  const show = (event) => (event.currentTarget.open = true);
  return html`<details class="group" open=${open} onInvalidCapture=${show}><summary>${title}</summary><div class="fields">${children}</div></details>`;
}

export function Words({ label, value, onChange, most, placeholder, error }) {
  return html`
    <${Field} label=${label} error=${error}>
      <input aria-label=${label} value=${value} maxlength=${most} placeholder=${placeholder} autocomplete="off" onInput=${(event) => onChange(event.target.value)} />
    </${Field}>
  `;
}

/** A whole number; empty is null where it is optional. */
export function Num({ label, hint, value, onChange, low, high, optional = false, error }) {
  const read = (text) => (text === "" ? null : Number(text));
  return html`
    <${Field} label=${label} hint=${hint} error=${error}>
      <input aria-label=${label} aria-description=${hint} type="number" inputmode="numeric" min=${low} max=${high} step="1" required=${!optional} value=${value ?? ""} onInput=${(event) => onChange(read(event.target.value))} />
    </${Field}>
  `;
}

/** One of some values; `options` are pairs of value and title. */
export function Choice({ label, hint, value, options, onChange, error }) {
  return html`
    <${Field} label=${label} hint=${hint} error=${error}>
      <select aria-label=${label} aria-description=${hint} onChange=${(event) => onChange(options[event.target.selectedIndex][0])}>
        ${options.map(([one, title]) => html`<option key=${one} selected=${one === value}>${title}</option>`)}
      </select>
    </${Field}>
  `;
}

export function Switch({ label, value, onChange }) {
  return html`
    <label class="switch">
      <input type="checkbox" checked=${value} onChange=${(event) => onChange(event.target.checked)} />
      <span>${label}</span>
    </label>
  `;
}

function Field({ label, hint, error, children }) {
  return html`
    <label class="field ${error ? "wrong" : ""}">
      <span>${label}</span>
      ${children}
      ${hint && html`<small>${hint}</small>`}
      ${error && html`<small class="error">${wordsOf(error)}</small>`}
    </label>
  `;
}

/** What is wrong with a field: a list of texts, or an object of such lists for what is inside it. */
export function wordsOf(error) {
  if (typeof error === "string") return error;
  return Object.values(error).map(wordsOf).join(" ");
}
