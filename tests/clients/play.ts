// A program as somebody else writes it with the generated types: `node play.ts URL`.
//
// It plays one deal by `legal`, reads the deal's record and the events, and prints what it has seen.

import createClient from "openapi-fetch";
import type { components, paths } from "paiute-client";

type Table = components["schemas"]["Table"];
type Own = components["schemas"]["Own"];
type Told = components["schemas"]["KnownEvent"];

declare const process: { argv: string[] };

const client = createClient<paths>({ baseUrl: process.argv[2] ?? "" });

/** What an answer holds, where it is no problem. */
function good<T>(answer: { data?: T; error?: { code: string; detail: string } }): T {
  if (answer.data === undefined) {
    throw new Error(`${answer.error?.code}: ${answer.error?.detail}`);
  }
  return answer.data;
}

/** Sign up, and make a table with a bot. */
async function makeTable(): Promise<Table> {
  const account = good(await client.POST("/v1/players", { body: { name: "Generated" } }));
  client.use({
    onRequest({ request }) {
      request.headers.set("Authorization", `Bearer ${account.token}`);
    },
  });
  const wanted = { seats: 2, bots: [{ level: "easy" as const }], thinking_ms: 0, deals: 1 };
  return good(await client.POST("/v1/tables", { body: wanted }));
}

/** Make one move of those that are legal, if any. */
async function move(table: Table, own: Own): Promise<Table | undefined> {
  const legal = new Map(own.legal.map((one) => [one.action, one]));
  const params = { path: { table_id: table.id }, header: { "If-Match": `"${table.version}"` } };
  if (legal.has("cut")) {
    const body = { position: 21, entropy: "" };
    return good(await client.POST("/v1/tables/{table_id}/cut", { params, body }));
  }
  if (legal.has("call")) {
    return good(await client.POST("/v1/tables/{table_id}/call", { params, body: {} }));
  }
  if (legal.has("draw")) {
    const body = { from: "stock" as const };
    return good(await client.POST("/v1/tables/{table_id}/draw", { params, body }));
  }
  const card = legal.get("discard")?.cards?.[0];
  if (card !== undefined) {
    return good(await client.POST("/v1/tables/{table_id}/discard", { params, body: { card } }));
  }
  return undefined;
}

/** The table once it has changed, or as it was. */
async function wait(table: Table): Promise<Table> {
  const header = { "If-None-Match": `"${table.version}"` };
  const params = { path: { table_id: table.id }, query: { wait: 25 }, header };
  const answer = await client.GET("/v1/tables/{table_id}", { params });
  return answer.response.status === 304 ? table : good(answer);
}

/** What an event of a known type says in short; its type says which data it has. */
function inShort(event: Told): string {
  switch (event.type) {
    case "cut":
      return `cut at ${event.data.position}`;
    case "settled":
      return `settled, to ${event.data.winners.join(" and ")}`;
    default:
      return event.type;
  }
}

let table = await makeTable();
let moves = 0;
while (table.status !== "closed") {
  const moved = table.you ? await move(table, table.you) : undefined;
  moves += moved ? 1 : 0;
  table = moved ?? (await wait(table));
}
const one = { table_id: table.id, number: 1 };
const record = good(
  await client.GET("/v1/tables/{table_id}/deals/{number}", { params: { path: one } }),
);
const page = good(
  await client.GET("/v1/tables/{table_id}/events", { params: { path: { table_id: table.id } } }),
);
const events = typeof page === "object" ? page.items : []; // A text is a stream, by `Accept` alone.
console.log(
  JSON.stringify({
    moves,
    reason: record.reason,
    winners: record.result.winners,
    events: events.map((event) => event.type),
    short: events.map((event) => inShort(event as Told)),
    further: Object.keys(record).filter((name) => name.toLowerCase().includes("new")).sort(),
  }),
);
