"""Makers of tables, one file for each kind; a study names them as ``maker``.

A maker is a function of a :class:`~foldproof.domain.study.Part` and a workbench and returns a StudyTable.
It never fits anything by itself: it asks the workbench for evidence.
"""
