"""Learners: ours, and the adapter through which any scikit-learn estimator joins.

Belongs here: estimators, their specs as text, and what is done to data inside a training fold.
Does not belong here: dividing, scoring, testing, rendering.
To add one: one file with a scikit-learn estimator under ``@LEARNERS.register("its-name")`` (its loops in ``kernels/``).
"""
