/** What is around every page: the head with its links, messages, and how the connection is. */

import { html, useEffect, useLayoutEffect } from "../vendor/preact.js";
import { get } from "./api.js";
import { LanguageSwitch } from "./languages.js";
import { recall, remember } from "./memory.js";
import { Notices, tell } from "./notices.js";
import { change, state, useStore } from "./store.js";
import { n, t } from "./text.js";

const THEMES = ["auto", "light", "dark"];

/** Take up what was chosen on an earlier visit. */
export function startShell() {
  change({ theme: recall("theme") ?? "auto", suits: recall("suits") ?? "two", keys: recall("keys") ?? "on" });
}

export function Shell({ children }) {
  const { theme, suits, keys, language, table, route } = useStore();
  useLayoutEffect(() => dress({ theme, suits, keys }), [theme, suits, keys]);
  useEffect(() => loadRules(language), [language]);
  useEffect(() => {
    document.title = title(table);
  }, [table, language, route]);
  return html`
    <a class="skip" href="#main" onClick=${toMain}>${t("To the content")}</a>
    <${Head} />
    <${Connection} />
    ${children}
    <${Notices} />
  `;
}

function Head() {
  const { account, route } = useStore();
  const here = (path) => (route === path ? "page" : undefined);
  return html`
    <header class="head">
      <a class="brand" href="#/" aria-label=${t("Paiute: to the lobby")}>
        <svg class="flower" viewBox="0 0 32 32" aria-hidden="true"><use href="#flower" /></svg>
        <span>Paiute</span>
        <small>${t("Lobby")}</small>
      </a>
      <nav aria-label=${t("Pages")}>
        <a href="#/" aria-current=${here("#/")}>${t("Lobby")}</a>
        <a href="#/rules" aria-current=${here("#/rules")}>${t("Rules")}</a>
      </nav>
      <span class="grow"></span>
      <${LanguageSwitch} />
      <${Looks} />
      ${account &&
      html`<a class="who" href="#/account" aria-current=${here("#/account")}>
        <span class="name">${account.name}</span>
        <span class="chips">${n(account.balance)}<span class="unseen"> ${t("chips")}</span></span>
      </a>`}
    </header>
  `;
}

/** How the page looks: light or dark, and the colours of suits. */
function Looks() {
  const { theme, suits } = useStore();
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  const names = { auto: t("as the system"), light: t("light"), dark: t("dark") };
  return html`
    <button
      class="icon suits-button ${suits}"
      aria-label=${t("Four colours of suits")}
      title=${t("Four colours of suits")}
      aria-pressed=${suits === "four"}
      onClick=${() => choose("suits", suits === "four" ? "two" : "four")}
    >
      ${["h", "s", "d", "c"].map((suit) => html`<svg class="suit suit-${suit}" viewBox="0 0 32 32"><use href="#suit-${suit}" /></svg>`)}
    </button>
    <button
      class="icon theme-button ${theme}"
      aria-label=${t("Colours of the page: {theme}", { theme: names[theme] })}
      title=${t("Colours of the page: {theme}", { theme: names[theme] })}
      onClick=${() => choose("theme", next)}
    ></button>
  `;
}

/** Says so when the service can't be reached; a blink of the connection is not worth a word. */
function Connection() {
  const { connection } = useStore();
  const texts = {
    connecting: t("Connecting…"),
    away: t("No connection. The page keeps trying; nothing is lost."),
    refused: t("This account's token is not good any more: nothing new comes. Reload the page."),
  };
  return html`
    <div class="connection" data-testid="connection" data-state=${connection} role="status">
      ${texts[connection] && html`<span key=${connection}>${texts[connection]}</span>`}
    </div>
  `;
}

/** Set `theme`, `suits` or `keys`, for later visits too. */
export function choose(name, value) {
  remember(name, value);
  change({ [name]: value });
}

/** Tell the style sheets. */
function dress(chosen) {
  Object.assign(document.documentElement.dataset, chosen);
}

function loadRules(language) {
  get("/v1/rules", { patient: true })
    .then((rules) => language === state.language && change({ rules }))
    .catch(tell);
}

function title(table) {
  if (!table) return "Paiute";
  const mine = table.you && table.deal?.turn === table.you.seat;
  return mine ? `● ${t("Your turn")} – ${table.name}` : `${table.name} – Paiute`;
}

function toMain(event) {
  event.preventDefault();
  document.querySelector("main")?.focus();
}
