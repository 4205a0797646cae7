"""Figures: Axes in, Axes out. The only room that imports matplotlib.

Belongs here: one function a figure, readable in grey. Does not belong here: numbers that were not handed in.
"""
