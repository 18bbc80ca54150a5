"""The application that the job functions of this process work on."""

from functools import cache

from service import wiring
from service.config import from_env
from service.game import Game


@cache
def game() -> Game:
    """The application, built from the environment when the first job asks for it."""
    return wiring.build_game(from_env())
