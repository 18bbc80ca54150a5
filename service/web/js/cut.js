/** Cutting the deck: by the player at the dealer's right; the others see who does it. */

import { html, useState } from "../vendor/preact.js";
import { useLeft } from "./clock.js";
import { cut, legal } from "./moves.js";
import { useStore } from "./store.js";
import { n, t } from "./text.js";

const CARDS = 52;

export function Cut({ table }) {
  const { deal } = table;
  const name = table.seats.find((one) => one.seat === deal.cutter)?.player.name ?? "";
  return html`
    <div class="panel cut" data-testid="cut">
      <h2>${legal(table, "cut") ? t("Cut the deck") : t("{name} cuts the deck", { name })}</h2>
      ${legal(table, "cut") ? html`<${OwnCut} table=${table} />` : html`<${Deck} position=${26} />`}
    </div>
  `;
}

function OwnCut({ table }) {
  const { busy } = useStore();
  const [position, setPosition] = useState(() => 10 + Math.floor(Math.random() * 32));
  const left = useLeft(table.deal.turn_ms_left);
  return html`
    <${Deck} position=${position} />
    <label class="field">
      <span>${t("Cards to lift: {count}", { count: n(position) })}</span>
      <input type="range" min="0" max=${CARDS - 1} value=${position} onInput=${(event) => setPosition(Number(event.target.value))} />
    </label>
    <button class="primary" disabled=${busy} onClick=${() => cut(position)}>${t("Cut here")}</button>
    <p class="hint">${left === null ? t("Where you cut, and chance of your browser, decide the cards.") : t("Else chance cuts in {count} seconds.", { count: left })}</p>
  `;
}

function Deck({ position }) {
  return html`
    <div class="deck" aria-hidden="true" style=${{ "--cut": position / CARDS }}>
      <span class="packet upper"></span><span class="packet lower"></span>
    </div>
  `;
}
