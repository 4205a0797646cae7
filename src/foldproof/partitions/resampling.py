"""Random subsampling and hold-out: one test set a run, drawn anew each time."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from foldproof.domain.address import Address
from foldproof.domain.errors import InputError
from foldproof.partitions.deal import deal_folds, draw_test_set
from foldproof.partitions.scheme import SCHEMES, Design, TestFold


def part_of(fraction: float, n: int) -> int:
    """Return ``fraction`` of n, rounded half up (the fraction as it is written: 0.1 is a tenth).

    >>> part_of(0.1, 15), part_of(0.1, 24)
    (2, 2)
    """
    return int(Fraction(str(fraction)) * n + Fraction(1, 2))


def _draw(design: Design, address: Address, fraction: float, stratified: bool) -> TestFold:
    if not 0.0 < fraction < 1.0:
        raise InputError(f"test_fraction is {fraction!r}: it must lie between 0 and 1, both excluded")
    n_test = part_of(fraction, design.n)
    if not 0 < n_test < design.n:
        raise InputError(
            f"a test set of {fraction:g} of {design.n} instances leaves one side empty: change the fraction"
        )
    stream = address.stream("partition")

    def fold_of_groups() -> TestFold:
        # Whole groups: the first of as many even parts as the fraction asks for.
        return deal_folds(design, max(2, round(1 / fraction)), stream, stratified=stratified)

    return draw_test_set(design, n_test, stream, stratified=stratified, fold_of_groups=fold_of_groups)


@SCHEMES.register("random-subsampling")
@dataclass(frozen=True, slots=True)
class RandomSubsampling:
    """Independent random test sets of ``test_fraction`` of the data; Bouckaert & Frank's Table 2 does not stratify."""

    test_fraction: float = 0.1
    stratified: bool = False
    default_runs: int = 100
    name: str = "random-subsampling"

    def assign(self, design: Design, address: Address) -> TestFold:
        """Return 0 for the instances tested in this run, -1 for the rest."""
        return _draw(design, address, self.test_fraction, self.stratified)


@SCHEMES.register("hold-out")
@dataclass(frozen=True, slots=True)
class HoldOut:
    """One random test set."""

    test_fraction: float = 0.3
    stratified: bool = True
    default_runs: int = 1
    name: str = "hold-out"

    def assign(self, design: Design, address: Address) -> TestFold:
        """Return 0 for the instances tested, -1 for the rest."""
        return _draw(design, address, self.test_fraction, self.stratified)
