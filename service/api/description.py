"""The introduction of the document."""

from service.config import BUDGETS, Config

DESCRIPTION = """\
Play **Paiute**, a draw-and-discard card game from Hawai'i, over HTTP: 2 to 5 players, one wild
rank a deal, the highest of six combinations takes the pot.

1. `POST /v1/players` gives a guest account and its token.
2. `POST /v1/tables` makes a table, with house bots if you like; others `join` it.
3. Look at `you.legal` in the view: it lists all that you may do now. Do one of it.
4. `GET /v1/tables/{{id}}?wait=25` with `If-None-Match` answers when something has happened.

**Versions.** A table's `version` rises by one with each event. It is the ETag of the view; send it
as `If-Match` with a command, and the command is refused (412) where the table has moved on.

**Cards** are two characters, rank and suit: `Ah`, `Td`, `7c`. Requests may also say `10d` or `T♦`.

**Errors** are `application/problem+json` (RFC 9457). `code` is stable; `legal` says what you may do
instead. 4xx is final, but 429 and `in_progress`; 5xx and lost connections may be tried again.

**Languages.** `title`, `detail` and `errors` of problems, and the rules, come in the language of
`Accept-Language`: English, Filipino, Italian, Ukrainian, Nepali or Welsh (`en`, `fil`, `it`, `uk`,
`ne`, `cy`). `Content-Language` says which it is.

**Limits.** An account, or without a token an address, has a budget for each kind of request.
Beyond it the answer is 429 `rate_limited`, and `Retry-After` says when to come again. A move in a
sandbox match takes one for each player there.

{limits}

**Events** are described by type in `KnownEvent` and `KnownAccountEvent`.

**Changes** are additive: pass over fields and event types that you don't know.
"""


def description(config: Config) -> str:
    """The introduction, with the limits by the settings."""
    budgets = "\n".join(f"- `{name}`: {_told(*config.budget(name))}" for name in BUDGETS)
    tables = f"- tables that a player is at, or is host of: {config.max_tables or 'no limit'}"
    return DESCRIPTION.format(limits=f"{budgets}\n{tables}")


def _told(per_second: int, burst: int) -> str:
    if not per_second:
        return "no limit"
    return f"{burst} requests at once, and {per_second} a second after that"
