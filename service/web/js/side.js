/** About the table: what is played for, the house rules, the way out. */

import { html } from "../vendor/preact.js";
import { RulesOfTable } from "./house-rules.js";
import { legal } from "./moves.js";
import { command } from "./session.js";
import { choose } from "./shell.js";
import { useStore } from "./store.js";
import { n, t } from "./text.js";
import { Invite, stakes } from "./waiting.js";

export function Side({ table }) {
  return html`
    <details class="about">
      <summary>${t("About this table")}</summary>
      <ul class="facts">
        <li>${stakes(table)}</li>
        <li>${table.turn_seconds ? t("{count} s a turn", { count: n(table.turn_seconds) }) : t("No clock")}</li>
        ${table.deals && html`<li>${t("Deals in all: {count}", { count: n(table.deals) })}</li>`}
        <li>${table.rated ? t("Deals among people count in the ratings.") : t("Nothing counts in the ratings.")}</li>
      </ul>
      <${RulesOfTable} rules=${table.rules} />
      ${table.status !== "waiting" && html`<${Invite} table=${table} />`}
      <a href="#/table/${table.id}/deals">${t("Past deals of this table")}</a>
      <${Keys} />
    </details>
    <${Leave} table=${table} />
  `;
}

function Keys() {
  const { keys } = useStore();
  return html`
    <label class="switch">
      <input type="checkbox" checked=${keys === "on"} onChange=${({ target }) => choose("keys", target.checked ? "on" : "off")} />
      <span>${t("Single keys play: S, P, D, C")}</span>
    </label>
  `;
}

function Leave({ table }) {
  const { busy } = useStore();
  if (!legal(table, "leave")) return null;
  const folds = ["cutting", "playing"].includes(table.status) && table.you.hand.length > 0;
  const leave = async () => {
    if (folds && !confirm(t("Leave in the middle of the deal? You fold: the ante stays in the pot, and the chips of your stack come back when the deal ends."))) return;
    if (await command("leave")) location.hash = "#/";
  };
  return html`<button class="leave" disabled=${busy} onClick=${leave}>${t("Leave the table")}</button>`;
}
