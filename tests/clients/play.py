"""A program as somebody else writes it with the generated Python client: `play.py URL`.

It plays one deal by `legal`, reads the deal's record and the events, and prints what it has seen.
"""

import json
import sys
from http import HTTPStatus

from httpx import Timeout
from paiute_client import AuthenticatedClient, Client
from paiute_client.api.deals import get_deal
from paiute_client.api.events import list_events
from paiute_client.api.play import call_hand, cut_deck, discard_card, draw_card
from paiute_client.api.players import create_player
from paiute_client.api.tables import create_table, get_table
from paiute_client.models import (
    BotIn,
    BotInLevel,
    CallIn,
    CutIn,
    DealRecord,
    DiscardIn,
    DrawIn,
    DrawInFrom,
    EventsPage,
    LegalActionAction,
    NewAccount,
    NewPlayer,
    NewTable,
    Own,
    Problem,
    Table,
    TableStatus,
)

url = sys.argv[1]


def make_table() -> tuple[AuthenticatedClient, Table]:
    """Sign up, and make a table with a bot."""
    anybody = Client(base_url=url, raise_on_unexpected_status=True)
    account = create_player.sync(client=anybody, body=NewPlayer(name="Generated"))
    assert isinstance(account, NewAccount), account
    client = AuthenticatedClient(
        base_url=url, token=account.token, raise_on_unexpected_status=True, timeout=Timeout(40)
    )
    wanted = NewTable(seats=2, bots=[BotIn(level=BotInLevel.EASY)], thinking_ms=0, deals=1)
    table = create_table.sync(client=client, body=wanted)
    assert isinstance(table, Table), table
    return client, table


def move(client: AuthenticatedClient, table: Table, own: Own) -> Table | None:
    """Make one move of those that are legal, if any."""
    legal = {one.action: one for one in own.legal}
    at = f'"{table.version}"'
    answer: Table | Problem | None
    if LegalActionAction.CUT in legal:
        answer = cut_deck.sync(table.id, body=CutIn(position=21), client=client, if_match=at)
    elif LegalActionAction.CALL in legal:
        answer = call_hand.sync(table.id, body=CallIn(), client=client, if_match=at)
    elif LegalActionAction.DRAW in legal:
        answer = draw_card.sync(
            table.id, body=DrawIn(from_=DrawInFrom.STOCK), client=client, if_match=at
        )
    elif LegalActionAction.DISCARD in legal:
        cards = legal[LegalActionAction.DISCARD].cards
        assert cards, own
        answer = discard_card.sync(
            table.id, body=DiscardIn(card=cards[0]), client=client, if_match=at
        )
    else:
        return None
    assert isinstance(answer, Table), answer
    return answer


def wait(client: AuthenticatedClient, table: Table) -> Table:
    """The table once it has changed, or as it was."""
    answer = get_table.sync_detailed(
        table.id, client=client, wait=25, if_none_match=f'"{table.version}"'
    )
    if answer.status_code == HTTPStatus.NOT_MODIFIED:
        return table
    assert isinstance(answer.parsed, Table), answer
    return answer.parsed


def main() -> None:
    """Play, and tell of it."""
    client, table = make_table()
    moves = 0
    while table.status is not TableStatus.CLOSED:
        moved = move(client, table, table.you) if table.you else None
        moves += moved is not None
        table = moved or wait(client, table)
    record = get_deal.sync(table.id, 1, client=client)
    assert isinstance(record, DealRecord), record
    events = list_events.sync(table.id, client=client)
    assert isinstance(events, EventsPage), events
    told = {
        "moves": moves,
        "reason": record.reason.value,
        "winners": record.result.winners,
        "events": [event.type_ for event in events.items],
        "further": sorted(record.additional_properties),
    }
    print(json.dumps(told))


main()
