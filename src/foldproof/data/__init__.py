"""Where datasets come from: arrays and frames in memory, tables on disk, scikit-learn's own.

Belongs here: reading, and turning what was read into a Dataset with sentences for what is wrong.
Does not belong here: dividing, fitting, imputing, dropping rows in silence.
To add a source: one file with a function under ``@SOURCES.register("prefix")``; ``prefix:name`` then works everywhere.
"""
