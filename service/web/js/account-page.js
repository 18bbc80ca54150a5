/** The player's account: name, chips, rating, other devices, and the way to carry it there. */

import { html, useState } from "../vendor/preact.js";
import { ensureAccount, guestName } from "./account.js";
import { Devices, SignOut } from "./devices.js";
import { get } from "./api.js";
import { Main, useLoaded, Waiting } from "./loading.js";
import { tell } from "./notices.js";
import { useStore } from "./store.js";
import { moment, n, t } from "./text.js";

/** So many movements of chips are shown. */
const MOVEMENTS = 15;

/** `#/account` */
export function AccountPage() {
  const { account } = useStore();
  return html`
    <${Main} page="account">
      <h1>${t("Your account")}</h1>
      ${account ? html`<${Account} account=${account} />` : html`<${NewGuest} />`}
    </${Main}>
  `;
}

/** Nobody has to do this first: an account is made with the first seat as well. */
function NewGuest() {
  const [name, setName] = useState(guestName);
  const begin = (event) => {
    event.preventDefault();
    ensureAccount(name).catch(tell);
  };
  return html`
    <p>${t("You have none yet. It takes a name, and you get chips to play with.")}</p>
    <form onSubmit=${begin}>
      <label>
        ${t("Your name")}${" "}
        <input required maxlength="40" value=${name} onInput=${({ target }) => setName(target.value)} />
      </label>
      <button class="primary">${t("Begin as a guest")}</button>
    </form>
  `;
}

function Account({ account }) {
  const { value, problem, again } = useLoaded(() => told(account), [account.id, account.balance]);
  return html`
    <dl class="papers">
      <dt>${t("Name")}</dt>
      <dd>${account.name}</dd>
      <dt>${t("Chips")}</dt>
      <dd data-testid="balance">${n(account.balance)}</dd>
      ${value && html`<${Rating} rating=${value.rating} />`}
    </dl>
    <p><a href="#/past">${t("Where you have played")}</a></p>
    <${Devices} account=${account} />
    <section>
      <h2>${t("Chips in and out")}</h2>
      ${value ? html`<${Ledger} movements=${value.movements} />` : html`<${Waiting} problem=${problem} again=${again} />`}
    </section>
    <${SignOut} account=${account} />
  `;
}

async function told({ id }) {
  const [player, ledger] = await Promise.all([
    get(`/v1/players/${id}`),
    get("/v1/me/ledger", { query: { limit: MOVEMENTS } }),
  ]);
  return { rating: player.rating, movements: ledger.items };
}

function Rating({ rating }) {
  return html`
    <dt>${t("Rating")}</dt>
    <dd>
      ${rating
        ? t("{points}, rank {rank}; deals won: {won} of {deals}", {
            points: n(rating.rating),
            rank: n(rating.rank),
            won: n(rating.won),
            deals: n(rating.deals),
          })
        : t("None yet: deals with other people count, those with the house's bots don't.")}
    </dd>
  `;
}

function Ledger({ movements }) {
  const why = {
    grant: t("A gift of the house"),
    buy_in: t("Taken to a table"),
    cash_out: t("Brought home from a table"),
    refund: t("Given back: no seat was free"),
  };
  return html`
    <table class="ledger">
      <thead>
        <tr>
          <th scope="col">${t("When")}</th>
          <th scope="col">${t("What")}</th>
          <th scope="col">${t("Chips")}</th>
          <th scope="col">${t("Then there were")}</th>
        </tr>
      </thead>
      <tbody>
        ${movements.map(
          ({ id, at, why: kind, amount, balance }) => html`
            <tr key=${id}>
              <td><time datetime=${at}>${moment(at)}</time></td>
              <td>${why[kind] ?? kind}</td>
              <td>${amount > 0 ? "+" : ""}${n(amount)}</td>
              <td>${n(balance)}</td>
            </tr>
          `,
        )}
      </tbody>
    </table>
  `;
}
