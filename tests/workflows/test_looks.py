"""Looks of real comparisons: what counts as one, what is told, and that no verdict is touched."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV, RepeatedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import foldproof as fp
from foldproof.domain.errors import InputError
from foldproof.ledger import LedgerError
from foldproof.store import open_store

SIZE = {"procedure": "corrected-repeated-cv", "runs": 2, "folds": 3}
LEARNERS = {"bayes": GaussianNB(), "dummy": DummyClassifier()}


class Fails(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        raise ValueError("no")

    def predict(self, X):
        raise AssertionError


@pytest.fixture
def store():
    with open_store("memory://") as opened:
        yield opened


def compare(store, toy, learners=LEARNERS, **given):
    return fp.compare(learners, *toy, store=store, **{**({} if "cv" in given else SIZE), **given})


def test_there_is_no_ledger_without_a_store(toy):
    found = fp.compare(LEARNERS, *toy, **SIZE)
    assert found.ledger is None
    assert found.to_dict()["ledger"] is None
    assert "look" not in found.to_text()


def test_the_verdict_is_not_touched(store, toy):
    plain = fp.compare(LEARNERS, *toy, **SIZE).to_dict()
    for seed in (5, 4, 3, 0):
        told = compare(store, toy, seed=seed).to_dict()
    assert told["ledger"]["look"] == 4
    assert told["ledger"]["level"] == pytest.approx(0.05 / 20)
    assert told["pairs"] == plain["pairs"]


def test_the_line_in_the_text_the_page_and_the_methods(store, toy):
    compare(store, toy, seed=1)
    found = compare(store, toy)
    head = str(found.ledger.head)
    line = "This is your 2nd look at this dataset: its level is 0.00833, at which"
    assert line in found.to_text()
    assert f"the level left is 0.0167. Ledger head {head}." in " ".join(found.to_text().split())
    assert line in found.to_html()
    assert f"It was look 2 at these data in a ledger whose head is {head}" in found.methods_text()


def test_the_same_call_again_costs_nothing_and_says_the_same(store, toy):
    first = compare(store, toy).to_dict()
    assert compare(store, toy).to_dict()["ledger"] == first["ledger"]
    turned = {"x": DummyClassifier(), "y": GaussianNB()}
    assert compare(store, toy, turned).ledger.look == 1
    assert len(store.lines("ledger")) == 1


def test_what_makes_another_look(store, toy):
    X, y = toy
    splitter = [RepeatedKFold(n_splits=3, n_repeats=2, random_state=state) for state in (0, 1)]
    calls = [
        {},
        {"seed": 1},
        {"scoring": "f1"},
        {"folds": 4},
        {"learners": {**LEARNERS, "near": KNeighborsClassifier()}},
        {"learners": {"bayes": GaussianNB(var_smoothing=0.1), "dummy": DummyClassifier()}},
        {"cv": splitter[0]},
        {"cv": splitter[1]},
    ]
    looks = [compare(store, toy, **given).ledger.look for given in calls]
    assert looks == list(range(1, len(calls) + 1))
    assert compare(store, (X + 1.0, y)).ledger.look == 1
    assert compare(store, (X, y), name="another name", alpha=0.01, adjust="none").ledger.look == 1


def test_every_scoring_is_a_look(store, toy):
    found = compare(store, toy, scoring=["accuracy", "f1"])
    told = found.to_dict()
    assert (told["ledger"]["look"], told["more_scorings"][0]["ledger"]["look"]) == (1, 2)
    assert compare(store, toy, scoring="f1").ledger.look == 2


def test_a_replication_is_one_look_with_twice_the_median(store, toy):
    found = fp.replicate(LEARNERS, *toy, repetitions=4, store=store, **SIZE)
    assert (found.ledger.look, len(store.lines("ledger"))) == (1, 1)
    entry = fp.read_ledger(store).book.entries[0]
    pvalues = [verdicts[0].pvalue for verdicts in found.verdicts]
    assert len(set(pvalues)) > 1
    assert entry.look.pvalues == (min(1.0, 2 * float(np.median(pvalues))),)
    assert entry.look.procedure["repetitions"] == 4
    assert "This is your 1st look at this dataset" in found.to_text()
    # compare with the same seed is another look: it would report one of them only.
    assert compare(store, toy).ledger.look == 2


def test_gates_are_looks(store, toy):
    given = {"min_effect": 0.1, "store": store, **SIZE}
    found = fp.gate(DummyClassifier(), GaussianNB(), *toy, **given)
    told = found.to_dict()
    assert 0.025 < found.result.pvalue <= 0.05
    assert (found.outcome, told["ledger"]["look"], told["ledger"]["verdict_at_level"]) == ("pass", 1, "undecided")
    assert "its level is 0.025, at which it would be undecided" in " ".join(found.to_text().split())
    assert "This is your 1st look" in found.to_text()
    assert "This is your 1st look" in found.to_markdown()
    assert fp.gate(DummyClassifier(), GaussianNB(), *toy, **given).ledger.look == 1
    assert fp.gate(GaussianNB(), DummyClassifier(), *toy, **given).ledger.look == 2
    assert fp.gate(DummyClassifier(), GaussianNB(), *toy, **{**given, "min_effect": 0.2}).ledger.look == 3
    assert fp.gate(DummyClassifier(), GaussianNB(), *toy, mode="superiority", **given).ledger.look == 4


def test_a_gate_against_the_candidate_fails_at_its_level_too(store, toy):
    X, y = toy
    far = (X + 10.0 * y[:, None], y)
    found = fp.gate(GaussianNB(), DummyClassifier(), *far, min_effect=0.01, store=store, **SIZE)
    assert (found.outcome, found.ledger.verdict_at_level) == ("fail", "fail")


def test_a_verdict_that_changes_with_the_seed_is_told(store, rng):
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 2)) + 0.35 * y[:, None]
    verdicts, notes = [], []
    for seed in range(12):
        found = compare(store, (X, y), {"bayes": GaussianNB(), "near": KNeighborsClassifier(1)}, seed=seed, alpha=0.4)
        verdicts.append(found.pairs[0].verdict)
        notes.append([w for w in found.warnings if w.startswith("verdict_changed_with_seed: ")])
    assert len(set(verdicts)) > 1
    for seed, told in enumerate(notes):
        assert len(told) == sum(verdict != verdicts[seed] for verdict in verdicts[:seed])
    assert "the seed decides" in " ".join(found.to_text().split())


def test_settings_tried_are_written_down(store, toy):
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3, 5]}, cv=3)
    compare(
        store,
        toy,
        {"near": search, "dummy": DummyClassifier(), "tuned": KNeighborsClassifier()},
        tune={"tuned": {"p": [1, 2]}},
    )
    learners = fp.read_ledger(store).book.entries[0].look.learners
    assert [learner.settings for learner in learners] == [3, 1, 2]


def test_a_ledger_that_is_turned_off_is_noted(store, toy):
    for call in (fp.compare, fp.replicate):
        given = {"repetitions": 2} if call is fp.replicate else {}
        found = call(LEARNERS, *toy, store=store, ledger=False, **SIZE, **given)
        assert [w for w in found.warnings if w.startswith("ledger_off: ")]
        assert found.to_dict()["ledger"] is None
        assert "the ledger was turned off" in " ".join(found.to_text().split())
    assert store.lines("ledger") == []
    found = fp.gate(DummyClassifier(), GaussianNB(), *toy, min_effect=0.1, store=store, ledger=False, **SIZE)
    assert "the ledger was turned off" in found.to_markdown()


def test_where_every_fold_failed_nothing_was_seen(store, toy):
    found = compare(store, toy, {"bayes": GaussianNB(), "fails": Fails()})
    assert found.ledger is None
    assert [w for w in found.warnings if w.startswith("ledger_nothing_seen: ")]
    assert store.lines("ledger") == []


def test_a_plan(store, toy):
    first = compare(store, toy, looks=4)
    assert (first.ledger.level, first.to_dict()["ledger"]["planned"]) == (0.05 / 4, 4)
    assert "1st look of 4 planned at this dataset" in first.to_text()
    late = compare(store, (toy[0] + 1, toy[1]))
    assert late.ledger.planned is None
    again = compare(store, (toy[0] + 1, toy[1]), seed=1, looks=2)
    assert [w for w in again.warnings if w.startswith("ledger_plan: looks=2 is not used")]


@pytest.mark.parametrize("given", [{"looks": 0}, {"looks": 3, "ledger": False}])
def test_a_plan_that_cannot_be_is_refused_before_anything_is_fitted(given, store, toy):
    with pytest.raises(InputError, match="looks"):
        fp.compare({"fails": Fails(), "dummy": DummyClassifier()}, *toy, store=store, **SIZE, **given)
    with pytest.raises(InputError, match="looks= plans the looks in a ledger, and there is none: give a store"):
        fp.compare(LEARNERS, *toy, looks=3, **SIZE)


def test_a_ledger_that_was_changed_is_refused_before_anything_is_fitted(store, toy):
    compare(store, toy)
    store.set_mark("ledger-head", "changed")
    with pytest.raises(LedgerError, match="nothing more is entered into a ledger that was changed"):
        compare(store, toy, {"fails": Fails(), "dummy": DummyClassifier()}, seed=1)


def test_numbers_of_other_kinds_make_the_same_look(store, toy):
    compare(store, toy)
    strange = {"seed": np.int64(0), "runs": np.int32(2), "folds": np.int64(3), "alpha": np.float64(0.05)}
    assert compare(store, toy, **strange).ledger.look == 1
    assert len(store.lines("ledger")) == 1
    assert compare(store, toy, **{**strange, "seed": np.uint8(7)}).ledger.look == 2
    assert fp.verify_ledger(store).ok
