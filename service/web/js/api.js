/**
 * Requests to the service (docs/api.md).
 *
 * What was lost on the way is sent again: a GET as it is, a POST with the same Idempotency-Key, so
 * that nothing is ever done twice. A refusal is thrown as a Problem.
 */

import { change, state } from "./store.js";
import { t } from "./text.js";

/** Where the service is: this module is at /play/<release>/js/api.js of it. */
export const ROOT = new URL("../../../", import.meta.url);

/** How long one answer may take, in milliseconds; then it counts as lost. */
const PATIENCE = 20_000;

/** The pauses before a request is sent again, in milliseconds. */
const PAUSES = [300, 700, 1500, 3000, 5000];

const LATER = new Set([429, 502, 503, 504]);

/** A refusal of the service: `code` is stable, `detail` is for people, in their language. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail ?? body.title ?? String(status));
    this.status = status;
    this.code = body.code;
    this.detail = this.message;
    this.body = body;
  }
}

/**
 * A GET.
 *
 * @param {string} path
 * @param {{query?: object, token?: string, patient?: boolean}} options `patient`: ask until there is an answer.
 */
export function get(path, options = {}) {
  return send("GET", path, options);
}

/** The keys of what had no final answer, by what it was. */
const unanswered = new Map();

/**
 * A POST; the key makes it safe to repeat. Who tries again what was given up means the same, and sends the same key.
 *
 * @param {string} path
 * @param {object} body
 * @param {{version?: number}} options `version`: do it only if the table is still at that one.
 */
export async function post(path, body = {}, options = {}) {
  const what = JSON.stringify([state.account?.id, path, body, options.version]);
  const key = unanswered.get(what) ?? randomText();
  unanswered.set(what, key);
  try {
    const value = await send("POST", path, { body, key, ...options });
    unanswered.delete(what);
    return value;
  } catch (problem) {
    if (problem.status < 500) unanswered.delete(what);
    throw problem;
  }
}

export function del(path) {
  return send("DELETE", path, {});
}

/** 32 hexadecimal digits that nobody can guess. */
export function randomText() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The address of a path, with the parts of a query that are given. */
export function address(path, query = {}) {
  const url = new URL(path.replace(/^\//, ""), ROOT);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, value);
  }
  return url;
}

/** The headers that every request has. */
export function headers(token = state.account?.token) {
  const sent = { "Accept-Language": state.language };
  return token ? { ...sent, Authorization: `Bearer ${token}` } : sent;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {{query?: object, body?: object, key?: string, version?: number, token?: string, patient?: boolean}} options
 */
async function send(method, path, { query, body, key, version, token, patient }) {
  const sent = headers(token);
  if (body !== undefined) sent["Content-Type"] = "application/json";
  if (key) sent["Idempotency-Key"] = key;
  if (version !== undefined) sent["If-Match"] = `"${version}"`;
  const text = body === undefined ? undefined : JSON.stringify(body);
  for (let attempt = 0; ; attempt += 1) {
    const answer = await once(address(path, query), { method, headers: sent, body: text });
    if (answer && !isForLater(answer)) return answer.value;
    if (!patient && attempt >= PAUSES.length) throw answer?.problem ?? away();
    await pause(answer?.seconds ?? 0, attempt);
  }
}

/**
 * One attempt: null where no answer came.
 *
 * @returns {Promise<{value?: any, problem?: Problem, seconds?: number} | null>}
 */
async function once(url, request) {
  let response;
  let value;
  try {
    response = await fetch(url, { ...request, signal: AbortSignal.timeout(PATIENCE) });
    value = response.status === 204 ? null : await response.json();
  } catch {
    change({ connection: "away" });
    return null;
  }
  if (state.connection === "away") change({ connection: "live" });
  if (response.ok) return { value };
  const problem = new Problem(response.status, value);
  const seconds = Number(response.headers.get("Retry-After") ?? 0);
  if (response.status === 401 && state.account && request.headers.Authorization === headers().Authorization) {
    change({ connection: "refused" });
  }
  if (!isForLater({ problem })) throw problem;
  return { problem, seconds };
}

/** @param {{problem?: Problem}} answer */
function isForLater({ problem }) {
  return problem && (LATER.has(problem.status) || problem.code === "in_progress");
}

function pause(seconds, attempt) {
  const ms = PAUSES[Math.min(attempt, PAUSES.length - 1)];
  return new Promise((done) => setTimeout(done, Math.max(seconds * 1000, ms * (0.75 + Math.random() / 2))));
}

/** What is thrown where no answer came, however often it was tried. */
export function away() {
  const detail = t("The service does not answer. Is there a connection?");
  return new Problem(503, { code: "away", detail });
}
