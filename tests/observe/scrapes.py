"""Reading metrics as Prometheus does."""

import requests
from prometheus_client.parser import text_string_to_metric_families

Labels = frozenset[tuple[str, str]]


class Scrape:
    """What `/metrics` told at one moment."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.families = {one.name: one for one in text_string_to_metric_families(text)}
        samples = [sample for family in self.families.values() for sample in family.samples]
        self.values: dict[tuple[str, Labels], float] = {
            (sample.name, frozenset(sample.labels.items())): sample.value for sample in samples
        }

    def sum(self, name: str, **labels: str) -> float:
        """The sum of all samples of a name that have these labels."""
        return sum(
            value
            for (of, has), value in self.values.items()
            if of == name and frozenset(labels.items()) <= has
        )


def scrape(url: str) -> Scrape:
    """What a service tells now, over a connection of its own: whichever process answers."""
    with requests.get(f"{url}/metrics", headers={"Connection": "close"}, timeout=30) as answer:
        assert 200 == answer.status_code
        return Scrape(answer.text)
