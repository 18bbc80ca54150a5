// Colyseus: `node colyseus.mjs PORT`.  A room keeps its table in memory and answers with the view.

import { Room, Server } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { discard, draw, newTable, shuffled, view } from "./game.mjs";

class Table extends Room {
  patchRate = null; // Views go out with the answers, so there is no state to be patched by ticks.

  onCreate() {
    const table = newTable(shuffled);
    const answer = (seat, done) => {
      if (!done) throw new Error("not allowed");
      return view(table, seat);
    };
    this.onMessage("draw", (_, { seat }) => answer(seat, draw(table.deal, seat, shuffled)));
    this.onMessage("discard", (_, { seat, card }) => answer(seat, discard(table.deal, seat, card)));
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false });
server.define("paiute", Table);
await server.listen(Number(process.argv[2]), "127.0.0.1");
