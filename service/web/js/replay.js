/** A deal that is over, step by step: the service says how it looked at each version of its table. */

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { get, post } from "./api.js";
import { Main, useLoaded, Waiting } from "./loading.js";
import { announce, tell } from "./notices.js";
import { useKeys } from "./keys.js";
import { eventText } from "./log.js";
import { howItEnded } from "./past.js";
import { PastTable } from "./past-table.js";
import { state } from "./store.js";
import { moment, n, t } from "./text.js";

/** How long a step stays while they are played by themselves, in milliseconds. */
const STEP = 1400;

const PAUSE = "M5 3h5v18H5zM14 3h5v18h-5z";

/** `#/table/ID/deals/NUMBER` */
export function Replay({ params: [id, number] }) {
  const { value, problem, again } = useLoaded(() => load(id, number), [id, number]);
  if (!value) return html`<${Main} page="replay"><${Waiting} problem=${problem} again=${again} /></${Main}>`;
  const { record } = value;
  return html`
    <${Main} page="replay">
      <h1>${t("Deal {number}", { number: n(record.number) })}</h1>
      <p>
        ${howItEnded(record.reason)} · <time datetime=${record.ended_at}>${moment(record.ended_at)}</time> ·${" "}
        <a href="#/table/${id}/deals">${t("All deals of this table")}</a> ·${" "}
        <a href="#/table/${id}/deals/${number}/proof">${t("Check the cards")}</a>
      </p>
      <${Steps} ...${value} id=${id} key=${record.opened} />
      <${Opening} record=${record} id=${id} again=${again} />
    </${Main}>
  `;
}

async function load(id, number) {
  const record = await get(`/v1/tables/${id}/deals/${number}`);
  return { record, events: await eventsOf(id, record) };
}

/** All events of a deal. */
async function eventsOf(id, { from_version: from, to_version: to }) {
  const events = [];
  while (from + events.length <= to) {
    const query = { after: from + events.length - 1, limit: Math.min(100, to - from - events.length + 1) };
    const { items } = await get(`/v1/tables/${id}/events`, { query });
    if (!items.length) break; // The log of a long match is not kept so far back.
    events.push(...items);
  }
  return events;
}

function Steps({ id, record, events }) {
  const { from_version: first, to_version: last } = record;
  const [version, setVersion] = useState(first);
  const [playing, setPlaying] = useState(false);
  const [seat, setSeat] = useState(() => ownSeat(record));
  const list = useRef(null);
  const view = useLook(id, record, seat, version);
  const names = Object.fromEntries(record.seats.map((one) => [one.seat, one.player.name]));
  const said = (event) => eventText({ ...event, names });

  const go = (to) => {
    const wanted = Math.max(first, Math.min(last, to));
    setVersion(wanted);
    const event = events.find((one) => one.id === wanted);
    if (event && !playing) announce(said(event));
  };
  usePlaying(playing, version, () => (version < last ? go(version + 1) : setPlaying(false)));
  const play = () => {
    if (version === last) go(first);
    setPlaying(!playing);
  };
  useKeys({
    arrowleft: () => go(version - 1),
    arrowright: () => go(version + 1),
    home: () => go(first),
    end: () => go(last),
    p: play,
  });

  useEffect(() => {
    const step = list.current.querySelector("[aria-current]");
    if (step) list.current.scrollTop = step.offsetTop - list.current.offsetTop - list.current.clientHeight / 2;
  }, [version]);

  return html`
    <${PastTable} view=${view} record=${record} />
    <div class="steps" role="group" aria-label=${t("Steps")}>
      <${Step} text=${t("To the beginning")} icon="M3 3h3v18H3zM21 3v18L8 12z" act=${() => go(first)} off=${version === first} />
      <${Step} text=${t("One step back")} icon="M18 3v18L5 12z" act=${() => go(version - 1)} off=${version === first} />
      <${Step} text=${playing ? t("Stop") : t("Play all steps")} icon=${playing ? PAUSE : "M6 2v20l15-10z"} act=${play} main=${true} />
      <${Step} text=${t("One step on")} icon="M6 3v18l13-9z" act=${() => go(version + 1)} off=${version === last} />
      <${Step} text=${t("To the end")} icon="M18 3h3v18h-3zM3 3v18l13-9z" act=${() => go(last)} off=${version === last} />
      <input
        type="range"
        min=${first}
        max=${last}
        value=${version}
        aria-label=${t("Step")}
        onInput=${({ target }) => go(Number(target.value))}
      />
      <${Eyes} record=${record} seat=${seat} choose=${setSeat} />
    </div>
    <ol class="replay-log" ref=${list} aria-label=${t("What happened")}>
      ${events.filter(said).map(
        (event) => html`
          <li key=${event.id}>
            <button
              class="quiet"
              aria-current=${event.id === version ? "step" : undefined}
              onClick=${() => go(event.id)}
            >
              ${said(event)}
            </button>
          </li>
        `,
      )}
    </ol>
  `;
}

