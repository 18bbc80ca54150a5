"""The log against what clients were told: every acknowledged move is in it, once, and no other."""

from collections.abc import Iterable, Iterator

from service.engine.events import Called, CardDiscarded, CardDrawn, DealVoided, DeckCut
from service.tables.events import (
    DealStarted,
    Entry,
    PlayerJoined,
    PlayerLeft,
    TableEvent,
    TurnTimedOut,
)
from tests.chaos.caller import Json
from tests.chaos.findings import Law
from tests.chaos.follower import Logged, Move, commits
from tests.chaos.journal import Outcome, Request

Found = Iterator[tuple[Law, str]]
"""Laws that are broken, and how."""


def compare(log: list[Logged], requests: Iterable[Request], clients: set[str]) -> Found:
    """What is wrong between the log of a table and the requests of clients at it."""
    made = {entries[-1].id: entries for entries in commits(log)}
    requests = list(requests)
    by_version: dict[int, Request] = {}
    for request in requests:
        if request.outcome is not Outcome.ACKNOWLEDGED:
            continue
        if not _is_in(made.get(request.version, []), request):
            yield Law.LOST, f"{request}; in the log: {made.get(request.version)}"
        elif request.version in by_version:
            yield Law.DOUBLED, f"{request}, and {by_version[request.version]}"
        by_version[request.version] = request
    unknown = [one for one in requests if one.outcome is Outcome.UNKNOWN]
    yield from _strangers(made, by_version, unknown, clients)


def _is_in(entries: list[Entry], request: Request) -> bool:
    """Whether a commit is what a request was told to have done."""
    return any(_fits(entry, request) for entry in entries)


def _fits(entry: Entry, request: Request) -> bool:
    event, action, body = entry.event, request.action, request.body
    match event:
        case _ if action == "create":
            return entry.id == 1
        case PlayerJoined(player=player) if action == "join":
            return player.id == request.player
        case PlayerJoined(player=player) if action == "bots":
            return player.is_house_bot
        case PlayerLeft(player=player) if action == "leave":
            return player.id == request.player
        case DealStarted():
            return action == "start"
    return entry.player == request.player and _is_move(event, action, body, request.view["you"])


def _is_move(event: TableEvent, action: str, body: Json, you: Json) -> bool:
    match event:
        case DeckCut(position=position):
            return action == "cut" and position == body["position"]
        case CardDrawn(card=card):
            return action == "draw" and card == you["drawn"]
        case DealVoided():
            return action == "draw"
        case CardDiscarded(card=card):
            return action == "discard" and card == body["card"]
        case Called():
            return action == "call"
    return False


def _strangers(
    made: dict[int, list[Entry]],
    acknowledged: dict[int, Request],
    unknown: list[Request],
    clients: set[str],
) -> Found:
    """Commits that look like a client's, and that no client can have asked for."""
    stood_in: set[str] = set()
    for version, entries in made.items():
        first = entries[0]
        if isinstance(first.event, DealStarted) and version not in acknowledged:
            continue  # The pause was over; the deck may be cut at once by the house rule.
        if isinstance(first.event, TurnTimedOut):
            if first.event.handed_to_bot:
                stood_in |= {str(first.player)}
            continue
        asked = acknowledged.get(version)
        action, player = _looks_like(entries, clients)
        if asked is not None:
            stood_in -= {asked.player}
            continue
        if action is None or (player in stood_in and isinstance(first.event, Move)):
            continue
        fitting = [one for one in unknown if (one.action, one.player) == (action, player)]
        if fitting:
            unknown.remove(fitting[0])
        else:
            yield Law.NOBODYS, f"{action} of {player} in {entries}"


def _looks_like(entries: list[Entry], clients: set[str]) -> tuple[str | None, str | None]:
    """What a client would have had to ask for to bring this commit about."""
    kinds = {type(entry.event) for entry in entries}
    turn_of_bot = {CardDrawn, CardDiscarded} <= kinds or {CardDrawn, Called} <= kinds
    for entry in entries:
        event = entry.event
        match event:
            case PlayerJoined(player=player) if player.id in clients and entry.id > 1:
                return "join", player.id
            case PlayerLeft(player=player, reason="left"):
                return "leave", player.id
        if entry.player not in clients or turn_of_bot:
            continue
        match event:
            case DeckCut():
                return "cut", entry.player
            case CardDrawn() | DealVoided():
                return "draw", entry.player
            case CardDiscarded():
                return "discard", entry.player
            case Called():
                return "call", entry.player
    return None, None
