"""What the service tells of itself: metrics, logs and traces.  No id, name or card is in a metric.

The lowest layer with `service.engine`: everybody may count here, and it imports nobody.
"""
