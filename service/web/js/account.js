/** The player's account: a guest's, whose token this browser keeps. */

import { get, post } from "./api.js";
import { recall, remember, whenChangedElsewhere } from "./memory.js";
import { notify } from "./notices.js";
import { change, state } from "./store.js";
import { t } from "./text.js";

/** Take up the account that the browser remembers, if the service still knows it. */
export async function restore() {
  const token = recall("token");
  if (!token) return;
  try {
    await adopt(token);
  } catch (problem) {
    if (problem.status !== 401) throw problem;
    forget();
  }
}

/** Use the account of a token from now on. */
export async function adopt(token) {
  const account = await get("/v1/me", { token, patient: true });
  keep({ ...account, token });
}

/** Play as an account from now on, on later visits too where the browser lets the page keep something. */
function keep(account) {
  if (!remember("token", account.token)) notify(t("Your browser keeps nothing here: the account ends with this visit."));
  change({ account });
}

let making = null;

/** The account, made under a name where there is none yet; whoever is impatient gets no second one. */
export async function ensureAccount(name) {
  if (state.account) return;
  making ??= make(name).finally(() => (making = null));
  await making;
}

async function make(name) {
  await restore();
  if (state.account) return;
  keep(await post("/v1/players", { name: name?.trim() || guestName() }));
}

/** Begin anew when another tab has made an account, taken one along, or signed out: all tabs play as one. */
export function watchOtherTabs() {
  whenChangedElsewhere("token", (token) => token !== (state.account?.token ?? null) && location.reload());
}

/** Look again how many chips there are. */
export async function refreshAccount() {
  if (!state.account) return;
  const { token } = state.account;
  const account = await get("/v1/me");
  if (state.account?.token === token) change({ account: { ...account, token } });
}

/** Leave the account; without its token nobody gets back to it. */
export function forget() {
  remember("token", null);
  change({ account: null, connection: "live" });
}

/** No house bot is called so. */
const NAMES = ["Keola", "Malia", "Iolana", "Kalena", "Hoku", "Mahina", "Alika", "Nohea", "Kamea", "Ikaika"];

/** A name for somebody who has not said one. */
export function guestName() {
  return NAMES[Math.floor(Math.random() * NAMES.length)];
}
