"""The simulated sources: five networks after Bouckaert & Frank (2004, section 4.4), and samples of them as datasets."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from foldproof.data.bayesnet import BayesianNetwork
from foldproof.data.sources import SOURCES, Wanted
from foldproof.domain.address import Address, Stream
from foldproof.domain.dataset import Attribute, Dataset, fingerprint_dataset
from foldproof.domain.errors import InputError, unknown_name

#: How many instances a sample has where nothing else is said.
INSTANCES = 300


@cache
def simulated_sources() -> dict[str, BayesianNetwork]:
    """Return the networks by name.

    ``source1`` has nothing to learn; in ``source2`` to ``source4`` trees beat naive Bayes by about 2.8, 5.8 and 11.3
    points of accuracy; in ``null_informative`` both learn equally much, within a tenth of a point.

    >>> list(simulated_sources())
    ['source1', 'source2', 'source3', 'source4', 'null_informative']
    """
    stored = json.loads(files("foldproof.data").joinpath("networks.json").read_text(encoding="utf-8"))
    return {network["name"]: BayesianNetwork.from_mapping(network) for network in stored["networks"]}


def simulated_source(name: str) -> BayesianNetwork:
    """Return one network."""
    if name not in simulated_sources():
        raise unknown_name("simulated source", name, simulated_sources())
    return simulated_sources()[name]


def sampled(network: BayesianNetwork, n: int, stream: Stream, *, name: str | None = None) -> Dataset:
    """Return a sample as a dataset whose attributes are declared nominal, and whose classes are all declared.

    >>> data = sampled(simulated_source("source2"), 50, Address(0, "example").stream())
    >>> len(data), data.attributes[0].categories, data.classes
    (50, ('0', '1'), ('0', '1'))
    """
    X, y = network.sample(n, stream)
    attributes = tuple(Attribute(f"a{a}", ("0", "1")) for a in range(network.n_attributes))
    target = y.astype(float)
    labels = ("0", "1")
    return Dataset(
        name=name or network.name,
        X=X,
        codes=X,
        attributes=attributes,
        y=y.astype(str).astype(object),
        target_codes=target,
        task="classification",
        fingerprint=fingerprint_dataset(X, attributes, target, labels),
        classes=labels,
        target_name="class",
    )


@SOURCES.register("simulated")
def read_simulated(wanted: Wanted) -> Dataset:
    """Return a sample of a network: ``simulated:source2``, or ``simulated:source2/1000`` for another size."""
    name, _, size = wanted.name.partition("/")
    if wanted.target is not None or wanted.groups is not None:
        raise InputError(f"simulated:{name} has its own target and no groups: leave out --target and --groups")
    if size and not (size.isdigit() and int(size) > 1):
        raise InputError(f"simulated:{wanted.name}: the size is {size!r}; write simulated:{name}/1000 for a thousand")
    n = int(size) if size else INSTANCES
    return sampled(
        simulated_source(name), n, Address(0, f"simulated:{name}").stream("sample"), name=f"simulated:{wanted.name}"
    )
