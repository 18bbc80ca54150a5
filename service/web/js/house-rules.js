/** House rules to read. Their words come with `GET /v1/rules`. */

import { html } from "../vendor/preact.js";
import { useStore } from "./store.js";
import { n } from "./text.js";

/** Whether any number within bounds is a value. */
export function isNumber(rule) {
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
