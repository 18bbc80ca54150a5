/**
 * The open table: its view and its log, kept up to date, and the player's moves.
 *
 * The stream says that something has happened; the view that the service gives says how the table
 * stands. So the page knows no rule of the game by itself.
 */

import { ensureAccount, refreshAccount } from "./account.js";
import { get, post } from "./api.js";
import { noteCommitment } from "./commitments.js";
import { follow } from "./live.js";
import { notify, tell } from "./notices.js";
import { change, state } from "./store.js";
import { t } from "./text.js";

/** How many events before its opening the log of a table shows. */
const EARLIER = 80;
const MOST_EVENTS = 300;

/** The table that is open: its `id`, and as `sending` the version that a move on its way was made for. */
let open = null;

/**
 * Follow a table until it is left for another page.
 *
 * @param {string} id
 * @returns {() => void} leaves it.
 */
export function openTable(id) {
  const mine = { id, sending: null, stop: () => {} };
  open = mine;
  change({ table: null, log: [], busy: false, connection: "connecting" });
  start(mine).catch((problem) => open === mine && change({ lost: problem }));
  return () => {
    mine.stop();
    if (open === mine) {
      open = null;
      change({ table: null, log: [], lost: null, said: "", connection: "live" });
    }
  };
}

async function start(mine) {
  const view = await get(`/v1/tables/${mine.id}`, { patient: true });
  if (open !== mine) return;
  accept(view);
  const query = { after: Math.max(0, view.version - EARLIER), limit: 100 };
  const { items } = await get(`/v1/tables/${mine.id}/events`, { query, patient: true });
  if (open !== mine) return;
  write(items);
  const last = items.at(-1)?.id ?? view.version;
  if (last > state.table.version) refresh(mine);
  const path = `/v1/tables/${mine.id}/events`;
  mine.stop = follow(path, last, (events) => hear(mine, events), (connection) => connected(mine, connection));
}

/** Show how the connection is; where nothing more comes, the table is closed or gone, which its view tells. */
function connected(mine, connection) {
  if (connection === "over") refresh(mine);
  change({ connection: connection === "over" ? "live" : connection });
}

/** Take what the stream brought: several events may come at once. */
function hear(mine, events) {
  if (open !== mine) return;
  const whole = events.findLast((event) => event.type === "resync" || event.type === "snapshot");
  if (whole) {
    change({ log: [] });
    accept(whole.data);
  }
  write(events.filter((event) => event.type !== "resync" && event.type !== "snapshot"));
  if (events.at(-1).id > state.table.version) refresh(mine);
  if (events.some((event) => event.type === "settled" || event.type === "table_closed")) {
    refreshAccount().catch(tell);
  }
}

/** Write events into the log, each with the names of the seats at its time: others may sit there later. */
function write(events) {
  let names = state.log.at(-1)?.names ?? namesOf(state.table);
  const written = events.map((event) => {
    const { seat, player } = event.data;
    if (player) names = { ...names, [seat]: player.name };
    return { ...event, names };
  });
  if (written.length > 0) change({ log: [...state.log, ...written].slice(-MOST_EVENTS) });
}

function namesOf(table) {
  return Object.fromEntries(table.seats.map(({ seat, player }) => [seat, player.name]));
}

/** Get the view again; while that goes on, further wishes are one. */
async function refresh(mine) {
  mine.again = Boolean(mine.asking);
  if (mine.asking) return;
  mine.asking = true;
  try {
    const view = await get(`/v1/tables/${mine.id}`, { patient: true });
    if (open === mine) accept(view);
  } catch (problem) {
    if (open !== mine) return;
    if (problem.code !== "not_found") tell(problem);
    else change({ lost: problem });
  } finally {
    mine.asking = false;
  }
  if (mine.again && open === mine) refresh(mine);
}

/** Show a view of the open table, unless a later one is shown already. */
function accept(view) {
  const shown = state.table;
  if (view.id !== open?.id || shown?.version > view.version) return;
  noteCommitment(view);
  const busy = state.busy && shown?.version === view.version;
  change({ table: view, received: performance.now(), lost: null, busy });
}

/**
 * Make a move at the open table, for the situation that is on the screen.
 *
 * While it is on its way no other goes out for the same situation, so an impatient second click does nothing.
 */
export async function move(action, body = {}) {
  const { table } = state;
  const mine = open;
  if (!table || mine.sending === table.version) return;
  mine.sending = table.version;
  change({ busy: true });
  try {
    accept(await post(`/v1/tables/${table.id}/${action}`, body, { version: table.version }));
  } catch (problem) {
    explain(problem);
  } finally {
    if (mine.sending === table.version) {
      mine.sending = null;
      if (open === mine) change({ busy: false });
    }
  }
}

function explain(problem) {
  if (problem.code !== "stale_version") return tell(problem);
  if (problem.body.view) accept(problem.body.view);
  notify(t("The table had moved on before that reached it. Nothing was done; here is how it stands now."));
}

/** Something about seats: it is as good at any later version. Gives whether it was done. */
export async function command(action, body = {}) {
  const table = state.table;
  change({ busy: true });
  try {
    accept(await post(`/v1/tables/${table.id}/${action}`, body));
    refreshAccount().catch(tell);
    return true;
  } catch (problem) {
    tell(problem);
    return false;
  } finally {
    change({ busy: false });
  }
}

/** Take a seat, with the code of an invitation if there is one; a guest gets an account on the way. */
export async function sit(table, code, seat) {
  change({ busy: true });
  try {
    await ensureAccount();
  } catch (problem) {
    change({ busy: false });
    return tell(problem);
  }
  const named = seat ? { seat } : {};
  const invited = code ? { invite_code: code } : {};
  return command("join", { ...named, ...invited, rules_hash: table.rules_hash });
}
