"""What is to be known of learners that tune themselves: how many settings they try, and which one was chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from foldproof.domain.address import Address
from foldproof.domain.errors import InputError, unknown_name
from foldproof.learners.learner import Learner


def tuned(
    learners: tuple[Learner, ...], tune: Mapping[str, Any], *, scoring: Any, seed: int, fingerprint: str
) -> tuple[Learner, ...]:
    """Return the learners, those that ``tune`` names inside a :class:`~foldproof.learners.Tuned` with its settings."""
    from foldproof.learners._tuned import Tuned, listed_settings

    if not isinstance(tune, Mapping):
        raise InputError(f"tune is {tune!r}: give a mapping of learners' names to their settings")
    names = [learner.name for learner in learners]
    for name in tune:
        if name not in names:
            raise unknown_name("learner to tune", str(name), names)
    found = []
    for learner in learners:
        if learner.name not in tune:
            found.append(learner)
            continue
        settings = listed_settings(tune[learner.name], Address(seed, fingerprint).integer("settings", learner.name))
        allowed = learner.estimator.get_params(deep=True)
        for key in {key for setting in settings for key in setting}:
            if key not in allowed:
                raise unknown_name(f"parameter of {learner.name!r}", key, allowed)
        estimator = Tuned(learner.estimator, settings, scoring=scoring)
        found.append(Learner(learner.name, estimator, f"{learner.spec} tuned over {len(settings)} settings"))
    return tuple(found)


def settings_tried(estimator: Any) -> int:
    """Return how many settings an estimator tries in a fit, 1 where it does not say.

    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> settings_tried(GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2, 3]}))
    3
    """
    from foldproof.learners._tuned import Tuned, listed_settings

    for part in _parts(estimator):
        if isinstance(part, Tuned):
            return len(listed_settings(part.settings, 0))
        if hasattr(part, "param_grid"):
            return len(listed_settings(part.param_grid))
        if hasattr(part, "param_distributions"):
            return int(part.n_iter) if hasattr(part, "n_iter") else 1
    return 1


def chosen_parameters(estimator: Any) -> str | None:
    """Return the setting that a fitted estimator chose for itself, as text; None where it tells of none.

    >>> from foldproof.learners import Tuned
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tree = Tuned(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2]})
    >>> chosen_parameters(tree.fit([[i] for i in range(30)], [0] * 10 + [1] * 10 + [0] * 10))
    'max_depth=2'
    """
    for part in _parts(estimator):
        best = getattr(part, "best_params_", None)
        if isinstance(best, Mapping):
            return ", ".join(f"{key}={_plain(best[key])}" for key in sorted(best))
    return None


def _parts(estimator: Any) -> list[Any]:
    """Return an estimator, and the steps of a pipeline from the last to the first."""
    steps = [step for _, step in getattr(estimator, "steps", [])]
    return [estimator, *reversed(steps)]


def _plain(value: Any) -> str:
    """Return a value as text that is the same in every process."""
    item = value.item() if hasattr(value, "item") and getattr(value, "ndim", 1) == 0 else value
    return " ".join(repr(item).split())
