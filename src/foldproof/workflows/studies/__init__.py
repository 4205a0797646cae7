"""Doing a published study again: evidence from shared partitions, tables and figures made from it, an honest judgement.

Belongs here: running protocols, makers of tables and figures by registered name, how agreement is judged.
Does not belong here: what a paper did or printed (studies/), drawing (report/figures).
To add a kind of table: one file in ``tables/`` under ``@TABLE_MAKERS.register("name")``; of figure: in ``figures/``.
"""
