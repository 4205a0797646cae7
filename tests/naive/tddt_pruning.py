"""Pruning has its slow twin beside growing."""

from naive.tddt import factors, leaves, predict, prune_pessimistically, prune_with

__all__ = ["factors", "leaves", "predict", "prune_pessimistically", "prune_with"]
