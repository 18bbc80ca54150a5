/** House rules: to choose, and to read. Their words come with `GET /v1/rules`. */

import { html } from "../vendor/preact.js";
import { Choice, Group, Num, wordsOf } from "./fields.js";
import { useStore } from "./store.js";
import { n, t } from "./text.js";

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

/** Whether any number within bounds is a value. */
function isNumber(rule) {
  return typeof rule.default === "number";
}

/** The house rules of a table, those first that are not as usual. */
export function RulesOfTable({ rules: chosen }) {
  const { rules } = useStore();
  const unusual = (rule) => chosen[rule.name] !== rule.default;
  const all = [...(rules?.house_rules ?? [])].sort((one, other) => Number(unusual(other)) - Number(unusual(one)));
  return html`
    <dl class="house-rules">
      ${all.map(
        (rule) => html`
          <div key=${rule.name} class=${unusual(rule) ? "unusual" : ""}>
            <dt>${rule.title}</dt>
            <dd>${said(rule, chosen[rule.name])}</dd>
          </div>
        `,
      )}
    </dl>
  `;
}

function said(rule, value) {
  if (isNumber(rule)) return n(value);
  return rule.explained.find((one) => one.value === value)?.meaning ?? String(value);
}
