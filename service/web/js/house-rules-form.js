/** House rules to choose. */

import { html } from "../vendor/preact.js";
import { Choice, Group, Num, wordsOf } from "./fields.js";
import { isNumber } from "./house-rules.js";
import { useStore } from "./store.js";
import { t } from "./text.js";

/** The house rules in a form; `chosen` are those that are not as usual. */
export function HouseRules({ seats, chosen, error, onChange }) {
  const { rules } = useStore();
  return html`
    <${Group} title=${t("House rules")}>
      ${error && html`<p class="error">${wordsOf(error)}</p>`}
      ${(rules?.house_rules ?? []).map(
        (rule) => html`
          <${Rule} key=${rule.name} rule=${rule} seats=${seats} value=${chosen[rule.name] ?? rule.default} onChange=${(value) => onChange({ ...chosen, [rule.name]: value })} />
        `,
      )}
    </${Group}>
  `;
}

function Rule({ rule, seats, value, onChange }) {
  const { title: label, meaning: hint } = rule;
  if (isNumber(rule)) {
    const [low, high] = rule.values;
    return html`<${Num} label=${label} hint=${hint} value=${value} low=${low} high=${high} onChange=${onChange} />`;
  }
  const options = rule.explained
    .filter((one) => typeof one.value !== "number" || one.value <= seats)
    .map((one) => [one.value, one.meaning]);
  return html`<${Choice} label=${label} hint=${hint} value=${value} options=${options} onChange=${onChange} />`;
}
