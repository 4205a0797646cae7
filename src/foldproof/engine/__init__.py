"""The engine: a plan becomes tasks, tasks become outcomes. It never sees a p-value.

Belongs here: expanding plans, running fits in parallel, telling of progress and failures.
Does not belong here: what scores mean, testing, rendering, SQL.
To add an executor: one file that runs tasks and yields their results in any order.
"""
