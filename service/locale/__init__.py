"""The catalogues of translations, and what keeps them up to date: `python -m service.locale`."""
