/**
 * Following a stream of events (docs/streams.md), with whatever happens to the connection.
 *
 * `EventSource` can't send a token, so the stream is read with `fetch`, a line of JSON an event.
 * Where no stream is to be had, events come by long polls; a page that is hidden asks now and then.
 */

import { address, headers } from "./api.js";

/** Where nothing came for so long, in milliseconds, the connection is dead: signs of life come every 7 seconds. */
const SILENCE = 20_000;

/** How long one long poll waits, in seconds, and for how long polls stand in for a stream, in milliseconds. */
const WAIT = 15;
const POLLING = 60_000;

/**
 * After how long a hidden page gives its stream back, and how often it asks then, in milliseconds: over
 * HTTP/1.1 browsers have six connections to a service, for all their tabs.
 */
const HIDDEN = 10_000;
const GLANCE = 15_000;

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
  const control = { stopped: false, hidden: false, heard: Date.now(), abort: new AbortController(), wake: () => {} };
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
      if (!control.hidden) onConnection("away");
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
  if (isPolling(follower)) return poll(follower);
  const response = await request(follower, "application/x-ndjson", {});
  if (isOver(response, follower)) return true;
  if (REFUSED.has(response.status)) {
    follower.pollUntil = Date.now() + POLLING;
    return poll(follower);
  }
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

function isPolling({ control, pollUntil }) {
  return !control.stopped && (control.hidden || Date.now() < pollUntil);
}

/** Polls for a while, long ones unless the page is hidden; true where there is nothing to follow any more. */
async function poll(follower) {
  const { control } = follower;
  for (let wait = 0; isPolling(follower); wait = control.hidden ? 0 : WAIT) {
    control.heard = Date.now();
    const response = await request(follower, "application/json", { wait });
    if (isOver(response, follower)) return true;
    if (!response.ok) throw new Error(String(response.status));
    follower.onConnection("live");
    const { items } = await response.json();
    take(follower, items);
    await sleep(control.hidden ? GLANCE : 1000 * Number(response.headers.get("Retry-After") ?? 0), control);
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
  let hiding;
  const hide = () => {
    control.hidden = true;
    control.abort.abort();
  };
  const seen = () => {
    clearTimeout(hiding);
    control.hidden &&= document.visibilityState !== "visible";
    if (document.visibilityState === "visible") check(SILENCE / 2);
    else hiding = setTimeout(hide, HIDDEN);
  };
  const online = () => check(0);
  const offline = () => control.abort.abort();
  seen();
  const ticking = setInterval(() => Date.now() - control.heard > SILENCE && control.abort.abort(), 2000);
  document.addEventListener("visibilitychange", seen);
  addEventListener("online", online);
  addEventListener("offline", offline);
  return () => {
    clearInterval(ticking);
    clearTimeout(hiding);
    document.removeEventListener("visibilitychange", seen);
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
