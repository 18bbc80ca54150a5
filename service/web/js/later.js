/** What is loaded when somebody wants it: the page begins with little. */

import { html } from "../vendor/preact.js";
import { away, get } from "./api.js";
import { learnToRead } from "./languages.js";
import { Main, useLoaded, Waiting } from "./loading.js";
import { tell } from "./notices.js";

/**
 * A view of a module that is loaded with its first use; its `ready` begins that earlier.
 *
 * @param {string} file the module's name.
 * @param {string} name of the view in it.
 * @param {string[]} sheets the style sheets that only this view and its like need; with `reading` go its texts.
 */
export function later(file, name, ...sheets) {
  let View = null;
  const read = sheets.includes("reading");
  const ready = async () => {
    preload(file);
    const [module] = await Promise.all([import(`./${file}.js`), ...sheets.map(style), read && learnToRead()]).catch(tellAway);
    View = module[name];
  };
  const Later = (props) => {
    const { problem } = useLoaded(ready, []);
    if (View) return html`<${View} ...${props} />`;
    return html`<${Main} page="loading"><${Waiting} problem=${problem} again=${beginAnew} /></${Main}>`;
  };
  return Object.assign(Later, { ready });
}

/** @returns {never} */
function tellAway() {
  throw away();
}

/** Load the whole page again, once the service is there: some browsers keep in mind that a module was not. */
function beginAnew() {
  get("/v1/rules", { patient: true }).then(() => location.reload(), tell);
}

/** Ask for all that a module needs at once: the service has noted it in the page. */
function preload(file) {
  const noted = document.querySelector(`meta[name="with-${file}"]`);
  if (!noted) return;
  noted.remove();
  for (const name of noted.getAttribute("content").split(" ")) link("modulepreload", `${name}.js`).catch(() => {});
}

const styles = new Map();

/** A style sheet, once it is there. */
function style(name) {
  if (!styles.has(name)) styles.set(name, link("stylesheet", `../css/${name}.css`));
  return styles.get(name);
}

function link(rel, path) {
  const { href } = new URL(path, import.meta.url);
  return new Promise((onload, onerror) => {
    document.head.append(Object.assign(document.createElement("link"), { rel, href, onload, onerror }));
  });
}
