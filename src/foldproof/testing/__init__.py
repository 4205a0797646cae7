"""What ships for checking an installation: the golden-file runner.

Belongs here: programs that test foldproof from outside, through its public functions.
Does not belong here: the test suite, and anything another room would import.
To add one: a module that runs with ``python -m foldproof.testing.<name>``.
"""
