/** The languages: which one the player reads, and what the page and the service say in it. */

import { html } from "../vendor/preact.js";
import { recall, remember } from "./memory.js";
import { notify } from "./notices.js";
import { change, state, useStore } from "./store.js";
import { t } from "./text.js";

/** By their own names, so that whoever reads one of them finds it. */
export const LANGUAGES = {
  en: "English",
  fil: "Filipino",
  it: "Italiano",
  uk: "Українська",
  ne: "नेपाली",
  cy: "Cymraeg",
};

/** Filipino is standard Tagalog, and older phones ask for it by that name. */
const OTHER_NAMES = { tl: "fil" };

/** The language that the player has chosen, or else the first of ours that the browser asks for. */
export function preferred() {
  const wishes = [recall("language") ?? "", ...navigator.languages];
  const names = wishes.map((wish) => wish.toLowerCase().split("-")[0]);
  return names.map((name) => OTHER_NAMES[name] ?? name).find((name) => name in LANGUAGES) ?? "en";
}

/** Say everything in a language from now on, as soon as its texts are there. */
export async function speak(language) {
  change({ language, texts: await textsIn(language) });
  document.documentElement.lang = language;
}

/** Which texts are known: those of the pages to read come with the first of these pages. */
const known = ["play"];

/** Know what the pages to read say, too. */
export async function learnToRead() {
  if (known.includes("read")) return;
  known.push("read");
  await speak(state.language);
}

/** The page's texts in a language, by the English ones. */
async function textsIn(language) {
  if (language === "en") return null;
  return Object.assign({}, ...(await Promise.all(known.map((part) => textsOf(part, language)))));
}

async function textsOf(part, language) {
  const answer = await fetch(new URL(`../texts/${part}/${language}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`no texts: ${answer.status}`);
  return answer.json();
}

export function LanguageSwitch() {
  const { language } = useStore();
  const choose = ({ target }) => {
    remember("language", target.value);
    speak(target.value).catch(() => notify(t("This language can't be loaded now."), "trouble"));
  };
  return html`
    <select class="language" aria-label=${t("Language")} value=${language} onChange=${choose}>
      ${Object.entries(LANGUAGES).map(
        ([code, name]) => html`<option key=${code} value=${code} lang=${code}>${name}</option>`,
      )}
    </select>
  `;
}
