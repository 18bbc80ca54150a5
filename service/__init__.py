"""Paiute as a service: the rules, the tables, their store and the HTTP API."""
