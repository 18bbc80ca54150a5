"""The Flask application."""

import logging
from importlib.metadata import version

from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask, Response, g, request
from marshmallow import Schema
from werkzeug.exceptions import ClientDisconnected, UnsupportedMediaType
from werkzeug.middleware.proxy_fix import ProxyFix

from service import wiring
from service.api import (
    docs,
    health,
    history,
    idempotency,
    limits,
    play,
    players,
    reference,
    tables,
)
from service.api.auth import identify
from service.api.description import description
from service.api.json import MsgspecProvider
from service.api.smorest import PaiuteApi
from service.config import Config, from_env
from service.game import Game

OPENAPI_VERSION = "3.1.0"


def create_app(config: Config | None = None, game: Game | None = None) -> Flask:
    """The application, over the settings in the environment unless others are given."""
    config = config or from_env()
    game = game or wiring.build_game(config)
    logging.basicConfig(level=config.log_level)
    app = Flask("service.api", static_folder=None)
    app.json = MsgspecProvider(app)
    app.url_map.merge_slashes = False  # An odd table id is not found, rather than elsewhere.
    app.config.update(
        MAX_CONTENT_LENGTH=config.max_body_bytes,
        API_TITLE="Paiute",
        API_VERSION=version("paiute"),
        OPENAPI_VERSION=OPENAPI_VERSION,
    )

    @app.before_request
    def prepare() -> Response | None:
        g.game, g.config = game, config
        if request.path.startswith("/v1/"):
            identify()
        limits.begin()
        if request.method == "POST" and _has_body():
            _check_body()
        return idempotency.begin()

    app.after_request(idempotency.finish)
    app.after_request(limits.finish)  # The one that comes later is asked first.

    if config.proxies:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=config.proxies, x_proto=0
        )
    api = _api(app, config)
    for module in (players, tables, play, history, reference, health):
        api.register_blueprint(module.blp)
    app.config["OPENAPI_DOCUMENT"] = api.spec.to_dict()
    docs.register(app)
    return app


def _has_body() -> bool:
    """Whether a body came for a route that there is."""
    sent = request.content_length or "Transfer-Encoding" in request.headers
    return bool(sent) and request.routing_exception is None


def _check_body() -> None:
    """Refuse a body that is no JSON, and one whose end was lost with its connection."""
    if not request.is_json:
        raise UnsupportedMediaType
    if len(request.get_data(cache=True)) < (request.content_length or 0):
        raise ClientDisconnected


def _api(app: Flask, config: Config) -> PaiuteApi:
    spec = {
        "marshmallow_plugin": MarshmallowPlugin(schema_name_resolver=_schema_name),
        "info": {
            "description": description(config),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
    }
    api = PaiuteApi(app, spec_kwargs=spec)
    api.spec.components.security_scheme("bearer", {"type": "http", "scheme": "bearer"})
    return api


def _schema_name(schema: type[Schema] | Schema) -> str:
    """The name of a schema in the document."""
    kind = schema if isinstance(schema, type) else type(schema)
    return kind.__name__.removesuffix("Out")
