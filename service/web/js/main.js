/** The page's beginning: which address shows what, and what is needed before anything. */

import { html, render, useEffect } from "../vendor/preact.js";
import { restore, watchOtherTabs } from "./account.js";
import { preferred, speak } from "./languages.js";
import { later } from "./later.js";
import { Main, Waiting } from "./loading.js";
import { tell } from "./notices.js";
import { Shell, startShell } from "./shell.js";
import { change, state, useStore } from "./store.js";
import { t } from "./text.js";

const Lobby = later("lobby", "Lobby", "lobby");

/**
 * What the part of the address after `#` shows; what is in brackets goes to the view as `params`.
 *
 * @type {[RegExp, Function & { ready?: () => Promise<void> }][]}
 */
const ROUTES = [
  [/^#\/new$/, later("create", "Create", "lobby")],
  [/^#\/tables?\/([^/]+)(?:\/join\/([^/]+))?$/, later("table", "TablePage", "table", "dock")],
  [/^#\/table\/([^/]+)\/deals$/, later("past", "TableDeals", "reading")],
  [/^#\/table\/([^/]+)\/deals\/(\d+)$/, later("replay", "Replay", "reading")],
  [/^#\/table\/([^/]+)\/deals\/(\d+)\/proof$/, later("proof", "Proof", "reading")],
  [/^#\/past$/, later("past", "MyDeals", "reading")],
  [/^#\/rules$/, later("rules", "Rules", "lobby", "reading")],
  [/^#\/account$/, later("account-page", "AccountPage", "reading")],
  [/^#\/carry\/([^/]+)$/, later("devices", "Carry", "reading")],
  [/^#\/(?:carry)?$/, Lobby],
  [/^/, () => html`<${Lobby} note=${t("There is no such page.")} />`],
];

function Page() {
  const { route, ready } = useStore();
  useEffect(() => scrollTo(0, 0), [route]);
  if (!ready) return html`<${Shell}><${Main} page="loading"><${Waiting} /></${Main}></${Shell}>`;
  const [pattern, View] = viewOf(route);
  const params = pattern.exec(route).slice(1);
  return html`<${Shell}><${View} key=${route} params=${params} /></${Shell}>`;
}

function viewOf(route) {
  return ROUTES.find(([pattern]) => pattern.test(route));
}

function go() {
  const route = location.hash || "#/";
  // A token stays neither in the address nor in the browser's history.
  if (route.startsWith("#/carry/")) history.replaceState(null, "", "#/carry");
  change({ route });
}

addEventListener("hashchange", go);
go();
viewOf(state.route)[1].ready?.().catch(() => {}); // Where it is to be shown, it is loaded again, and told.
startShell();
watchOtherTabs();
const known = restore().catch(tell);
await speak(preferred()).catch(() => speak("en")); // What can't be loaded is said in English.
render(html`<${Page} />`, document.getElementById("page"));
await known; // A table is asked for as its player sees it.
change({ ready: true });
