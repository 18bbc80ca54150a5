/** The page's beginning: which address shows what, and what is needed before anything. */

import { html, render, useEffect } from "../vendor/preact.js";
import { restore, watchOtherTabs } from "./account.js";
import { away } from "./api.js";
import { Create } from "./create.js";
import { preferred, speak } from "./languages.js";
import { Main, useLoaded, Waiting } from "./loading.js";
import { Lobby } from "./lobby.js";
import { tell } from "./notices.js";
import { Shell, startShell } from "./shell.js";
import { change, useStore } from "./store.js";
import { TablePage } from "./table.js";
import { t } from "./text.js";

/** A view of a module that is loaded when somebody wants it, so that the first page is there sooner. */
function later(load, name) {
  return (props) => {
    const { value: module, problem } = useLoaded(() => load().catch(tellAway), []);
    if (module) return html`<${module[name]} ...${props} />`;
    return html`<${Main} page="loading"><${Waiting} problem=${problem} /></${Main}>`;
  };
}

function tellAway() {
  throw away();
}

/**
 * What the part of the address after `#` shows; what is in brackets goes to the view as `params`.
 *
 * @type {[RegExp, Function][]}
 */
const ROUTES = [
  [/^#\/new$/, Create],
  [/^#\/tables?\/([^/]+)(?:\/join\/([^/]+))?$/, TablePage],
  [/^#\/table\/([^/]+)\/deals$/, later(() => import("./past.js"), "TableDeals")],
  [/^#\/table\/([^/]+)\/deals\/(\d+)$/, later(() => import("./replay.js"), "Replay")],
  [/^#\/table\/([^/]+)\/deals\/(\d+)\/proof$/, later(() => import("./proof.js"), "Proof")],
  [/^#\/past$/, later(() => import("./past.js"), "MyDeals")],
  [/^#\/rules$/, later(() => import("./rules.js"), "Rules")],
  [/^#\/account$/, later(() => import("./account-page.js"), "AccountPage")],
  [/^#\/carry\/([^/]+)$/, later(() => import("./devices.js"), "Carry")],
  [/^#\/(?:carry)?$/, Lobby],
  [/^/, () => html`<${Lobby} note=${t("There is no such page.")} />`],
];

function Page() {
  const { route, ready } = useStore();
  useEffect(() => scrollTo(0, 0), [route]);
  if (!ready) return html`<${Shell}><${Main} page="loading"><${Waiting} /></${Main}></${Shell}>`;
  const [pattern, View] = ROUTES.find(([pattern]) => pattern.test(route));
  const params = pattern.exec(route).slice(1);
  return html`<${Shell}><${View} key=${route} params=${params} /></${Shell}>`;
}

function go() {
  const route = location.hash || "#/";
  // A token stays neither in the address nor in the browser's history.
  if (route.startsWith("#/carry/")) history.replaceState(null, "", "#/carry");
  change({ route });
}

addEventListener("hashchange", go);
go();
startShell();
watchOtherTabs();
const known = restore().catch(tell);
await speak(preferred()).catch(() => speak("en")); // What can't be loaded is said in English.
render(html`<${Page} />`, document.getElementById("page"));
await known; // A table is asked for as its player sees it.
change({ ready: true });
