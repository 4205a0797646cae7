"""How replicable a verdict is: consistency, R, forecast, enough partitions, the sequential rule.

Belongs here: pure functions of differences, t-values and counts of verdicts.
Does not belong here: fitting and partitioning (workflows do the repeating), storing, rendering.
"""
