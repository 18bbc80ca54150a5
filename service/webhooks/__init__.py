"""Telling players' endpoints of what concerns them, signed, until they have taken it.

`postman` keeps webhooks and has what waits sent; `telling` puts there what has happened at a table;
`sending` makes one try; `targets` says what may be called, since players choose the addresses and
the service stands in a network of its own.
"""