function Step({ text, icon, act, off = false, main = false }) {
  return html`
    <button class=${main ? "primary" : ""} aria-label=${text} title=${text} disabled=${off} onClick=${act}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${icon} /></svg>
    </button>
  `;
}

/** Through whose eyes: those whose hands the record lets this player see, and everybody's. */
function Eyes({ record, seat, choose }) {
  const seen = record.seats.filter((one) => record.hands.some((hand) => hand.seat === one.seat));
  return html`
    <label>
      ${t("As seen by")}${" "}
      <select value=${seat ?? ""} onChange=${({ target }) => choose(target.value ? Number(target.value) : null)}>
        <option value="">${t("everybody")}</option>
        ${seen.map((one) => html`<option key=${one.seat} value=${one.seat}>${one.player.name}</option>`)}
      </select>
    </label>
  `;
}

/** The player's own seat in a deal; null for somebody who only looks. */
function ownSeat({ seats }) {
  return seats.find(({ player }) => player.id === state.account?.id)?.seat ?? null;
}

/** How the deal looked at a version; the one before stays until it is there. */
function useLook(id, record, seat, version) {
  const looks = useRef(new Map());
  const [view, setView] = useState(null);
  useEffect(() => {
    let wanted = true;
    const name = `${seat}/${version}`;
    if (!looks.current.has(name)) {
      const query = { seat, version };
      looks.current.set(name, get(`/v1/tables/${id}/deals/${record.number}/view`, { query }));
    }
    looks.current.get(name).then((found) => wanted && setView(found), (problem) => {
      looks.current.delete(name); // The next look asks again.
      tell(problem);
    });
    return () => (wanted = false);
  }, [seat, version]);
  return view;
}

function usePlaying(playing, version, step) {
  useEffect(() => {
    if (!playing) return undefined;
    const timer = setTimeout(step, STEP);
    return () => clearTimeout(timer);
  }, [playing, version]);
}

/** Hands that were never shown stay hidden, unless all who were dealt in agree to open them. */
function Opening({ record, id, again }) {
  if (record.opened) return html`<p>${t("Everybody has agreed: all hands of this deal are open.")}</p>`;
  const seat = ownSeat(record);
  const agreed = record.seats.filter((one) => record.agreed.includes(one.seat));
  const agree = () => post(`/v1/tables/${id}/deals/${record.number}/open`).then(again, tell);
  return html`
    <section class="opening">
      <h2>${t("Hands that were not shown")}</h2>
      <p>${t("They open to all once everybody who was dealt in agrees.")}</p>
      <p>${t("These agree so far: {names}", { names: agreed.map((one) => one.player.name).join(", ") || "–" })}</p>
      ${seat && !record.agreed.includes(seat) && html`<button onClick=${agree}>${t("I agree")}</button>`}
    </section>
  `;
}
