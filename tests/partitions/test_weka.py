"""Weka's folds, to the last instance."""

import json
import re

import numpy as np
import pytest

from foldproof.domain.address import Address
from foldproof.kernels.java_random import java_shuffle
from foldproof.partitions import Design, WekaKFold, WekaSubsampling
from naive.java_random import shuffled


@pytest.mark.parametrize("n", [1, 2, 5, 16, 57, 300])
@pytest.mark.parametrize("seed", [0, 1, 10, 2**40 + 17])
def test_the_kernel_shuffles_as_its_slow_twin(n, seed):
    assert java_shuffle(n, seed).tolist() == shuffled(n, seed)


def classes_of(arff):
    """The class codes of a simple ARFF file, read without our reader."""
    lines = arff.read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.lower().startswith("@data"))
    declared = [line for line in lines if line.lower().startswith("@attribute")][-1]
    names = [v.strip().strip("'") for v in re.search(r"\{(.*)\}", declared).group(1).split(",")]
    rows = [line for line in lines[start + 1 :] if line.strip() and not line.startswith("%")]
    return np.array([names.index(row.split(",")[-1].strip().strip("'")) for row in rows])


@pytest.mark.parametrize("name", ["iris", "labor", "glass"])
def test_the_folds_of_ten_runs_of_the_experimenter(shared, name):
    folds = json.loads(shared("reference", "weka", "experimenter_tests.json").read_text())["folds"][name]
    strata = classes_of(shared("datasets", f"{name}.arff"))
    for run, expected in enumerate(folds):
        assigned = WekaKFold().assign(Design(len(strata), strata), Address(0, "", run=run))
        assert "".join(map(str, assigned)) == expected


def test_run_numbers_go_in_blocks_by_repetition():
    design = Design(20, np.arange(20) % 2)
    by_block = WekaKFold(folds=5, block=10).assign(design, Address(0, "", repetition=2, run=3))
    by_number = WekaKFold(folds=5, first_run=24).assign(design, Address(0, ""))
    assert np.array_equal(by_block, by_number)


@pytest.mark.parametrize(("n", "n_train"), [(15, 14), (25, 23), (20, 18)])
def test_subsampling_trains_on_the_first_part_rounded_half_up(n, n_train):
    test_fold = WekaSubsampling().assign(Design(n), Address(0, ""))
    assert sorted(np.flatnonzero(test_fold == -1)) == sorted(shuffled(n, 1)[:n_train])
