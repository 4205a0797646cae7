"""The papers, as data: a folder each with ``study.toml`` and ``published.csv``, and no algorithms.

Belongs here: what was done and what was printed. Does not belong here: how a table is made (workflows/studies).
To add one: a folder; docs/how-to/studies.md is its schema. Folders elsewhere are found by their path, through
the environment variable FOLDPROOF_STUDIES, or through the entry-point group ``foldproof.studies``.
"""
