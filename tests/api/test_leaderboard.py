"""Ratings: who stands on which board, which deals count, and what everyone may know of a player."""

import pytest

from service.store.ratings import Rating, Rerated
from tests.api.contract import Json
from tests.api.world import Caller, World, easy_move
from tests.support.waiting import wait_until

AUTO = {"cut": "auto"}


def played_between(winner: Caller, loser: Caller, **settings: object) -> Json:
    """The winner's view of a table of two that the loser has left in the middle of a deal."""
    table = winner.create(turn_seconds=0, deals=1, rules=AUTO, **settings)
    loser.did(table["id"], "join", {"invite_code": table["invite_code"]})
    loser.did(table["id"], "leave")
    return table


def rating_of(player: Caller) -> Json | None:
    """What everybody sees of a player's rating."""
    answer = player.get(f"/v1/players/{player.id}")
    assert 200 == answer.status, answer.text
    rating: Json | None = answer.json["rating"]
    return rating


def board(caller: Caller, query: str = "") -> list[Json]:
    """The first page of a board."""
    answer = caller.get(f"/v1/leaderboard{query}")
    assert 200 == answer.status, answer.text
    items: list[Json] = answer.json["items"]
    return items


def test_a_player_without_a_rating(anybody: Caller, keola: Caller) -> None:
    """Of a player everybody sees name and kind, with no rating before the first deal."""
    expected = {"id": keola.id, "name": "Keola", "kind": "human", "rating": None}
    assert expected == anybody.get(f"/v1/players/{keola.id}").json
    assert [] == board(anybody)
    assert 404 == anybody.get("/v1/players/nobody").status


def test_a_deal_counts(world: World, anybody: Caller, keola: Caller, pua: Caller) -> None:
    """After a deal at a public table both are on the board, the winner first."""
    played_between(keola, pua)
    assert rating_of(keola) is None, "before the settlement"
    world.run_due()

    won = {"rank": 1, "rating": 1096, "uncertainty": 226, "deals": 1, "won": 1}
    lost = {"rank": 2, "rating": 949, "uncertainty": 226, "deals": 1, "won": 0}
    assert (won, lost) == (rating_of(keola), rating_of(pua))
    who = [{"id": one.id, "name": one.account["name"], "kind": "human"} for one in (keola, pua)]
    assert [{"player": who[0], **won}, {"player": who[1], **lost}] == board(anybody)


@pytest.mark.parametrize(
    ("settings", "rated"),
    [
        ({}, True),
        ({"visibility": "private"}, False),
        ({"visibility": "private", "rated": True}, True),
        ({"rated": False}, False),
        ({"visibility": "public", "rated": None}, True),
    ],
)
def test_which_tables_are_rated(
    world: World, keola: Caller, pua: Caller, settings: Json, rated: bool
) -> None:
    """Public tables are rated and private ones are not, unless their maker says otherwise."""
    view = played_between(keola, pua, **settings)
    world.run_due()

    assert rated is view["rated"]
    assert rated is (rating_of(keola) is not None)


def test_the_lobby_says_what_is_rated(anybody: Caller, keola: Caller, pua: Caller) -> None:
    """So players see it before they sit down; it is no house rule."""
    plain, unrated = keola.create(), keola.create(rated=False)
    quick = pua.post("/v1/quick-match", {"seats": 3, "ante": 7}).json
    listed = {one["id"]: one["rated"] for one in anybody.get("/v1/tables").json["items"]}

    assert {plain["id"]: True, unrated["id"]: False, quick["id"]: True} == listed
    assert plain["rules_hash"] == unrated["rules_hash"]


def test_a_deal_with_a_house_bot_does_not_count(world: World, keola: Caller, pua: Caller) -> None:
    """Where a house bot was dealt in nobody is rated, though two people were, too."""
    table = keola.create(seats=3, bots=[{"level": "easy"}], turn_seconds=0, deals=1)
    assert table["rated"]
    pua.did(table["id"], "join", {})
    pua.did(table["id"], "leave")
    keola.did(table["id"], "leave")
    world.run_due()

    assert [] == board(keola)


