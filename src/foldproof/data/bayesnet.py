"""Simulated sources: Bayesian networks over binary variables, as Bouckaert & Frank (2004, section 4.4) used them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from foldproof.domain.address import Address, Stream
from foldproof.domain.errors import InputError

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BayesianNetwork:
    """A binary class with arcs to binary attributes, and arcs between attributes, from lower to higher.

    ``probabilities[a]`` holds P(attribute a = 1) for each configuration of its parents: the class first, then
    ``parents[a]`` in ascending order, the most significant first. An attribute that ignores the class repeats itself.

    >>> net = BayesianNetwork("coin", 0.5, ((), (0,)), ((0.2, 0.7), (0.1, 0.9, 0.4, 0.6)))
    >>> round(float(net.joint().sum()), 12), net.joint().shape
    (1.0, (2, 4))
    """

    name: str
    class_prior: float
    parents: tuple[tuple[int, ...], ...]
    probabilities: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        if len(self.parents) != len(self.probabilities) or not self.parents:
            raise InputError("a network needs the parents and the probabilities of each attribute, and one at least")
        for a, (parents, table) in enumerate(zip(self.parents, self.probabilities, strict=True)):
            if list(parents) != sorted(set(parents)) or any(not 0 <= p < a for p in parents):
                raise InputError(f"the parents of attribute {a} are {parents}: they must be lower ones, ascending")
            if len(table) != 2 ** (1 + len(parents)):
                raise InputError(f"attribute {a} needs {2 ** (1 + len(parents))} probabilities; got {len(table)}")
        numbers = [self.class_prior, *(p for table in self.probabilities for p in table)]
        if not all(0.0 <= p <= 1.0 for p in numbers):
            raise InputError("a network's probabilities must lie between 0 and 1")

    @classmethod
    def from_mapping(cls, stored: Mapping[str, Any]) -> BayesianNetwork:
        """Return the network of a mapping with ``name``, ``class_prior``, ``parents`` and ``cpt``."""
        return cls(
            name=str(stored["name"]),
            class_prior=float(stored["class_prior"]),
            parents=_tuples(stored["parents"]),
            probabilities=_tuples(stored["cpt"]),
        )

    @property
    def n_attributes(self) -> int:
        """How many attributes there are."""
        return len(self.parents)

    def joint(self) -> Floats:
        """Return P(class, attributes): a row for each class, a column for each code (attribute a is bit a)."""
        codes = np.arange(2**self.n_attributes)
        table = np.empty((2, len(codes)))
        for label in (0, 1):
            chance = np.full(len(codes), self.class_prior if label else 1.0 - self.class_prior)
            for a, parents in enumerate(self.parents):
                configuration = np.full(len(codes), label)
                for p in parents:
                    configuration = 2 * configuration + ((codes >> p) & 1)
                one = np.array(self.probabilities[a])[configuration]
                chance *= np.where((codes >> a) & 1, one, 1.0 - one)
            table[label] = chance
        return table

    def sample(self, n: int, stream: Stream) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
        """Return n instances and their classes, by the inverse of the joint distribution function."""
        cumulative = np.cumsum(self.joint().ravel())
        uniform = (stream.words(n) >> np.uint64(11)) * 2.0**-53
        cells = np.minimum(np.searchsorted(cumulative, uniform * cumulative[-1], side="right"), len(cumulative) - 1)
        labels, codes = np.divmod(cells, 2**self.n_attributes)
        X = ((codes[:, np.newaxis] >> np.arange(self.n_attributes)) & 1).astype(np.float64)
        return X, labels.astype(np.int64)

    def accuracy(self, predicted: npt.ArrayLike) -> float:
        """Return the exact accuracy of the class predicted for each code."""
        labels = np.asarray(predicted)
        if labels.shape != (2**self.n_attributes,):
            raise InputError(f"accuracy takes a predicted class for each of {2**self.n_attributes} codes")
        return float(self.joint()[labels.astype(np.intp), np.arange(len(labels))].sum())


def _tuples(lists: Sequence[Sequence[Any]]) -> tuple[tuple[Any, ...], ...]:
    return tuple(tuple(inner) for inner in lists)


def random_network(
    arcs: int | None,
    seed: int = 0,
    *,
    attributes: int = 9,
    beta: tuple[float, float] = (1.0, 1.0),
    class_prior: float = 0.5,
    name: str | None = None,
) -> BayesianNetwork:
    """Return a random network: the class points to every attribute, and ``arcs`` more join attributes.

    Arcs go from lower to higher attributes, in random order; probabilities are drawn from a Beta distribution, one for
    each configuration of parents. With ``arcs=None`` the class points to nothing: there is nothing to learn.

    >>> net = random_network(12, seed=3)
    >>> net.n_attributes, sum(len(parents) for parents in net.parents)
    (9, 12)
    >>> random_network(None).accuracy([0] * 512)
    0.5
    """
    pairs = [(i, j) for j in range(max(attributes, 0)) for i in range(j)]
    if attributes < 1 or not (arcs is None or 0 <= arcs <= len(pairs)):
        raise InputError(
            f"{arcs} arcs between {attributes} attributes: there must be an attribute, and from 0 to {len(pairs)} arcs "
            "(or None for a source with nothing to learn)"
        )
    if not (beta[0] > 0.0 and beta[1] > 0.0):
        raise InputError(f"beta is {beta!r}: give two positive numbers")
    address = Address(seed, f"random network {arcs} {attributes} {beta[0]!r} {beta[1]!r}")
    order = address.stream("arcs").permutation(len(pairs))
    chosen = {pairs[at] for at in order[: arcs or 0]}
    parents = tuple(tuple(i for i in range(j) if (i, j) in chosen) for j in range(attributes))
    sizes = [1 if arcs is None else 2 ** (1 + len(own)) for own in parents]
    drawn = _from_beta(address.stream("probabilities"), sum(sizes), *beta)
    tables = np.split(drawn, np.cumsum(sizes)[:-1])
    probabilities = tuple(tuple(np.tile(table, 2 if arcs is None else 1).tolist()) for table in tables)
    return BayesianNetwork(name or f"random-{arcs}-{seed}", class_prior, parents, probabilities)


def _from_beta(stream: Stream, n: int, a: float, b: float) -> Floats:
    from scipy import special

    # The middle of one of 2^53 equal parts, so that no probability is 0 or 1.
    uniform: Floats = ((stream.words(n) >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
    return uniform if a == b == 1.0 else np.asarray(special.betaincinv(a, b, uniform))
