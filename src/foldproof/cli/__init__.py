"""The command line: one file per command, each a thin call of one workflow.

Belongs here: options, exit codes, what goes to stdout and what to stderr.
Does not belong here: anything a Python user could not do without it.
To add one: a file with a function ``add_to(app)``; heavy imports go inside the command, so that ``--help`` stays quick.
"""
