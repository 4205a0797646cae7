"""Kernels: loops over arrays, compiled. The only room that imports numba.

Belongs here: functions of arrays and numbers that return arrays and numbers.
Does not belong here: objects, options, messages.
To add one: a function under ``@kernel`` (``kernels/jit.py``), and its slow twin in ``tests/naive``.
"""
