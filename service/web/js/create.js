/** Opening a table: all settings of `POST /v1/tables`, with what most people want filled in. */

import { html, useState } from "../vendor/preact.js";
import { ensureAccount, guestName } from "./account.js";
import { post } from "./api.js";
import { botTitle, LEVELS } from "./bots.js";
import { Choice, Group, Num, Switch, Words } from "./fields.js";
import { HouseRules } from "./house-rules-form.js";
import { tell } from "./notices.js";
import { useStore } from "./store.js";
import { t } from "./text.js";

/** What the form begins with; `others` are the seats beside the own: `open`, or a bot's level. */
const START = {
  name: "",
  seats: 4,
  others: ["open", "medium", "medium", "medium"],
  visibility: "private",
  start_when: "full",
  rated: false,
  ante: 5,
  buy_in: null,
  deals: null,
  turn_seconds: 60,
  pause_seconds: 10,
  thinking_ms: 800,
  rules: {},
};

export function Create() {
  const { account } = useStore();
  const [form, setForm] = useState({ ...START, who: guestName() });
  const [errors, setErrors] = useState({});
  const [busy, setBusy] = useState(false);
  const field = (name) => ({ value: form[name], error: errors[name], onChange: (value) => setForm({ ...form, [name]: value }) });
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await ensureAccount(form.who);
      const { id } = await post("/v1/tables", wish(form));
      location.hash = `#/table/${id}`;
    } catch (problem) {
      tell(problem);
      setErrors(problem.body?.errors ?? {});
      setBusy(false);
    }
  };
  return html`
    <main id="main" tabindex="-1" class="create" data-page="create" data-testid="create">
      <h1>${t("Open a table")}</h1>
      <form onSubmit=${submit}>
        ${!account && html`<${Words} label=${t("Your name")} ...${field("who")} most=${40} />`}
        <${Words} label=${t("Name of the table")} placeholder="Paiute" ...${field("name")} most=${60} />
        <${Players} form=${form} setForm=${setForm} field=${field} />
        <${Stakes} field=${field} />
        <${Pace} field=${field} />
        <${HouseRules} seats=${form.seats} chosen=${form.rules} error=${errors.rules} onChange=${field("rules").onChange} />
        <button class="primary big" disabled=${busy}><b>${t("Open the table")}</b></button>
      </form>
    </main>
  `;
}

function Players({ form, setForm, field }) {
  const others = form.others.slice(0, form.seats - 1);
  const setOther = (index, value) => setForm({ ...form, others: form.others.with(index, value) });
  const kinds = [["open", t("Open for a player")], ...LEVELS.map((level) => [level, botTitle(level)])];
  return html`
    <${Group} title=${t("Who plays")} open=${true}>
      <${Choice} label=${t("Seats")} ...${field("seats")} options=${[2, 3, 4, 5].map((count) => [count, String(count)])} />
      ${others.map(
        (value, index) => html`
          <${Choice} key=${index} label=${t("Player {number}", { number: index + 2 })} value=${value} options=${kinds} onChange=${(other) => setOther(index, other)} />
        `,
      )}
      <${Choice} label=${t("Who may come")} ...${field("visibility")} options=${[
        ["private", t("Whoever has the link")],
        ["public", t("Everybody: the table is in the lobby")],
      ]} />
      <${Choice} label=${t("The first deal begins")} ...${field("start_when")} options=${[
        ["full", t("when all seats are taken")],
        ["host", t("when I say so")],
      ]} />
      <${Switch} label=${t("Deals among people count in the ratings")} ...${field("rated")} />
    </${Group}>
  `;
}

function Stakes({ field }) {
  return html`
    <${Group} title=${t("Chips")}>
      <${Num} label=${t("Ante")} hint=${t("What each pays before a deal; 0 is a game without stakes.")} ...${field("ante")} low=${0} high=${10_000_000} />
      <${Num} label=${t("Buy-in")} hint=${t("What each sits down with; empty is 20 antes.")} ...${field("buy_in")} low=${0} high=${1_000_000_000} optional=${true} />
      <${Num} label=${t("Number of deals")} hint=${t("Then the table closes; empty is no end.")} ...${field("deals")} low=${1} high=${100_000} optional=${true} />
    </${Group}>
  `;
}

function Pace({ field }) {
  return html`
    <${Group} title=${t("Time")}>
      <${Num} label=${t("Seconds for a turn")} hint=${t("0 is no clock.")} ...${field("turn_seconds")} low=${0} high=${3600} />
      <${Num} label=${t("Seconds between deals")} ...${field("pause_seconds")} low=${0} high=${600} />
      <${Num} label=${t("Milliseconds that a bot thinks")} ...${field("thinking_ms")} low=${0} high=${60_000} />
    </${Group}>
  `;
}

/** The form as the service wants it. */
function wish({ who, name, others, ...settings }) {
  const levels = others.slice(0, settings.seats - 1).filter((level) => level !== "open");
  const title = name.trim() ? { name: name.trim() } : {};
  return { ...settings, ...title, bots: levels.map((level) => ({ level })) };
}
