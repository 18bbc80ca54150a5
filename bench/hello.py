"""The least that a Flask application can do, which every figure is compared with."""

from flask import Flask, Response


def create_app() -> Flask:
    """An application with one route."""
    app = Flask("hello", static_folder=None)

    @app.get("/")
    def hello() -> Response:
        return Response(b'{"hello": "world"}', mimetype="application/json")

    return app
