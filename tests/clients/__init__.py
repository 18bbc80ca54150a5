"""Clients that were generated from the document play on the running service."""
