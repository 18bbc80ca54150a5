/**
 * An account on several devices, each with a token of its own, so that each can be signed out.
 *
 * A device gets its token by a link that holds it behind the `#`: that part of an address is never
 * sent to a server, nor told to other pages.
 */

import { html, useState } from "../vendor/preact.js";
import { adopt, forget } from "./account.js";
import { del, get, post } from "./api.js";
import { Main, useLoaded } from "./loading.js";
import { copy, notify, tell } from "./notices.js";
import { state } from "./store.js";
import { moment, t } from "./text.js";

const SCOPES = ["play", "lobby", "account"];

/** What tokens are called that a link has carried away. */
const NAME = "carried";

export function Devices({ account }) {
  const [link, setLink] = useState(null);
  const { value, again } = useLoaded(() => get("/v1/me/tokens"), [account.id]);
  const make = async () => {
    const { token } = await post("/v1/me/tokens", { scopes: SCOPES, name: NAME });
    setLink(new URL(`#/carry/${token}`, location.href).href);
    again();
  };
  const others = (value?.items ?? []).filter((one) => one.name === NAME && one.id !== account.token_id);
  return html`
    <section class="devices">
      <h2>${t("On another device")}</h2>
      <p>${t("A link takes this account along, to a phone for instance. Whoever has the link has the account: show it to nobody.")}</p>
      ${link ? html`<${Link} link=${link} />` : html`<button onClick=${() => make().catch(tell)}>${t("Make a link")}</button>`}
      ${others.length > 0 &&
      html`
        <h3>${t("Links that were made")}</h3>
        <ul>
          ${others.map((one) => html`<${Other} key=${one.id} token=${one} again=${again} />`)}
        </ul>
      `}
    </section>
  `;
}

function Link({ link }) {
  return html`
    <p class="link">
      <input readonly aria-label=${t("The link")} value=${link} onFocus=${({ target }) => target.select()} />
      <button onClick=${() => copy(link)}>${t("Copy")}</button>
    </p>
  `;
}

function Other({ token: { id, created_at: at }, again }) {
  const end = () => del(`/v1/me/tokens/${id}`).then(again, tell);
  return html`
    <li>
      <time datetime=${at}>${moment(at)}</time>${" "}
      <button onClick=${end}>${t("End it")}</button>
    </li>
  `;
}

/** `#/carry/TOKEN`: where such a link leads. `main.js` has taken the token out of the address. */
export function Carry({ params: [token] }) {
  const [known] = useState(state.account);
  const take = () =>
    adopt(token).then(() => {
      notify(t("This device has the account now."), "good");
      location.hash = "#/";
    }, tell);
  return html`
    <${Main} page="account">
      <h1>${t("Take the account along")}</h1>
      <p>${t("The link that you have opened holds an account. Use it on this device from now on?")}</p>
      ${known && html`<p>${t("The account of {name} is here now. It is lost unless another device has it.", { name: known.name })}</p>`}
      <button class="primary" onClick=${take}>${t("Use this account")}</button>
    </${Main}>
  `;
}

/** A token that was ended elsewhere already need not be ended. */
function unlessGone(problem) {
  if (problem.status !== 401) throw problem;
}

export function SignOut({ account }) {
  const [sure, setSure] = useState(false);
  // The first token is the account's own, and good for good: only those of links end here.
  const leave = async () => {
    const { id, token_id: token } = account;
    if (token && token !== id) await del(`/v1/me/tokens/${token}`).catch(unlessGone);
    forget();
  };
  if (!sure) return html`<p><button onClick=${() => setSure(true)}>${t("Sign out …")}</button></p>`;
  return html`
    <section class="sign-out" role="alert">
      <p>${t("This browser forgets the account. Where no other device has it, it is lost for good, with its chips.")}</p>
      <button onClick=${() => leave().catch(tell)}>${t("Sign out, and forget it")}</button>${" "}
      <button class="primary" onClick=${() => setSure(false)}>${t("Stay")}</button>
    </section>
  `;
}