def test_bots_have_a_board_of_their_own(world: World, anybody: Caller, keola: Caller) -> None:
    """Outside programs are rated among each other, and are not on the people's board."""
    deep, rob = (world.player(name, "bot") for name in ("Deep", "Rob"))
    played_between(deep, rob)
    played_between(deep, keola)
    world.run_due()

    names = [one["player"]["name"] for one in board(anybody, "?kind=bot")]
    assert ["Deep", "Rob"] == names
    assert [] == board(anybody) == board(anybody, "?kind=human")
    assert 422 == anybody.get("/v1/leaderboard?kind=house_bot").status


def test_a_board_by_pages(world: World, anybody: Caller) -> None:
    """A board goes on page by page to its end, and equals share a rank across pages."""
    players = [world.player(f"Player {n}") for n in range(7)]
    for number, player in enumerate(players):
        put(world, player, 1_000 + 10 * (number // 2))
    whole = board(anybody)
    assert [1, 2, 2, 4, 4, 6, 6] == [one["rank"] for one in whole]

    found, after = [], ""
    while True:
        page = anybody.get(f"/v1/leaderboard?limit=3{after}").json
        found += page["items"]
        if page["next"] is None:
            break
        after = f"&cursor={page['next']}"
    assert whole == found
    assert 7 == len(anybody.get("/v1/leaderboard?limit=7").json["items"])
    assert anybody.get("/v1/leaderboard?limit=7").json["next"] is None
    assert 422 == anybody.get("/v1/leaderboard?cursor=nonsense").status


def put(world: World, player: Caller, points: int) -> None:
    """Give a player a rating."""
    after = Rating(1, 1, points, 25.0, 8.0)
    change = Rerated(player.id, "human", None, after)
    assert world.store.ratings.apply(f"table-of-{player.id}", 1, (change,))


def test_nothing_private_is_told(world: World, anybody: Caller, keola: Caller, pua: Caller) -> None:
    """What everybody sees of a player has no balance, and nothing of where the player sits."""
    played_between(keola, pua)
    world.run_due()

    assert {"id", "name", "kind", "rating"} == set(anybody.get(f"/v1/players/{pua.id}").json)
    assert keola.get(f"/v1/players/{pua.id}").json == anybody.get(f"/v1/players/{pua.id}").json


def test_rated_deals_on_the_real_service(over_http: Caller) -> None:
    """Two people play two deals over HTTP; workers rate each once, and the board has both."""
    keola, pua = (over_http.sign_up(name) for name in ("Keola", "Pua"))
    table = keola.create(turn_seconds=0, pause_seconds=0, deals=2)["id"]
    pua.did(table, "join", {})
    wait_until(lambda: play_on([keola, pua], table) == "closed", 120)

    deals = keola.get(f"/v1/tables/{table}/deals").json["items"]
    mine, hers = rating_of(keola), rating_of(pua)
    assert mine is not None
    assert hers is not None
    assert (2, 2, 2) == (len(deals), mine["deals"], hers["deals"])
    for seat, rating in ((1, mine), (2, hers)):
        assert sum(seat in deal["winners"] for deal in deals) == rating["won"]
    shown = {one["player"]["id"]: one for one in all_of(over_http)}
    for player, rating in ((keola, mine), (pua, hers)):
        assert rating.items() <= shown[player.id].items()
    assert sorted(one["rating"] for one in shown.values()) == [
        one["rating"] for one in reversed(shown.values())
    ]


def play_on(players: list[Caller], table: str) -> str:
    """Have players make the moves that they have; gives the table's status in the end."""
    view: Json = {}
    for player in players:
        view = player.view(table)
        while view["you"] and (move := easy_move(view)):
            view = player.did(table, *move)
    return str(view["status"])


def all_of(caller: Caller) -> list[Json]:
    """The whole board, page by page."""
    found: list[Json] = []
    page: Json = {"next": ""}
    while page["next"] is not None:
        after = f"&cursor={page['next']}" if page["next"] else ""
        page = caller.get(f"/v1/leaderboard?limit=100{after}").json
        found += page["items"]
    return found
