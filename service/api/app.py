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
    admin,
    cors,
    deals,
    docs,
    event_schemas,
    events,
    health,
    idempotency,
    identities,
    invitations,
    languages,
    leaderboard,
    limits,
    play,
    players,
    problem_pages,
    quick_match,
    reference,
    sandbox,
    tables,
    tokens,
    webhook_events,
    webhooks,
)
from service.api.auth import identify
from service.api.description import description
from service.api.json import MsgspecProvider
from service.api.oidc import provider_of
from service.api.smorest import PaiuteApi
from service.config import Config, from_env
from service.game import Game

OPENAPI_VERSION = "3.1.0"

MODULES = (
    players,
    tokens,
    identities,
    tables,
    quick_match,
    sandbox,
    invitations,
    play,
    events,
    deals,
    leaderboard,
    reference,
    webhooks,
    health,
    admin,
)
"""The parts of the API, in the order of the document."""

BEARER = {
    "type": "http",
    "scheme": "bearer",
    "description": "A token of `POST /v1/players` or `POST /v1/me/tokens`, or of the identity "
    "provider of this service. An operation that names a scope (`play`, `lobby` or `account`) "
    "takes a token that has it.",
}
"""How callers prove who they are, as the document has it."""


def create_app(config: Config | None = None, game: Game | None = None) -> Flask:
    """The application, over the settings in the environment unless others are given."""
    config = config or from_env()
    game = game or wiring.build_game(config)
    provider = provider_of(config)
    logging.basicConfig(level=config.log_level)
    app = Flask("service.api", static_folder=None)
    app.json = MsgspecProvider(app)
    languages.register(app)
    app.url_map.merge_slashes = False  # An odd table id is not found, rather than elsewhere.
    app.config.update(
        MAX_CONTENT_LENGTH=config.max_body_bytes,
        API_TITLE="Paiute",
        API_VERSION=version("paiute"),
        OPENAPI_VERSION=OPENAPI_VERSION,
    )

    @app.before_request
    def prepare() -> Response | None:
        g.game, g.config, g.provider = game, config, provider
        if request.path.startswith(admin.PATH):
            admin.identify()
        elif request.path.startswith("/v1/"):
            identify()
        limits.begin()
        if request.method == "POST" and _has_body():
            _check_body()
        return idempotency.begin()

    cors.register(app, config.cors_origins)
    app.after_request(idempotency.finish)
    app.after_request(limits.finish)  # The one that comes later is asked first.

    if config.proxies:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=config.proxies, x_proto=0
        )
    api = _api(app, config)
    for module in MODULES:
        api.register_blueprint(module.blp)
    app.config["OPENAPI_DOCUMENT"] = api.spec.to_dict()
    docs.register(app)
    problem_pages.register(app)
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
        "webhooks": webhook_events.described(),
    }
    api = PaiuteApi(app, spec_kwargs=spec)
    for name, schema in event_schemas.described().items():
        api.spec.components.schema(name, schema)
    api.spec.components.security_scheme("bearer", BEARER)
    api.spec.components.security_scheme("admin", admin.SECURITY)
    return api


def _schema_name(schema: type[Schema] | Schema) -> str:
    """The name of a schema in the document."""
    kind = schema if isinstance(schema, type) else type(schema)
    return kind.__name__.removesuffix("Out")
