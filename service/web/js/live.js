/**
 * Following a stream of events (docs/streams.md), with whatever happens to the connection.
 *
 * `EventSource` can't send a token, so the stream is read with `fetch`, a line of JSON an event.
 * Where no stream is to be had, events come by long polls.
 */

import { address, headers } from "./api.js";

/** Where nothing came for so long, in milliseconds, the connection is dead: signs of life come every 7 seconds. */
const SILENCE = 20_000;

/** How long one long poll waits, in seconds, and for how long polls stand in for a stream, in milliseconds. */
const WAIT = 15;
const POLLING = 60_000;

const LONGEST_PAUSE = 10_000;

/** Answers that mean: no more of this, and: no further stream now. */
const GONE = new Set([204, 401, 404]);
const REFUSED = new Set([429, 503]);

/**
 * Follow the events of a path.
 *
 * @param {string} path
 * @param {number | string | null} after the id of the last event that is known.
 * @param {(events: object[]) => void} onEvents takes what came, in order, each event once.
 * @param {(connection: "live" | "connecting" | "away" | "refused" | "over") => void} onConnection `over`: nothing more comes.
 * @returns {() => void} stops it.
 */
export function follow(path, after, onEvents, onConnection) {
  const control = { stopped: false, heard: Date.now(), abort: new AbortController(), wake: () => {} };
  const follower = { path, last: after, onEvents, onConnection, control, pollUntil: 0 };
  const forget = watchConnection(control);
  run(follower).finally(forget);
  return () => {
    control.stopped = true;
    control.abort.abort();
    control.wake();
  };
}

/** Connect again and again; the pauses grow as long as nothing comes and no connection lasts. */
async function run(follower) {
  const { control, onConnection } = follower;
  let pause = 500;
  while (!control.stopped) {
    const before = follower.last;
    const began = Date.now();
    try {
      if (await connect(follower)) return;
      onConnection("connecting");
    } catch {
      if (control.stopped) return;
      onConnection("away");
    }
    if (follower.last !== before || Date.now() - began > SILENCE) pause = 500;
    await sleep(pause * (0.75 + Math.random() / 2), control);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  }
}

/** One connection, until it ends; true where there is nothing to follow any more. */
async function connect(follower) {
  const { control } = follower;
  control.abort = new AbortController();
  control.heard = Date.now();
  if (Date.now() < follower.pollUntil) return poll(follower);
  const response = await request(follower, "application/x-ndjson", {});
  if (isOver(response, follower)) return true;
  if (REFUSED.has(response.status)) follower.pollUntil = Date.now() + POLLING;
  if (!response.ok) throw new Error(String(response.status));
  follower.onConnection("live");
  await read(response, follower);
  return false;
}

async function read(response, follower) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    follower.control.heard = Date.now();
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    take(follower, lines.filter(Boolean).map((line) => JSON.parse(line)));
  }
}

/** Long polls for a while; true where there is nothing to follow any more. */
async function poll(follower) {
  const { control } = follower;
  while (!control.stopped && Date.now() < follower.pollUntil) {
    control.heard = Date.now();
    const response = await request(follower, "application/json", { wait: WAIT });
    if (isOver(response, follower)) return true;
    if (!response.ok) throw new Error(String(response.status));
    follower.onConnection("live");
    const { items } = await response.json();
    take(follower, items);
    await sleep(1000 * Number(response.headers.get("Retry-After") ?? 0), control);
  }
  return false;
}

function isOver({ status }, { onConnection }) {
  if (GONE.has(status)) onConnection(status === 401 ? "refused" : "over");
  return GONE.has(status);
}

function request({ path, last, control }, accept, query) {
  const url = address(path, { ...query, after: last });
  return fetch(url, { headers: { ...headers(), Accept: accept }, signal: control.abort.signal });
}

function take(follower, events) {
  if (events.length === 0 || follower.control.stopped) return;
  follower.last = events.at(-1).id;
  follower.onEvents(events);
}

/** Cut what is dead, and don't wait any longer once the network or the page is back. */
function watchConnection(control) {
  const check = (silence) => {
    if (Date.now() - control.heard > silence) control.abort.abort();
    control.wake();
  };
  const back = () => document.visibilityState === "visible" && check(SILENCE / 2);
  const online = () => check(0);
  const offline = () => control.abort.abort();
  const ticking = setInterval(() => Date.now() - control.heard > SILENCE && control.abort.abort(), 2000);
  document.addEventListener("visibilitychange", back);
  addEventListener("online", online);
  addEventListener("offline", offline);
  return () => {
    clearInterval(ticking);
    document.removeEventListener("visibilitychange", back);
    removeEventListener("online", online);
    removeEventListener("offline", offline);
  };
}

function sleep(ms, control) {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    control.wake = () => {
      clearTimeout(timer);
      done();
    };
  });
}
