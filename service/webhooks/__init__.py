"""Telling players' endpoints of what concerns them, signed, until they have taken it.

`postman` decides what is told to whom and when; `sending` makes one try; `targets` says what may be
called, since players choose the addresses and the service stands in a network of its own.
"""
