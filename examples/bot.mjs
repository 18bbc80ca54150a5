// A bot that plays by `you.legal`: node examples/bot.mjs URL [TABLE]

const [url, table] = process.argv.slice(2)
if (!url) throw new Error("Say where: node examples/bot.mjs URL [TABLE]")
const headers = { "Content-Type": "application/json" }

async function ask(path, body, more) { // Until it is answered: no move is made twice (If-Match).
  const asked = { method: body ? "POST" : "GET", body: body && JSON.stringify(body) }
  asked.headers = { ...headers, ...more }
  for (let pause = 1; ; ) {
    try {
      const got = await fetch(url + path, { ...asked, signal: AbortSignal.timeout(40_000) })
      const text = await got.text()
      pause = got.headers.get("Retry-After") ?? (got.status < 500 ? null : 1)
      if (pause === null) return text && JSON.parse(text)
    } catch (lost) {
      console.error(lost.message)
    }
    await new Promise((done) => setTimeout(done, 1000 * pause))
  }
}

const once = { "Idempotency-Key": crypto.randomUUID() }
const me = await ask("/v1/players", { name: "Robo", kind: "bot" }, once)
headers.Authorization = `Bearer ${me.token}`
const settings = { seats: 3, deals: 2, bots: Array(2).fill({ level: "easy" }), thinking_ms: 0 }
const [where, wish] = table ? [`/${table}/join`, {}] : ["", settings]
let view = await ask(`/v1/tables${where}`, wish, once)
while (view.status !== "closed" && view.you) {
  const here = `/v1/tables/${view.id}`, etag = `"${view.version}"`
  const legal = Object.fromEntries(view.you.legal.map((one) => [one.action, one]))
  const moves = { cut: { position: 21 }, call: {}, draw: { from: "stock" } }
  if (legal.discard) { // The rank it has fewest of goes; the wild rank stays.
    const hold = view.you.hand.join("") + view.deal.wild_rank.repeat(9)
    const held = (card) => hold.split(card[0]).length
    moves.discard = { card: legal.discard.cards.sort((one, two) => held(one) - held(two))[0] }
  }
  const move = Object.keys(moves).find((name) => name in legal)
  const got = move // Where there is none: wait up to 25 seconds for the table to change.
    ? await ask(`${here}/${move}`, moves[move], { "If-Match": etag })
    : await ask(`${here}?wait=25`, undefined, { "If-None-Match": etag })
  view = got.view || got || view // A 412, the table has moved on, has a view; a 304 has nothing.
}
console.log(Object.fromEntries(view.seats.map((seat) => [seat.player.name, seat.stack])))
