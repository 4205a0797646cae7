"""Scores and predictions from elsewhere: one file for each form that they come in.

Belongs here: reading a form into records, finding its design, refusing what is not paired.
Does not belong here: testing and deciding (workflows).
To add a form: a file with a function from records to ``Scores``, and its sign in ``read.py``.
"""
