"""What is a look, what it is told, and what is written down."""

import hashlib
import json

import pytest

from foldproof.domain.errors import InputError
from foldproof.ledger import LookLearner, LookPair, enter, read, verify
from foldproof.ledger.line import parse
from foldproof.store import open_store
from ledger.looks import IRIS, look, three


@pytest.fixture
def store():
    with open_store("memory://") as opened:
        yield opened


def test_looks_are_counted_by_dataset(store):
    assert enter(store, look(seed=0)).look == 1
    assert enter(store, look(seed=1)).look == 2
    assert enter(store, look(dataset="2" * 64)).look == 1
    assert enter(store, look(scoring="roc_auc")).look == 3
    assert len(store.lines("ledger")) == 4
    assert [entry.look_number for entry in read(store).looks(IRIS)] == [1, 2, 3]


def test_the_same_call_again_is_no_new_look(store):
    first = enter(store, look())
    again = enter(store, look())
    assert (first.look, first.again) == (1, False)
    assert (again.look, again.again) == (1, True)
    assert again.head == first.head
    assert len(store.lines("ledger")) == 1


def test_names_and_their_order_do_not_make_a_look(store):
    enter(store, look())
    learners = (LookLearner("b", "b.Bayes()", 3), LookLearner("f", "a.Forest()"))
    turned = look(learners=learners, pairs=(LookPair("b", "f", 0.01, "f", "f"),))
    assert enter(store, turned).again
    assert len(store.lines("ledger")) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": 1},
        {"dataset": "2" * 64},
        {"scoring": "f1"},
        {"procedure": {"name": "corrected-10x10-cv", "runs": 10, "folds": 5}},
        {"splits": "3" * 64},
        {"learners": (LookLearner("forest", "a.Forest(n=2)"), LookLearner("bayes", "b.Bayes()"))},
    ],
)
def test_everything_else_makes_another_look(changes):
    assert look(**changes).key != look().key


def test_alpha_and_settings_do_not_make_a_look():
    other = (LookLearner("forest", "a.Forest()", 9), LookLearner("bayes", "b.Bayes()"))
    assert look(alpha=0.01, learners=other, dataset_name="flowers").key == look().key


def test_the_level_of_an_open_ledger(store):
    first, second = enter(store, look(seed=0)), enter(store, look(0.01, seed=1))
    assert (first.level, first.level_left, first.verdict_at_level) == (0.025, 0.025, "forest")
    assert second.level == pytest.approx(0.05 / 6)
    assert second.level_left == pytest.approx(0.05 / 3)
    assert second.next_level == pytest.approx(0.05 / 12)
    assert second.verdict_at_level == "none"


def test_the_level_of_a_plan(store):
    assert enter(store, look(0.03, seed=0, planned=2)).level == 0.025
    second = enter(store, look(0.001, seed=1, planned=2))
    # It is rejected at 0.025 and hands that on; so the first is shown now, and hands its own back.
    assert (second.level, second.level_left) == (0.05, 0.0)
    first = enter(store, look(0.03, seed=0, planned=2))
    assert (first.level, first.verdict_at_level) == (0.05, "forest")


def test_a_plan_is_made_at_the_first_look(store):
    enter(store, look(planned=None))
    late = enter(store, look(seed=1, planned=2))
    assert late.planned is None
    assert late.level == pytest.approx(0.05 / 6)
    assert [note for note in late.notes if note.startswith("ledger_plan: ")] == [
        "ledger_plan: looks=2 is not used: the plan for a dataset is made at its first look, and none was made there"
    ]


def test_a_plan_that_is_used_up(store):
    enter(store, look(seed=0, planned=1, verdict="none"))
    more = enter(store, look(1e-9, seed=1, verdict="none"))
    assert (more.level, more.next_level, more.level_left, more.verdict_at_level) == (0.0, 0.0, 0.0, "none")
    assert more.notes == (
        "ledger_plan: 1 looks were planned at this dataset and this is number 2: no level is left for it",
    )


def test_a_verdict_that_changed_with_the_seed_is_told(store):
    assert enter(store, look(0.01, seed=0)).notes == ()
    other = enter(store, look(0.2, seed=1, names=("f", "b")))
    assert other.notes == (
        "verdict_changed_with_seed: of f and b, look 1 (seed 0) said f and this one (seed 1) none: "
        "the seed decides, and the two are not independent evidence",
    )
    assert enter(store, look(0.001, seed=2)).notes[0].endswith("are not independent evidence")
    # Another scoring is another question.
    assert enter(store, look(0.2, seed=1, scoring="f1")).notes == ()


def test_several_pairs_are_holm_s_inside_the_look(store):
    found = enter(store, three([0.004, 0.013, 0.5]))
    # 3 x 0.004 and 2 x 0.013 against 0.025.
    assert found.at_level == ("x", "none", "none")
    assert found.verdict_at_level == "none"
    assert enter(store, three([0.0001, 0.0002, 0.5], seed=1)).verdict_at_level == "x"


def test_another_p_value_for_the_same_look_is_written_under_its_number(store):
    enter(store, look(None, verdict="none"))
    filled = enter(store, look(0.01))
    assert (filled.look, filled.again, filled.head.count) == (1, True, 2)
    assert enter(store, look(0.01 * (1 + 1e-12))).head.count == 2
    (only,) = read(store).looks(IRIS)
    assert (only.look.pvalues, only.again) == ((0.01,), True)
    assert enter(store, look(seed=1)).look == 2


def test_a_line_says_everything_and_carries_the_hash_before(store):
    enter(store, look(), clock=lambda: "2026-01-02T03:04:05+00:00")
    enter(store, look(seed=1))
    first, second = store.lines("ledger")
    told = json.loads(first)
    assert told["time"] == "2026-01-02T03:04:05+00:00"
    assert told["dataset"] == {"fingerprint": IRIS, "name": "iris"}
    assert told["learners"][1] == {"name": "bayes", "text": "b.Bayes()", "settings": 3}
    assert told["pairs"] == [
        {
            "a": "forest",
            "b": "bayes",
            "pvalue": 0.01,
            "favours": "forest",
            "verdict": "forest",
            "verdict_at_level": "forest",
        }
    ]
    assert (told["seed"], told["scoring"], told["level"], told["look"]) == (0, "accuracy", 0.025, 1)
    # Anybody can check the chain with nothing but SHA-256.
    assert json.loads(second)["previous"] == hashlib.sha256(first.encode()).hexdigest()
    assert first == json.dumps(told, sort_keys=True, separators=(",", ":"))
    assert parse(first).text() == first


def test_names_of_any_kind_survive(store):
    odd = ("naïve \ud800 bayes", "b'\"\n")
    enter(store, look(names=odd))
    assert read(store).entries[0].look.learners[0].name == odd[0]
    assert verify(store).ok


def test_a_verdict_of_a_gate(store):
    gate = look(0.04, kind="gate", otherwise="undecided", pairs=(LookPair("forest", "bayes", 0.04, "pass", "pass"),))
    assert enter(store, gate).verdict_at_level == "undecided"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"planned": 0}, "looks is 0: give the number of looks that are planned"),
        ({"planned": True}, "looks is True"),
        ({"alpha": 1.5}, "1.5"),
        ({"pairs": ()}, "a look has at least one pair"),
    ],
)
def test_what_is_no_look_is_refused(changes, said):
    with pytest.raises(InputError, match=said):
        look(**changes)


def test_a_p_value_that_is_none_is_refused():
    with pytest.raises(InputError, match="the p-value of a and b is 1.5"):
        LookPair("a", "b", 1.5, "a", "none")
