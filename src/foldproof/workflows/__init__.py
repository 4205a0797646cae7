"""What people do: compare, replicate, … and the public results with their verbs.

Belongs here: putting the rooms together, and whatever needs fitting in a loop.
Does not belong here: formulas, SQL, HTML, command-line parsing.
To add one: one file with one front door and its frozen result; the command in ``cli/`` stays a thin call of it.
"""
