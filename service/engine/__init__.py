"""The rules of Paiute: pure functions over frozen values, standard library only.

Nothing here reads a clock, draws from global chance or does I/O.  Start reading at
`rules.py`; the rules in words are in `docs/rules.md`.
"""
