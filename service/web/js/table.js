/** A table: the felt with its seats and cards, the own hand below it, the log beside it. */

import { html, useEffect } from "../vendor/preact.js";
import { Dock } from "./dock.js";
import { useAnnouncements, Log } from "./log.js";
import { Middle } from "./middle.js";
import { Seats } from "./seats.js";
import { openTable } from "./session.js";
import { Side } from "./side.js";
import { useStore } from "./store.js";
import { t } from "./text.js";

/** @param {{params: string[]}} props the table's id, and the code of an invitation where one led here. */
export function TablePage({ params: [id, code] }) {
  const { table, lost, busy } = useStore();
  useEffect(() => openTable(id), [id]);
  useAnnouncements();
  if (lost) return html`<${Lost} problem=${lost} />`;
  if (table?.id !== id) return html`<main id="main" class="loading" aria-busy="true"><p>${t("The table is being set…")}</p></main>`;
  const mine = table.you && table.deal?.turn === table.you.seat;
  return html`
    <main
      id="main"
      tabindex="-1"
      class="table-page"
      data-page="table"
      data-testid="table"
      data-status=${table.status}
      data-phase=${table.deal?.phase}
      data-version=${table.version}
      data-my-turn=${String(Boolean(mine))}
      aria-busy=${String(Boolean(busy))}
    >
      <h1 class="unseen">${t("Table {name}", { name: table.name })}</h1>
      <section class="felt" aria-label=${t("The table")}>
        <div class="rim"></div>
        <${Seats} table=${table} code=${code} />
        <${Middle} table=${table} code=${code} />
      </section>
      <${Dock} table=${table} />
      <aside class="side" aria-label=${t("What happened, and about this table")}>
        <${Log} />
        <${Side} table=${table} />
      </aside>
    </main>
  `;
}

function Lost({ problem }) {
  return html`
    <main id="main" tabindex="-1" class="loading" data-page="lost">
      <h1>${t("This table can't be shown.")}</h1>
      <p>${problem.detail}</p>
      <a class="button primary" href="#/">${t("To the lobby")}</a>
    </main>
  `;
}
