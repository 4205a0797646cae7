"""The only room that renders: text, HTML, LaTeX, figures. It takes plain values (``to_dict()``) and computes nothing.

Belongs here: words, tables, pages, pictures. Does not belong here: deciding anything.
To add a form: one file with functions from plain values to a string (figures: Axes in, Axes out).
"""
