"""Makers of figures, one file for each kind: from tables and evidence to series, drawn elsewhere (report/figures)."""
