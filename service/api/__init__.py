"""The HTTP API: a stateless Flask application over `service.game` (docs/api.md)."""

from service.api.app import create_app

__all__ = ["create_app"]
