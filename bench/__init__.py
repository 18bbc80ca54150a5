"""What the service takes, measured."""
