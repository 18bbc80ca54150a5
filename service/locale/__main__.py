"""Bring the catalogues up to date, compile them, and say what is still to be translated."""

import sys

from service.locale import catalogues, page
from service.locale.catalogues import LANGUAGES, TEMPLATE, Catalogue


def main() -> int:
    """Update everything; gives how many texts are still to be translated."""
    TEMPLATE.write_bytes(catalogues.written(catalogues.template()))
    return min(sum(_update(language) for language in LANGUAGES), 100)


def _update(language: str) -> int:
    catalogue = catalogues.merged(language)
    catalogues.path_of(language).write_bytes(catalogues.written(catalogue))
    catalogues.path_of(language, "mo").write_bytes(catalogues.compiled(catalogue))
    for part in page.PARTS:
        page.path_of(language, part).write_bytes(page.written(catalogue, part))
    left = _left(catalogue)
    said = "complete" if not left else f"to be translated: {len(left)}, {left[0][:60]!r} first"
    sys.stdout.write(f"{catalogues.path_of(language)}: {said}\n")
    return len(left)


def _left(catalogue: Catalogue) -> list[str]:
    return [str(one.id) for one in catalogue if one.id and (not one.string or one.fuzzy)]


if __name__ == "__main__":
    sys.exit(main())
