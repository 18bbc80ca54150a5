"""Webhooks: where players want to be told of what concerns them, and what waits to be told there.

A table knows who is to be told of it (`hear`), and a commit there that is news makes it due.  Each
webhook knows for each table up to which version it was told, and has what it was told in an outbox
until its endpoint has taken it: so nothing is lost, and nothing gets into the outbox twice.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from service.engine.errors import PaiuteError

WebhookEvent = Literal["your_turn", "deal_over", "seated", "table_closed"]
"""What webhooks tell of."""

WhyOff = Literal["failing", "gone"]
"""Why a webhook was switched off: it has failed for long, or its endpoint said 410 Gone."""

MOST_WEBHOOKS = 10
"""How many webhooks an account may have."""

MOST_WAITING = 1000
"""How many deliveries wait for an endpoint that fails; beyond it the oldest are dropped."""

MOST_WATCHERS = 100
"""How many players are told of a table, for one without a part there to be told as well."""


class TooManyWebhooks(PaiuteError):
    """An account has as many webhooks as one may have."""

    code = "limit_reached"

    def __init__(self) -> None:
        super().__init__(
            "You have as many webhooks as an account may have: {most}. Delete one first.",
            limit="webhooks",
            most=MOST_WEBHOOKS,
        )


class TooManyWatchers(PaiuteError):
    """So many are told of a table that only those who take a seat are told as well."""

    code = "limit_reached"

    def __init__(self) -> None:
        super().__init__(
            "As many webhooks of others watch this table as may: those of {most} players. Take a "
            "seat, or watch another table.",
            limit="watchers",
            most=MOST_WATCHERS,
        )


@dataclass(frozen=True, slots=True)
class Webhook:
    """What a player has asked for.

    Args:
        id: its id, in the partition of its player.
        player: whose it is.
        url: where deliveries are sent.
        events: what it tells of.
        secret: what signs them, as the player has it.
        created_at: when it was made, in milliseconds since 1970.
        table: the one table that it tells of; None is every table where the player sits.
        description: the player's own words.
    """

    id: str
    player: str
    url: str
    events: tuple[WebhookEvent, ...]
    secret: str
    created_at: int
    table: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """How a webhook fares.

    Args:
        off: why it is switched off; None where it is on.
        failing_since: when the first of the failures in a row was, in milliseconds since 1970.
        failures: how many failures in a row there are.
        fault: what the last failure was.
        slow: whether its endpoint failed, or took its time, at the last delivery; or had none yet.
        waiting: how many deliveries wait.
        dropped: how many were dropped, since too many waited, or with the switching off.
    """

    off: WhyOff | None = None
    failing_since: int | None = None
    failures: int = 0
    fault: str | None = None
    slow: bool = False
    waiting: int = 0
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class Delivery:
    """Something to be sent to an endpoint, the same at every try: its id, and its body."""

    id: str
    body: str


@dataclass(frozen=True, slots=True)
class Taken:
    """The next delivery of a webhook, for whoever has taken it for a while.

    Args:
        webhook: the webhook.
        standing: how it fared till then.
        delivery: what is to be sent.
        lease: tells this taking from all others.
    """

    webhook: Webhook
    standing: Standing
    delivery: Delivery
    lease: str


class Webhooks(ABC):
    """Webhooks by player, and their outboxes.

    Of a player's account and its webhooks each method changes all or nothing, and so of a table.
    """

    @abstractmethod
    def add(self, webhook: Webhook, told: Mapping[str, int]) -> frozenset[str]:
        """Keep a new webhook; gives the tables that are noted for its player by then.

        One with an id that is there already stays as it is.

        Whoever takes a seat after that has the seat's commit say that the player is to be told.

        Args:
            webhook: the webhook.
            told: by table, the version from which on it tells.

        Raises:
            TooManyWebhooks: its player has so many already.
        """

    @abstractmethod
    def any_of(self, player_id: str) -> bool:
        """Whether a player has webhooks; asked once a table is noted for the player."""

    @abstractmethod
    def of(self, player_id: str) -> tuple[Webhook, ...]:
        """A player's webhooks, the latest first."""

    @abstractmethod
    def load(self, webhook_id: str) -> Webhook:
        """A webhook; raises `NotFound`."""

    @abstractmethod
    def standings(self, webhook_ids: Iterable[str]) -> dict[str, Standing]:
        """How these webhooks fare, by id; one that is not there has not failed yet."""

    @abstractmethod
    def remove(self, webhook: Webhook) -> None:
        """Forget a webhook, and what waits for it."""

    @abstractmethod
    def turn_on(self, webhook: Webhook, told: Mapping[str, int], now: int) -> None:
        """Switch a webhook on again; it tells from these versions on, by table.

        What waits for it is due at once, or once it is not being sent any more.
        """

    @abstractmethod
    def hear(self, player_id: str, table_ids: Iterable[str], most: int = 0) -> dict[str, int]:
        """Have a player told of tables from now on; gives the versions of those that exist.

        Args:
            player_id: the player.
            table_ids: the tables.
            most: how many players may be told of a table; 0 is any number.

        Raises:
            TooManyWatchers: so many others are told of a table already.
        """

    @abstractmethod
    def heard(self, table_id: str) -> dict[str, str]:
        """Who is to be told of a table, each with a mark that begins with a version.

        All that came up to that version, the player's webhooks have been told; the mark changes
        whenever the player is to be told anew.
        """

    @abstractmethod
    def told(self, table_id: str, webhooks: Iterable[Webhook]) -> dict[str, int]:
        """By id, up to which version of a table webhooks were told, where they were."""

    @abstractmethod
    def tell(
        self,
        webhook: Webhook,
        deliveries: Iterable[Delivery],
        at: int,
        table: tuple[str, int | None, int] | None = None,
    ) -> bool:
        """Put deliveries into a webhook's outbox, which makes it due.

        Args:
            webhook: the webhook.
            deliveries: what it is told, in order.
            at: when they are due, in milliseconds since 1970.
            table: of which table, up to which version it was told before, and is now; None is of
                no table, and then the id of the first delivery tells this telling from others.

        Returns:
            False, and nothing is put there, where it was told by somebody else meanwhile, is
            switched off, or is not there any more.  True where this very telling came before.
        """

    @abstractmethod
    def all_told(
        self,
        table_id: str,
        version: int,
        quiet: Mapping[str, str],
        *,
        again_at: int | None = None,
    ) -> bool:
        """Note that all who are to be told of a table have been, up to a version.

        Args:
            table_id: the table.
            version: the version.
            quiet: the marks of players who are not to be told any more, unless told anew.
            again_at: when to look at the table again, if it is at that version still; None is
                when it has moved on.

        Returns:
            Whether the table is at that version still.
        """

    @abstractmethod
    def forget(self, table_id: str, webhooks: Iterable[Webhook]) -> None:
        """Forget who hears of a table, and what these webhooks were told of it."""

    @abstractmethod
    def take(self, webhook_id: str, now: int, until: int) -> Taken | None:
        """Take the next delivery of a webhook for a while; None where there is none to be sent now.

        Until then nobody else takes one, unless it is sent before; then it is due again.
        """

    @abstractmethod
    def sent(self, taken: Taken, now: int, *, slow: bool) -> None:
        """Note that an endpoint has taken a delivery; the next one is due at once.

        Where somebody else has taken it meanwhile, it is theirs to say how the webhook fares.
        """

    @abstractmethod
    def failed(self, taken: Taken, fault: str, now: int, again_at: int) -> None:
        """Note that a delivery has failed; it is due again later, and the others wait for it.

        Nothing, where somebody else has taken it meanwhile.
        """

    @abstractmethod
    def turn_off(self, taken: Taken, fault: str, now: int, why: WhyOff) -> None:
        """Switch a webhook off after a failure, and drop what waits for it.

        Nothing, where somebody else has taken the delivery meanwhile.
        """


def latest_first(webhooks: Iterable[Webhook]) -> tuple[Webhook, ...]:
    """Webhooks in the order they are listed in; not every id tells when it was made."""
    return tuple(sorted(webhooks, key=lambda one: (one.created_at, one.id), reverse=True))
