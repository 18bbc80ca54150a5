"""What gunicorn's command line can't say; the rest is in `service.launcher.gunicorn_command`."""

from typing import Any

from gunicorn.glogging import Logger

from service import drain
from service.observe import logs


class GunicornLogger(Logger):
    """Gunicorn's own log, in the form of ours."""

    def setup(self, cfg: Any) -> None:
        """As gunicorn does it, but for the form."""
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.setFormatter(logs.formatter())


logger_class = GunicornLogger


def pre_request(_worker: Any, request: Any) -> None:
    """Lead the clients of a process that is about to be stopped elsewhere: keep none alive."""
    if drain.begun():
        request.force_close()
