"""Learner: an estimator with a name, and what has to be done to it before a fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from foldproof.domain.address import Address
from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError
from foldproof.domain.registry import Registry
from foldproof.learners._hidden_states import draw_hidden_states
from foldproof.learners.copies import Copies, is_random_state

# Learners of our own, by name: functions without arguments or estimator classes.
LEARNERS: Registry[Any] = Registry("learner", "foldproof.learners")

RESERVED = "none"


@dataclass(frozen=True, slots=True, eq=False)
class Learner:
    """An estimator under comparison. It is cloned for every fit and never fitted itself."""

    name: str
    estimator: Any
    spec: str
    copies: Copies = field(default_factory=Copies, init=False, repr=False)

    @property
    def composed(self) -> bool:
        """Whether it is, or holds, a pipeline: then it is handed the data as it is and encodes for itself."""
        from sklearn.compose import ColumnTransformer
        from sklearn.pipeline import FeatureUnion, Pipeline

        kinds = (Pipeline, ColumnTransformer, FeatureUnion)
        parts = [self.estimator, *self.estimator.get_params(deep=True).values()]
        return any(isinstance(part, kinds) for part in parts)

    @property
    def native(self) -> bool:
        """Whether it takes nominal and missing values itself: one of ours, or a search over the options of one."""
        return _native_part(self.estimator) is not None

    @property
    def given_random_states(self) -> tuple[str, ...]:
        """Parameters that fix a random state themselves."""
        return tuple(
            key
            for key, value in sorted(self.estimator.get_params(deep=True).items())
            if is_random_state(key) and value is not None
        )

    def fresh(self, address: Address, fold: int) -> Any:
        """Return an unfitted copy whose open random states come from the address of the fit."""
        copy = self.copies.fresh(self.estimator, lambda key: address.integer("fit", fold, key))
        if self.copies.hides:
            draw_hidden_states(copy, self.estimator, lambda path: address.integer("fit", fold, f"within {path}"))
        return copy


def declared(estimator: Any, dataset: Dataset) -> Any:
    """Return an unfitted estimator of the native kind, told what the dataset declares; it is fitted on its codes."""
    key = _native_part(estimator)
    if not key:
        return estimator.with_declared(dataset.attributes, dataset.classes)
    inner = getattr(estimator, key).with_declared(dataset.attributes, dataset.classes)
    return estimator.set_params(**{key: inner})


def _native_part(estimator: Any) -> str | None:
    """Return where the learner that takes data as they are is: "" for the estimator itself, None for nowhere."""
    if hasattr(estimator, "with_declared"):
        return ""
    from sklearn.model_selection._search import BaseSearchCV

    if isinstance(estimator, BaseSearchCV) and hasattr(estimator.estimator, "with_declared"):
        return "estimator"
    return None


def gather(learners: Mapping[str, Any] | Sequence[Any]) -> tuple[Learner, ...]:
    """Return learners from a mapping of names, or a list of estimators, specs or (name, estimator) pairs."""
    pairs: list[tuple[str | None, Any]] = []
    if isinstance(learners, Mapping):
        pairs = [(str(name), estimator) for name, estimator in learners.items()]
    elif isinstance(learners, (str, bytes)) or not isinstance(learners, Sequence):
        raise InputError(f"learners is {learners!r}: give a mapping of names to estimators, or a list of estimators")
    else:
        for item in learners:
            if isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str):
                pairs.append((item[0], item[1]))
            else:
                pairs.append((None, item))
    found: list[Learner] = []
    for name, item in pairs:
        found.append(gather_one(item, name, found))
    if len(found) < 2:
        raise InputError(
            f"a comparison needs at least two learners; got {len(found)}: name another with -l or in the mapping"
        )
    return tuple(found)


def gather_one(item: Any, name: str | None = None, taken: Sequence[Learner] = ()) -> Learner:
    """Return the learner of one estimator or spec."""
    from foldproof.learners.spec import parse_named

    if isinstance(item, Learner):
        return item
    spec = " ".join(repr(item).split())
    estimator = item
    if isinstance(item, str):
        own_name, spec, estimator = parse_named(item)
        name = name or own_name
    _check_estimator(name or spec, estimator)
    return Learner(_free_name(name, estimator, taken), estimator, spec)


def _check_estimator(what: str, estimator: Any) -> None:
    if isinstance(estimator, type):
        raise InputError(
            f"learner {what!r} is the class {estimator.__name__}: give an instance, {estimator.__name__}()"
        )
    # A method that depends on the parts (a stacking's predict) may be there only after fit; its class has it.
    verbs = ("fit", "predict", "get_params", "set_params")
    missing = [verb for verb in verbs if not (hasattr(estimator, verb) or hasattr(type(estimator), verb))]
    if missing:
        raise InputError(
            f"learner {what!r} ({type(estimator).__name__}) is not a scikit-learn estimator: it has no {missing[0]}()"
        )


def _free_name(name: str | None, estimator: Any, taken: Sequence[Learner]) -> str:
    names = {learner.name for learner in taken}
    if name is not None:
        if name == RESERVED:
            raise InputError("no learner may be called 'none', which is the verdict where no difference is found")
        if not name.strip():
            raise InputError("a learner's name may not be empty")
        if not name.isprintable():
            raise InputError(f"the learner's name {name!r} holds a line break or another sign that cannot be printed")
        if name in names:
            raise InputError(f"two learners are called {name!r}: give each its own name")
        return name
    base = type(estimator).__name__
    name, number = base, 1
    while name in names:
        number += 1
        name = f"{base}-{number}"
    return name
