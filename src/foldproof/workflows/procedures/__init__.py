"""Procedures by name: a test together with the partitions it needs. One file for each way of making evidence.

To add one: a file that registers a ``Procedure`` (``base.py``); what differs from cross-validation is its
``conduct`` (how the fits are arranged) or its ``judge`` (what evidence its test takes).
"""

from foldproof.workflows.procedures.base import (
    DEFAULT,
    PROCEDURES,
    Conducted,
    Judged,
    Procedure,
    Request,
    list_procedures,
    procedure,
)

__all__ = ["DEFAULT", "PROCEDURES", "Conducted", "Judged", "Procedure", "Request", "list_procedures", "procedure"]
