"""Keys are of what moves a fit, and the same in every process."""

import functools
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import BaggingClassifier
from sklearn.metrics import get_scorer, get_scorer_names
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.domain.partitions import ExplicitPartitions, Partitions
from foldproof.engine.describe import describe
from foldproof.engine.keys import CellKeys, divisions, recipe_of, series_of
from foldproof.engine.plan import Plan
from foldproof.learners import Tuned
from foldproof.learners.learner import gather_one
from foldproof.learners.spec import parse_spec


class Own(ClassifierMixin, BaseEstimator):
    def __init__(self, a=1, b=None):
        self.a = a
        self.b = b

    def fit(self, X, y):
        return self

    def predict(self, X):
        return X[:, 0]


def own_function(X):
    return X


def plan(estimator=None, X=None, y=None, **changes):
    X = np.arange(12.0).reshape(6, 2) if X is None else X
    y = np.arange(6) % 2 if y is None else y
    values = {
        "dataset": fp.dataset(X, y),
        "splits": Partitions(np.array([[0, 0, 0, 1, 1, 1]])),
        "learners": (gather_one(GaussianNB() if estimator is None else estimator),),
        "scorers": {"accuracy": get_scorer("accuracy")},
        "seed": 3,
    }
    return Plan(**{**values, **changes})


def key(*args, **changes):
    return series_of(plan(*args, **changes), 0).key


def test_the_key_is_of_everything_that_moves_a_fit():
    X = np.arange(12.0).reshape(6, 2)
    keys = [
        key(),
        key(GaussianNB(var_smoothing=1e-8)),
        key("naive-bayes"),
        key(DecisionTreeClassifier()),
        key(BaggingClassifier(DecisionTreeClassifier())),
        key(BaggingClassifier(DecisionTreeClassifier(max_depth=1))),
        key(seed=4),
        key(repetition=1),
        key(encode=False),
        key(X=X + 1),
        key(y=1 - np.arange(6) % 2),
        key(X=X.astype(np.float32)),
        key(X=pd.DataFrame(X, columns=["a", "b"])),
        key(X=pd.DataFrame(X, columns=["b", "a"])),
    ]
    assert len(set(keys)) == len(keys)


def test_the_key_is_of_nothing_else():
    scorers = {"f1": get_scorer("f1")}
    longer = Partitions(np.array([[0, 0, 0, 1, 1, 1], [0, 1, 0, 1, 0, 1]]))
    named = (gather_one(GaussianNB(), "another name"),)
    same = [
        key(),
        key(GaussianNB(var_smoothing=np.float64(1e-9))),
        key(scorers=scorers),
        key(splits=longer),
        key(first_run=7),
        key(learners=named),
        key(fast=False),
        key(time_limit=1.0),
    ]
    assert len(set(same)) == 1


def test_another_process_finds_the_same_keys():
    """Among them hashes of texts, sets and dictionaries, which differ from process to process in Python."""
    code = (
        "import numpy as np\n"
        "from sklearn.pipeline import make_pipeline\n"
        "from sklearn.preprocessing import FunctionTransformer, StandardScaler\n"
        "from sklearn.svm import SVC\n"
        "from sklearn.model_selection import GridSearchCV, KFold\n"
        "from foldproof.engine.describe import describe\n"
        "scorer = __import__('sklearn.metrics').metrics.get_scorer('f1_macro')\n"
        "inner = make_pipeline(FunctionTransformer(np.log1p), StandardScaler(), SVC(class_weight={'b': 2, 'a': 1}))\n"
        "search = GridSearchCV(inner, {'svc__C': np.array([1., 2.])}, cv=KFold(3), scoring=scorer)\n"
        "print(describe([search, {'x', 'y', 'zz'}, np.random.RandomState(1)]).whole)\n"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
        ).stdout
        for seed in (1, 2)
    }
    assert len(texts) == 1
    (text,) = texts
    assert "of process" not in text
    assert "numpy.log1p" in text
    assert "scikit-learn" in text


def test_versions_of_what_defines_a_class_are_part_of_the_text():
    import sklearn

    told = describe(make_pipeline(StandardScaler(), parse_spec("naive-bayes")))
    assert told.versions == {"foldproof": fp.__version__, "scikit-learn": sklearn.__version__}
    assert told.whole.endswith(f"[foldproof {fp.__version__}, scikit-learn {sklearn.__version__}]")


def test_a_class_of_the_users_own_counts_by_the_text_of_its_module(tmp_path, monkeypatch):
    text = "from sklearn.base import BaseEstimator\nclass Mine(BaseEstimator):\n    fit = predict = None\n"
    told = []
    monkeypatch.syspath_prepend(str(tmp_path))
    for number, content in enumerate([text, text, text + "# another\n"]):
        (tmp_path / "mine_of_test_keys.py").write_text(content)
        sys.modules.pop("mine_of_test_keys", None)
        __import__("importlib").invalidate_caches()
        module = __import__("mine_of_test_keys")
        told.append(describe(module.Mine()))
        assert not told[number].unknown
    assert told[0].whole == told[1].whole != told[2].whole


