/** What the lobby lists: open tables, own tables, invitations. */

import { useEffect, useState } from "../vendor/preact.js";
import { get } from "./api.js";

/** How often the lists are asked for, in milliseconds, while somebody looks at them. */
const EVERY = 4000;

/** The lists of the lobby, asked for again and again while the page is seen. */
export function useLists(player) {
  const [lists, setLists] = useState({});
  useEffect(() => {
    let over = false;
    let asking = false;
    const ask = async () => {
      if (asking || document.visibilityState !== "visible") return;
      asking = true;
      const found = await askFor(player).catch(() => null); // The next round asks again.
      asking = false;
      if (found && !over) setLists(found);
    };
    ask();
    const timer = setInterval(ask, EVERY);
    document.addEventListener("visibilitychange", ask);
    return () => {
      over = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  }, [player]);
  return lists;
}

async function askFor(player) {
  const [open, mine, invitations] = await Promise.all([
    get("/v1/tables", { query: { open_seats: 1, limit: 30 } }),
    player ? get("/v1/me/tables", { query: { limit: 30 } }) : { items: [] },
    player ? get("/v1/me/invitations") : { items: [] },
  ]);
  const own = new Set(mine.items.map((table) => table.id));
  const others = open.items.filter((table) => !own.has(table.id));
  return { open: others, mine: mine.items, invitations: invitations.items };
}
