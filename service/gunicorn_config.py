"""What gunicorn's command line can't say; the rest is in `service.launcher.gunicorn_command`."""

from typing import Any

from service import drain


def pre_request(_worker: Any, request: Any) -> None:
    """Lead the clients of a process that is about to be stopped elsewhere: keep none alive."""
    if drain.begun():
        request.force_close()