@pytest.mark.parametrize(
    "value",
    [
        lambda X: X,
        Own(b=lambda: 1),
        make_pipeline(FunctionTransformer(lambda X: X), GaussianNB()),
        functools.partial(lambda X: X),
        open,  # a builtin that says it is _io's
        iter([]),
        Own().fit,
    ],
    ids=["lambda", "holds-a-lambda", "pipeline", "partial", "builtin", "iterator", "method"],
)
def test_what_has_no_text_has_a_mark_of_this_process_and_of_itself(value):
    if value is open:
        assert not describe(value).unknown
        return
    told = describe(value)
    assert told.unknown
    assert "of process" in told.text
    assert describe(value).text == told.text


def test_two_of_the_same_name_are_told_apart():
    first, second = (lambda X: X), (lambda X: 2 * X)
    assert describe(Own(b=first)).text != describe(Own(b=second)).text
    assert not describe(Own(b=own_function)).unknown


def test_circles_end():
    circle = []
    circle.append(circle)
    assert describe(circle).unknown
    assert describe(Own(b=circle)).unknown


@pytest.mark.parametrize(
    "estimator",
    [
        GaussianNB(),
        SVC(C=0.1, class_weight={"a": 2}, gamma=1e-3),
        make_pipeline(StandardScaler(), FunctionTransformer(np.log1p), BaggingClassifier(DecisionTreeClassifier())),
        Tuned(DecisionTreeClassifier(), {"max_depth": [1, 2]}),
        parse_spec("c45"),
        parse_spec("tddt-1"),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_a_learner_can_be_made_again_from_its_recipe(estimator):
    recipe = series_of(plan(estimator), 0).recipe
    assert describe(parse_spec(recipe)).whole == describe(estimator).whole


@pytest.mark.parametrize("name", get_scorer_names())
def test_a_tuned_learner_can_be_made_again_with_what_it_is_tuned_by(name):
    """The recipe has scorers as a spec may call them; the text that keys hang on stays as it is."""
    tuned = Tuned(DecisionTreeClassifier(), [{"max_depth": 1}, {"max_depth": 2}], scoring=get_scorer(name))
    recipe = recipe_of(tuned, describe(tuned))
    assert recipe.startswith("foldproof.learners._tuned.Tuned(") and "sklearn.metrics.make_scorer(" in recipe
    assert describe(parse_spec(recipe)).whole == describe(tuned).whole


@pytest.mark.parametrize(
    "estimator",
    [Own(b=lambda: 1), GridSearchCV(SVC(), {"C": np.array([1.0])}, cv=KFold(2))],
    ids=["lambda", "splitter"],
)
def test_some_have_no_recipe(estimator):
    assert series_of(plan(estimator), 0).recipe is None


def test_divisions_are_of_one_run_and_its_order():
    rows = np.array([[0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 1, 1]], dtype=np.int32)
    order = np.array([[0, 1, 2, 3]] * 3)
    plain, ordered = [*divisions(Partitions(rows))], [*divisions(Partitions(rows, order=order))]
    assert plain[0] == plain[2] != plain[1]
    assert [*divisions(Partitions(rows[1:]))] == plain[1:]
    assert [*divisions(Partitions(rows, scheme="other"))] == plain
    assert ordered[0] != plain[0]
    assert [*divisions(Partitions(rows, order=order[:, ::-1]))] != ordered
    splits = tuple(
        tuple((np.flatnonzero(row != fold), np.flatnonzero(row == fold)) for fold in range(2)) for row in rows
    )
    listed = [*divisions(ExplicitPartitions(splits, n_instances=4))]
    assert listed[0] == listed[2] != listed[1]
    assert listed[0] != plain[0]
    assert {len(d) for d in plain + ordered + listed} == {16}
    moved = ((splits[0][0], (splits[0][1][0], splits[0][1][1][::-1])),)
    assert next(divisions(ExplicitPartitions(moved, n_instances=4))) != listed[0]


def test_keys_in_few_bytes_are_keys():
    digests = [bytes(16), b"\x00" + bytes(range(15)), bytes(range(1, 16)) + b"\x00"]
    keys = CellKeys(7, iter(digests))
    whole = [(7 + i, digest) for i, digest in enumerate(digests)]
    assert (len(keys), list(keys), [keys[i] for i in range(3)], keys[-1]) == (3, whole, whole, whole[-1])
    assert keys[1:] == whole[1:]
    with pytest.raises(IndexError):
        keys[3]
