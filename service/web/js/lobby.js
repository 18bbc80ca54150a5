/** The lobby: a quick game, own tables and invitations, and the tables that have a seat. */

import { html, useState } from "../vendor/preact.js";
import { ensureAccount, guestName } from "./account.js";
import { del, post } from "./api.js";
import { Face, HandRow } from "./cards.js";
import { useLists } from "./lists.js";
import { notify, tell } from "./notices.js";
import { useStore } from "./store.js";
import { n, t } from "./text.js";

/** How long a quick match waits for people before bots take the seats, in seconds. */
const BOTS_AFTER = 15;

/** A link to a table, or its last part, with the code of a private one. */
const INVITATION = /(?:^|\/tables?\/)([\w-]+(?:\/join\/[\w-]+)?)\/?$/;

/** @param {{ note?: string }} props what to say above it all. */
export function Lobby({ note }) {
  const { account } = useStore();
  const [name, setName] = useState(guestName);
  const lists = useLists(account?.id);
  return html`
    <main id="main" tabindex="-1" class="lobby" data-page="lobby" data-testid="lobby">
      ${note && html`<p class="error" role="alert">${note}</p>`}
      <${Welcome} name=${name} setName=${setName} />
      <${Invitations} items=${lists.invitations} />
      <${Tables} title=${t("Your tables")} items=${lists.mine} mine=${true} />
      <${Tables} title=${t("Open tables")} items=${lists.open} />
      ${lists.open?.length === 0 && html`<p class="empty">${t("No table has a free seat just now. Open one, and others will find it here.")}</p>`}
      <${Combinations} />
    </main>
  `;
}

/** Go to a table. */
function goToTable(id) {
  location.hash = `#/table/${id}`;
}

function Welcome({ name, setName }) {
  const { account } = useStore();
  const [busy, setBusy] = useState(false);
  const start = async (path, body) => {
    setBusy(true);
    try {
      await ensureAccount(name);
      goToTable((await post(path, body)).id);
    } catch (problem) {
      tell(problem);
      setBusy(false);
    }
  };
  return html`
    <section class="welcome">
      <${Fan} />
      <h1>${t("Draw, discard, and be the first to lay it down.")}</h1>
      <p>${t("Paiute is a card game from Hawaiʻi for two to five players: one rank is wild in each deal, and six combinations win.")}</p>
      ${!account &&
      html`<label class="field name-field">
        <span>${t("Your name")}</span>
        <input value=${name} maxlength="40" autocomplete="nickname" onInput=${(event) => setName(event.target.value)} />
      </label>`}
      <div class="choices">
        <button class="primary big" disabled=${busy} onClick=${() => start("/v1/tables", againstBots())}>
          <b>${t("Play against bots")}</b><small>${t("Starts at once, at a table of four")}</small>
        </button>
        <button class="big" disabled=${busy} onClick=${() => start("/v1/quick-match", quickMatch())}>
          <b>${t("Quick match")}</b><small>${t("With people; bots fill the seats after {count} seconds", { count: BOTS_AFTER })}</small>
        </button>
        <a class="button big" href="#/new">
          <b>${t("Open a table")}</b><small>${t("Your rules, your friends")}</small>
        </a>
      </div>
      <${JoinByCode} name=${name} />
    </section>
  `;
}

/** What one plays for, from high to low. */
function Combinations() {
  const { rules } = useStore();
  if (!rules) return null;
  return html`
    <section>
      <h2>${t("The six combinations, from high to low")}</h2>
      <ol class="combinations">
        ${rules.combinations.map(
          ({ name, title, meaning, example }) => html`
            <li key=${name}><b>${title}</b><small>${meaning}</small><${HandRow} cards=${example} wildRank="2" /></li>
          `,
        )}
      </ol>
      <p class="empty">${t("Here the twos are wild: they stand for any card. In each deal it is another rank.")}</p>
    </section>
  `;
}

/** What it is all about: a royal flush, the two being wild. */
function Fan() {
  return html`
    <div class="fan" aria-hidden="true">
      ${["Ah", "Kh", "2d", "Jh", "Th"].map((card) => html`<span class="card" key=${card}><${Face} card=${card} wild=${card === "2d"} /></span>`)}
    </div>
  `;
}

function againstBots() {
  const bots = [{ level: "easy" }, { level: "medium" }, { level: "hard" }];
  return { name: t("Against bots"), seats: 4, visibility: "private", turn_seconds: 0, pause_seconds: 5, rules: { cut: "auto" }, bots };
}

function quickMatch() {
  return { seats: 4, ante: 5, bots_after_seconds: BOTS_AFTER };
}

/** A private table: whoever was given its link, or the link's last part, finds it. */
function JoinByCode() {
  const [text, setText] = useState("");
  const open = (event) => {
    event.preventDefault();
    const place = INVITATION.exec(text.trim())?.[1];
    if (place) goToTable(place);
    else notify(t("This leads to no table: take the whole link, or its last part."), "trouble");
  };
  return html`
    <details class="by-code">
      <summary>${t("I was invited")}</summary>
      <form onSubmit=${open}>
        <label class="field">
          <span>${t("The link or code that you were given")}</span>
          <input value=${text} required autocomplete="off" spellcheck="false" onInput=${(event) => setText(event.target.value)} />
        </label>
        <button>${t("Go there")}</button>
      </form>
    </details>
  `;
}

function Invitations({ items }) {
  if (!items?.length) return null;
  return html`
    <section>
      <h2>${t("Invitations")}</h2>
      <ul class="tables">
        ${items.map(
          (one) => html`
            <li key=${one.number} class="table-line">
              <span class="title">${t("{name} invites you to a table.", { name: one.from.name })}</span>
              <a class="button primary" href="#/table/${one.table}${one.invite_code ? `/join/${one.invite_code}` : ""}">${t("Look")}</a>
              <button onClick=${() => del(`/v1/me/invitations/${one.number}`).catch(tell)}>${t("Decline")}</button>
            </li>
          `,
        )}
      </ul>
    </section>
  `;
}

function Tables({ title, items, mine }) {
  if (!items?.length) return null;
  return html`
    <section>
      <h2>${title}</h2>
      <ul class="tables">
        ${items.map((table) => html`<${TableLine} key=${table.id} table=${table} mine=${mine} />`)}
      </ul>
    </section>
  `;
}

function TableLine({ table, mine }) {
  const names = table.players.map((player) => player.name).join(", ");
  const verb = table.my_turn ? t("Your turn") : mine ? t("Play on") : t("Look");
  return html`
    <li class="table-line ${table.my_turn ? "my-turn" : ""}">
      <a class="title" href="#/table/${table.id}">${table.name}</a>
      <span class="people">${names || t("Nobody yet")}</span>
      <span class="facts">
        <span class="seats-taken">${t("Seats: {taken} of {all}", { taken: table.seats - table.open_seats, all: table.seats })}</span>
        <span>${table.ante ? t("Ante {ante}", { ante: n(table.ante) }) : t("No stakes")}</span>
        <span>${table.turn_seconds ? t("{count} s a turn", { count: n(table.turn_seconds) }) : t("No clock")}</span>
        ${table.rated && html`<span>${t("Rated")}</span>`}
      </span>
      <a class="button ${table.my_turn || !mine ? "primary" : ""}" href="#/table/${table.id}" aria-label=${`${verb}: ${table.name}`}>
        ${verb}
      </a>
    </li>
  `;
}
