"""Learner specs: ``name=package.Class(argument, …)`` read as literals. Nothing is evaluated."""

from __future__ import annotations

import ast
import importlib
import re
from difflib import get_close_matches
from typing import Any

from foldproof.domain.errors import InputError, NotInThisVersionError, unknown_name
from foldproof.learners.learner import LEARNERS

_NAMED = re.compile(r"^\s*([^=(\[{'\"]+?)\s*=\s*(?!=)(.+)$", re.DOTALL)
# A name with hyphens would otherwise be read as a subtraction.
_BARE = re.compile(r"[^\W\d][\w-]*")
_OWN = re.compile(r"([^\W\d]\w*(?:-\w+)+)\(")
_LONGEST = 120
PLANNED: tuple[str, ...] = ()


def parse_named(text: str) -> tuple[str | None, str, Any]:
    """Return the name, if one is given, the spec and the estimator of ``[name=]spec``.

    >>> parse_named("stump=sklearn.tree.DecisionTreeClassifier(max_depth=1)")
    ('stump', 'sklearn.tree.DecisionTreeClassifier(max_depth=1)', DecisionTreeClassifier(max_depth=1))
    """
    named = _NAMED.match(text)
    name, spec = (named.group(1), named.group(2)) if named else (None, text)
    return name, spec.strip(), parse_spec(spec.strip())


def parse_spec(spec: str) -> Any:
    """Return the estimator that a spec describes.

    A spec is a learner's registered name or a dotted name, with arguments in brackets; arguments are
    numbers, texts, True, False, None, lists, tuples, dicts, and specs again.

    >>> parse_spec("naive-bayes")
    NaiveBayes()
    >>> parse_spec("c45(confidence=0.1)")
    C45(confidence=0.1)
    """
    # A dotted name is never a registered one; not asking keeps our learners, and what they load, out of its way.
    if "." not in spec and spec in LEARNERS:
        return LEARNERS[spec]()
    if spec in PLANNED:
        raise NotInThisVersionError(f"the learner {spec!r}")
    if _BARE.fullmatch(spec):
        raise InputError(f"unknown learner {spec!r}: {_hint(spec)}")
    own = _OWN.match(spec)
    try:
        # A name of ours with hyphens is no identifier: it stands in for one until the call is made.
        tree = ast.parse(spec.replace(own[1], own[1].replace("-", "_"), 1) if own else spec, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise InputError(
            f"cannot read the learner {_short(spec)}: write package.Class(argument=value, …), for instance "
            "sklearn.tree.DecisionTreeClassifier(max_depth=2)"
        ) from None
    if isinstance(tree, (ast.Name, ast.Attribute)):
        return _build(ast.Call(func=tree, args=[], keywords=[]), spec)
    if not isinstance(tree, ast.Call):
        raise InputError(f"cannot read the learner {_short(spec)}: it is a value and not a class with arguments")
    return _build(tree, spec)


def _build(node: ast.expr, spec: str) -> Any:
    if isinstance(node, ast.Call):
        made = _callee(node.func, spec)
        arguments = [_build(argument, spec) for argument in node.args]
        options = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                raise InputError(f"cannot read the learner {spec!r}: ** is not allowed, write the arguments out")
            options[keyword.arg] = _build(keyword.value, spec)
        try:
            return made(*arguments, **options)
        except (TypeError, ValueError) as error:
            raise InputError(f"cannot make the learner {spec!r}: {error}") from None
    if isinstance(node, (ast.List, ast.Tuple)):
        parts = [_build(part, spec) for part in node.elts]
        return parts if isinstance(node, ast.List) else tuple(parts)
    if isinstance(node, ast.Dict) and all(key is not None for key in node.keys):
        return {_build(k, spec): _build(v, spec) for k, v in zip(node.keys, node.values, strict=True) if k}
    if isinstance(node, ast.Attribute):
        return _reference(node, spec)
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise InputError(
            f"cannot read {ast.unparse(node)!r} in the learner {spec!r}: arguments are literals or specs; "
            "nothing is evaluated"
        ) from None


def _dotted(node: ast.expr, spec: str) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value, spec)}.{node.attr}"
    raise InputError(f"cannot read the learner {spec!r}: {ast.unparse(node)!r} is not a dotted name")


def _callee(node: ast.expr, spec: str) -> Any:
    """Return what a spec calls: an estimator class, or a class or maker of scikit-learn's; nothing else is called.

    Functions of scikit-learn at large are not: some of them fetch, read and delete files.
    """
    name = _dotted(node, spec)
    found = _found(name.replace("_", "-") if _is_own(name) else name)
    is_class = isinstance(found, type)
    is_estimator = is_class and hasattr(found, "get_params") and hasattr(found, "set_params")
    of_sklearn = str(getattr(found, "__module__", "")).partition(".")[0] == "sklearn"
    makes = is_class or getattr(found, "__name__", "").startswith("make_")
    if not (is_estimator or (of_sklearn and makes)):
        raise InputError(f"{name!r} is not an estimator: a learner is a class with fit, get_params and set_params")
    return found


def _is_own(name: str) -> bool:
    return "." not in name and "_" in name and name.replace("_", "-") in LEARNERS


def _short(spec: str) -> str:
    """Return a spec as an error shows it: one that is no learner may be anything, of any length."""
    return repr(spec) if len(spec) <= _LONGEST else f"{spec[:_LONGEST]!r}…"


def _reference(node: ast.Attribute, spec: str) -> Any:
    """Return something that is named as an argument and not called, such as ``numpy.log1p``."""
    return _found(_dotted(node, spec))


def _found(name: str) -> Any:
    module_name, _, attribute = name.rpartition(".")
    if not module_name:
        if name in LEARNERS:
            return LEARNERS[name]
        raise InputError(f"unknown learner {name!r}: {_hint(name)}")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        raise InputError(f"unknown learner {name!r}: there is no module {error.name!r}; is it installed?") from None
    except ImportError as error:
        raise InputError(f"unknown learner {name!r}: importing {module_name!r} failed: {error}") from None
    if not hasattr(module, attribute):
        raise unknown_name(f"name in {module_name}", attribute, [n for n in dir(module) if n[0].isupper()])
    return getattr(module, attribute)


def _hint(name: str) -> str:
    """Say what a bare name was meant to be: a learner of ours, or a class of scikit-learn's and where it lives."""
    from sklearn.utils import all_estimators

    homes = {n: c.__module__ for n, c in all_estimators()}
    near = get_close_matches(name, [*LEARNERS, *homes], n=1, cutoff=0.6)
    if near and near[0] in homes:
        public = ".".join(part for part in homes[near[0]].split(".") if not part.startswith("_"))
        return f"did you mean '{public}.{near[0]}()'?"
    if near:
        return f"did you mean {near[0]!r}? (foldproof list learners)"
    return "give a learner's name (foldproof list learners) or package.Class(arguments)"
