/** The rules to read, as the service has them in the player's language. */

import { html } from "../vendor/preact.js";
import { HandRow } from "./cards.js";
import { Main, Waiting } from "./loading.js";
import { useStore } from "./store.js";
import { t } from "./text.js";

export function Rules() {
  const { rules } = useStore();
  if (!rules) return html`<${Main} page="rules"><${Waiting} /></${Main}>`;
  return html`
    <${Main} page="rules">
      <h1>${t("The rules of Paiute")}</h1>
      ${rules.sections.map(
        ({ title, paragraphs }) => html`
          <section key=${title}>
            <h2>${title}</h2>
            ${paragraphs.map((text) => html`<p>${inWords(text, rules.house_rules)}</p>`)}
          </section>
        `,
      )}
      <section>
        <h2>${t("The six combinations, from high to low")}</h2>
        <p>${t("Here the twos are wild: they stand for any card. In each deal it is another rank.")}</p>
        <ol class="combinations">
          ${rules.combinations.map((one) => html`<${Combination} key=${one.name} ...${one} />`)}
        </ol>
      </section>
      <section>
        <h2>${t("House rules")}</h2>
        <dl class="house-rules">
          ${rules.house_rules.map((one) => html`<${HouseRule} key=${one.name} ...${one} />`)}
        </dl>
      </section>
    </${Main}>
  `;
}

/** A text in which house rules stand in backquotes by the names that programs know, with their names for people. */
function inWords(text, houseRules) {
  return text.split("`").map((part, index) => (index % 2 ? html`<em>${titleOf(part, houseRules)}</em>` : part));
}

/** What `ace_low` is called, or `cut: auto` with the meaning of the value. */
function titleOf(part, houseRules) {
  const [name, value] = part.split(": ");
  const rule = houseRules.find((one) => one.name === name);
  const chosen = rule?.explained.find((one) => one.value === value);
  const title = rule?.title ?? part;
  return chosen ? `${title}: ${chosen.meaning.replace(/[.।]$/, "")}` : title;
}

function Combination({ title, meaning, compare, example }) {
  return html`
    <li>
      <h3>${title}</h3>
      <${HandRow} cards=${example} wildRank="2" />
      <p>${meaning} ${compare}</p>
    </li>
  `;
}

function HouseRule({ title, meaning, explained, default: usual }) {
  return html`
    <dt>${title}</dt>
    <dd>
      <p>${meaning}</p>
      <ul>
        ${explained.map(
          ({ value, meaning: text }) =>
            html`<li key=${value}>${text} ${value === usual && html`<em>${t("This is usual.")}</em>`}</li>`,
        )}
      </ul>
    </dd>
  `;
}
