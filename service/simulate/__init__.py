"""Tournaments of bots on duplicate deals: `paiute simulate` (docs/bots.md).

`match` says who plays whom, `work` plays on all cores, `tally` adds up, `ladder` and `report` say
what came of it, `picture` draws it.  House levels play `quick` deals; where an outside bot plays,
`whole` has the engine itself deal.
"""
