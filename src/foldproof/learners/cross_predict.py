"""The names of ``learners/recognised.py``, where they were first."""

from foldproof.learners.recognised import AT_ONCE, AtOnce, Codes, Recogniser, TestFold, at_once

__all__: list[str] = ["AT_ONCE", "AtOnce", "Codes", "Recogniser", "TestFold", "at_once"]
