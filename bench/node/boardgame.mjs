// boardgame.io: `node boardgame.mjs PORT [FOLDER]`, with its file store where a folder is named.

import server from "boardgame.io/dist/cjs/server.js";
import { discard, draw, newTable, view } from "./game.mjs";

const [port, folder] = process.argv.slice(2);

const moves = {
  draw: {
    move: ({ G, ctx, random }) => {
      if (!draw(G.deal, Number(ctx.currentPlayer) + 1, random.Shuffle)) return "INVALID_MOVE";
    },
    client: false,
  },
  discard: {
    move: ({ G, ctx, events }) => {
      if (!discard(G.deal, Number(ctx.currentPlayer) + 1, G.deal.drawn)) return "INVALID_MOVE";
      events.endTurn();
    },
    client: false,
  },
};

const game = {
  name: "paiute",
  setup: ({ random }) => newTable(random.Shuffle),
  moves,
  playerView: ({ G, playerID }) => view(G, Number(playerID) + 1),
  disableUndo: true,
};

const store = folder ? { db: new server.FlatFile({ dir: folder }) } : {};
await server.Server({ games: [game], origins: ["http://localhost"], ...store }).run(Number(port));
