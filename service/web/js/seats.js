/** The seats around the table; the own one is below, in the dock. */

import { html } from "../vendor/preact.js";
import { botTitle, LEVELS } from "./bots.js";
import { CardBack, HandRow } from "./cards.js";
import { Clock } from "./clock.js";
import { command, sit } from "./session.js";
import { useStore } from "./store.js";
import { del } from "./api.js";
import { tell } from "./notices.js";
import { n, t } from "./text.js";

/** Where seats are on the felt, in percent, clockwise from the viewer's left, by how many there are. */
const PLACES = {
  1: [[50, 9]],
  2: [[19, 22], [81, 22]],
  3: [[11, 44], [50, 9], [89, 44]],
  4: [[10, 52], [28, 12], [72, 12], [90, 52]],
};
const NEAREST = [50, 88];

export function Seats({ table, code }) {
  const numbers = around(table);
  const watching = !table.you;
  const places = watching ? [NEAREST, ...PLACES[numbers.length - 1]] : PLACES[numbers.length];
  return html`
    <ol class="seats ${watching ? "all" : ""}" aria-label=${t("Seats")}>
      ${numbers.map((number, index) => {
        const seat = table.seats.find((one) => one.seat === number);
        const [x, y] = places[index];
        return html`
          <li key=${number} class="place" style=${{ "--x": x, "--y": y }} data-testid="seat-${number}">
            ${seat ? html`<${Seat} table=${table} seat=${seat} />` : html`<${FreeSeat} table=${table} number=${number} code=${code} />`}
          </li>
        `;
      })}
    </ol>
  `;
}

/** All seats but the own, in the order of play after it; all, for somebody who watches. */
function around(table) {
  const count = table.seats.length + table.open_seats;
  const own = table.you?.seat ?? 0;
  return Array.from({ length: count }, (_, index) => ((own + index) % count) + 1).filter((number) => number !== own);
}

function Seat({ table, seat }) {
  const { deal } = table;
  const turn = deal?.turn === seat.seat;
  const faded = ["cutting", "playing"].includes(table.status) && seat.state !== "in";
  return html`
    <div class="seat ${turn ? "turn" : ""} ${faded ? "faded" : ""} ${isWinner(table, seat.seat) ? "winner" : ""}">
      ${!deal?.result && html`<${Cards} seat=${seat} wildRank=${deal?.wild_rank} />`}
      <${Plate} table=${table} seat=${seat} />
    </div>
  `;
}

/** Who sits there, with how many chips, and what marks the seat. */
export function Plate({ table, seat, own = false }) {
  const { deal } = table;
  const turn = deal?.turn === seat.seat;
  return html`
    <div class="plate ${turn ? "turn" : ""}" aria-current=${turn ? "true" : undefined}>
      ${turn && html`<${Clock} table=${table} />`}
      <span class="name" title=${seat.player.name}>${seat.player.name}${own && html`<span class="unseen"> ${t("(you)")}</span>`}</span>
      <span class="chips">${n(seat.stack)}<span class="unseen"> ${t("chips")}</span></span>
      <span class="marks">
        ${deal?.dealer === seat.seat && html`<span class="mark dealer" title=${t("Dealer")}><span class="unseen">${t("Dealer")}</span><span aria-hidden="true">${t("D")}</span></span>`}
        ${marks(table, seat).map((text) => html`<span key=${text} class="mark">${text}</span>`)}
      </span>
      <${RemoveBot} table=${table} seat=${seat} />
    </div>
  `;
}

function marks(table, seat) {
  const { deal } = table;
  const level = seat.player.level && seat.player.kind === "house_bot" && botTitle(seat.player.level);
  return [
    deal?.caller === seat.seat && t("Called"),
    deal?.last_turns.includes(seat.seat) && t("Last turn"),
    seat.state === "folded" && t("Folded"),
    seat.left && t("Has left"),
    seat.stand_in && t("A bot plays on"),
    deal?.phase === "cut" && deal.cutter === seat.seat && t("Cuts"),
    table.status !== "playing" && !deal?.turn && level,
  ].filter(Boolean);
}

/** The cards of another: backs, those that all saw it take, or the whole hand once it is shown. */
function Cards({ seat, wildRank }) {
  if (seat.shown) return html`<div class="their-cards shown"><${HandRow} cards=${seat.shown} wildRank=${wildRank} /></div>`;
  const hidden = Math.max(0, seat.hand_size - seat.known.length);
  return html`
    <div class="their-cards">
      <span class="unseen">${t("Cards in hand: {count}", { count: seat.hand_size })}</span>
      ${Array.from({ length: hidden }, (_, index) => html`<${CardBack} key=${index} small=${true} />`)}
      ${seat.known.length > 0 && html`<${HandRow} cards=${seat.known} wildRank=${wildRank} />`}
    </div>
  `;
}

function FreeSeat({ table, number, code }) {
  const { account, busy } = useStore();
  const isHost = account && table.host === account.id;
  if (table.status === "closed") return null;
  return html`
    <div class="seat free">
      <span class="unseen">${t("Seat {number}", { number })}</span>
      ${table.you
        ? html`<span class="empty">${t("Free seat")}</span>`
        : html`<button disabled=${busy} onClick=${() => sit(table, code, number)}>${t("Sit here")}</button>`}
      ${isHost && html`<${AddBot} number=${number} />`}
    </div>
  `;
}

function AddBot({ number }) {
  const add = (event) => {
    const level = event.target.value;
    event.target.selectedIndex = 0;
    if (level) command("bots", { level, seat: number });
  };
  return html`
    <select class="add-bot" aria-label=${t("Seat a bot in seat {number}", { number })} onChange=${add}>
      <option value="">${t("+ Bot")}</option>
      ${LEVELS.map((level) => html`<option key=${level} value=${level}>${botTitle(level)}</option>`)}
    </select>
  `;
}

/** The host may send a bot away while no deal goes on. */
function RemoveBot({ table, seat }) {
  const { account } = useStore();
  const may = account?.id === table.host && seat.player.kind === "house_bot" && ["waiting", "pause"].includes(table.status);
  if (!may || seat.left) return null;
  const name = seat.player.name;
  const remove = () => confirm(t("Send {name} away?", { name })) && del(`/v1/tables/${table.id}/bots/${seat.seat}`).catch(tell);
  return html`<button class="quiet remove" aria-label=${t("Send {name} away", { name })} title=${t("Send {name} away", { name })} onClick=${remove}>×</button>`;
}

export function isWinner(table, seat) {
  return Boolean(table.deal?.result?.winners.includes(seat));
}
