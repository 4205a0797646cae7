"""How a dataset is divided: schemes that answer one run at a time, each from its own address.

Belongs here: who is tested when. Does not belong here: scores, learners, tests.
To add one: a file with a frozen dataclass that has ``name``, ``default_runs`` and ``assign(design, address)``,
under ``@SCHEMES.register("name")``; the partition laws of ``tests/partitions`` run over the registry.
"""

from foldproof.partitions.from_splitter import partitions_from_splitter
from foldproof.partitions.kfold import FiveByTwo, KFold, LeaveOneOut
from foldproof.partitions.resampling import HoldOut, RandomSubsampling
from foldproof.partitions.scheme import SCHEMES, Design, Scheme, partition
from foldproof.partitions.weka import WekaKFold, WekaSubsampling

__all__ = [
    "SCHEMES",
    "Design",
    "FiveByTwo",
    "HoldOut",
    "KFold",
    "LeaveOneOut",
    "RandomSubsampling",
    "Scheme",
    "WekaKFold",
    "WekaSubsampling",
    "partition",
    "partitions_from_splitter",
]
