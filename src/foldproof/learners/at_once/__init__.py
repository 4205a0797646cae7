"""Learners that learn from all partitions at once, each with its own exact method.

Belongs here: one file per kind of estimator, which recognises it and prepares the work that all partitions share.
Does not belong here: loops over the data (``kernels/``), scoring, running tasks.
To add one: a file that registers a recogniser under the estimator's qualified name; see ``learners/cross_predict.py``.
"""
