/** Deals that are over: those of a table, and the tables where the player sat. */

import { html } from "../vendor/preact.js";
import { get } from "./api.js";
import { Main, useLoaded, Waiting } from "./loading.js";
import { useStore } from "./store.js";
import { moment, n, t } from "./text.js";

/** So many deals, and tables, are shown at first. */
const PAGE = 20;

/** `#/table/ID/deals` */
export function TableDeals({ params: [id] }) {
  const { value, problem, again } = useLoaded(() => dealsOf(id), [id]);
  if (!value) return html`<${Main} page="past"><${Waiting} problem=${problem} again=${again} /></${Main}>`;
  return html`
    <${Main} page="past">
      <h1>${t("Past deals of {table}", { table: value.name })}</h1>
      <p><a href="#/table/${id}">${t("To the table")}</a></p>
      <${DealList} table=${id} deals=${value.deals} />
    </${Main}>
  `;
}

async function dealsOf(id) {
  const [table, deals] = await Promise.all([
    get(`/v1/tables/${id}`),
    get(`/v1/tables/${id}/deals`, { query: { limit: 100 } }),
  ]);
  return { name: table.name, deals: deals.items };
}

function DealList({ table, deals }) {
  if (!deals.length) return html`<p>${t("No deal is over yet.")}</p>`;
  return html`
    <ol class="deals" data-testid="deals">
      ${deals.map(
        ({ number, pot, winners, seats, reason, ended_at: ended }) => html`
          <li key=${number}>
            <a href="#/table/${table}/deals/${number}">${t("Deal {number}", { number: n(number) })}</a>
            <span>${howItEnded(reason)}</span>
            ${reason !== "void" && html`<span>${namesOf(winners, seats)}</span>`}
            <span>${t("Pot: {chips}", { chips: n(pot) })}</span>
            <time datetime=${ended}>${moment(ended)}</time>
          </li>
        `,
      )}
    </ol>
  `;
}

function namesOf(winners, seats) {
  return seats.filter(({ seat }) => winners.includes(seat)).map(({ player }) => player.name).join(", ");
}

/** In a word or two, how a deal came to its end. */
export function howItEnded(reason) {
  return { showdown: t("Showdown"), last_player: t("All others folded"), void: t("The deal is void: the antes go back.") }[reason];
}

/** `#/past` */
export function MyDeals() {
  const { account } = useStore();
  const { value: tables, problem, again } = useLoaded(myTables, [account?.id]);
  if (!tables) return html`<${Main} page="past"><${Waiting} problem=${problem} again=${again} /></${Main}>`;
  return html`
    <${Main} page="past">
      <h1>${t("Where you have played")}</h1>
      ${!tables.length && html`<p>${t("Nowhere yet. Take a seat, and play a deal.")}</p>`}
      <ul class="deals">
        ${tables.map(
          ({ id, name, at, status, chips }) => html`
            <li key=${id}>
              <a href="#/table/${id}/deals">${name}</a>
              <time datetime=${at}>${moment(at)}</time>
              ${status === "closed" && html`<span>${t("Won or lost: {chips}", { chips: signed(chips) })}</span>`}
            </li>
          `,
        )}
      </ul>
    </${Main}>
  `;

  async function myTables() {
    if (!account) return [];
    const { items } = await get("/v1/me/ledger", { query: { limit: 100 } });
    const found = [...byTable(items).values()].slice(0, PAGE);
    const tables = await Promise.all(found.map(withName));
    return tables.filter(Boolean);
  }
}

/** What the account's movements of chips tell: at which tables it was, the latest first, and what came of it. */
function byTable(movements) {
  const tables = new Map();
  for (const { table, amount, at } of movements) {
    if (!table) continue;
    const known = tables.get(table) ?? { id: table, at, chips: 0 };
    tables.set(table, { ...known, chips: known.chips + amount });
  }
  return tables;
}

/** A table with its name; null where the service keeps it no more. */
async function withName(one) {
  try {
    const { name, status } = await get(`/v1/tables/${one.id}`);
    return { ...one, name, status };
  } catch (problem) {
    if (problem.code === "not_found") return null;
    throw problem;
  }
}

const signed = (chips) => (chips > 0 ? `+${n(chips)}` : n(chips));
