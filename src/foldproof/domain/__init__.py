"""The nouns: frozen, validated values that every other room speaks of.

Belongs here: Dataset, Partitions, Outcomes, Differences, results, Verdict, and what they
are named by (fingerprints, addresses, registries, errors).
Does not belong here: reading, fitting, testing, storing, rendering.
To add one: one file, one noun, a docstring that says what holds for every instance of it.
"""
