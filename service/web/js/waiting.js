/** What stands on the table before the first deal, and after the last one. */

import { html } from "../vendor/preact.js";
import { useLeft } from "./clock.js";
import { legal } from "./moves.js";
import { copy } from "./notices.js";
import { command, sit } from "./session.js";
import { useStore } from "./store.js";
import { n, t } from "./text.js";

export function Waiting({ table, code }) {
  if (table.status === "closed") {
    return html`<div class="panel"><h2>${t("This table is closed.")}</h2><a class="button primary" href="#/">${t("To the lobby")}</a></div>`;
  }
  return html`
    <div class="panel waiting">
      <h2>${table.open_seats ? t("Waiting for players") : t("Everybody is here")}</h2>
      <p>${table.open_seats ? t("Free seats: {count}", { count: table.open_seats }) : whatFor(table)}</p>
      <${BotsCome} table=${table} />
      <${SitDown} table=${table} code=${code} />
      <${Start} table=${table} />
      <${Invite} table=${table} />
    </div>
  `;
}

function whatFor(table) {
  return legal(table, "start") ? t("You begin the deal.") : t("The host begins the deal.");
}

function BotsCome({ table }) {
  const left = useLeft(table.bots_ms_left);
  return left === null ? null : html`<p>${t("Bots take the free seats in {count} seconds.", { count: left })}</p>`;
}

function SitDown({ table, code }) {
  const { busy } = useStore();
  if (table.you || !table.open_seats) return null;
  return html`<button class="primary" disabled=${busy} onClick=${() => sit(table, code)}>${t("Sit down")}</button>`;
}

function Start({ table }) {
  const { busy } = useStore();
  if (!legal(table, "start")) return null;
  return html`<button class="primary" disabled=${busy} onClick=${() => command("start")}>${t("Deal the cards")}</button>`;
}

/** The link that brings others here; at a private table it holds the code that lets them sit down. */
export function Invite({ table }) {
  if (!table.open_seats || !table.you) return null;
  const join = table.invite_code ? `/join/${table.invite_code}` : "";
  const link = new URL(`#/table/${table.id}${join}`, location.href).href;
  return html`
    <div class="invite">
      <label class="field">
        <span>${t("Invite with this link")}</span>
        <input readonly value=${link} onFocus=${(event) => event.target.select()} />
      </label>
      <button onClick=${() => copy(link)}>${t("Copy")}</button>
    </div>
  `;
}

/** What a table is played for. */
export function stakes(table) {
  return table.ante ? t("Ante {ante}", { ante: n(table.ante) }) : t("No stakes");
}
