"""Calibration: rates recounted from the trials, truths that are known, the claim of every procedure, going on."""

import json
from itertools import combinations

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

import foldproof as fp
from foldproof.cli.main import run
from foldproof.data.bayesnet import BayesianNetwork
from foldproof.data.simulated import sampled, simulated_source, simulated_sources
from foldproof.data.sources import Wanted, read_source
from foldproof.domain.address import Address
from foldproof.domain.errors import InputError
from foldproof.workflows.kept import Kept
from foldproof.workflows.procedures import PROCEDURES
from foldproof.workflows.trials import own_copy, relabelled

PAIR = {"tree": DecisionTreeClassifier(max_depth=2), "bayes": BernoulliNB()}
NATIVE = ["c45", "naive-bayes"]  # nothing is to be encoded for these, so they are quick
CLAIMING = [name for name, procedure in PROCEDURES.items() if procedure.keeps_level]


class Guesses(ClassifierMixin, BaseEstimator):
    """Right with a chance of its own on each instance: what it says depends on its seed and on nothing else."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        # A stream for each instance, so that an instance of another test set is another draw.
        bits = np.random.Generator(np.random.Philox(key=self.random_state)).random(4096)
        return self.classes_[(bits[X[:, 0].astype(int)] < 0.5).astype(int)]


def numbered(n):
    return np.column_stack([np.arange(n), np.zeros(n)]), np.arange(n) % 2


def generator(n, seed):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(size=(n, 2)) + 2.0 * y[:, None], y


def test_the_stored_networks_are_those_of_the_reference(shared):
    stored = json.loads(shared("specs", "golden_statistics.json").read_text())["sources"]
    assert [BayesianNetwork.from_mapping(s) for s in stored] == list(simulated_sources().values())


def test_a_sample_is_declared_and_is_what_its_network_draws():
    network = simulated_source("source3")
    data = sampled(network, 40, Address(2, "x").stream())
    X, y = network.sample(40, Address(2, "x").stream())
    assert np.array_equal(data.codes, X)
    assert np.array_equal(data.target_codes, y)
    assert data.y.tolist() == [str(label) for label in y]
    assert {a.categories for a in data.attributes} == {("0", "1")}
    again = read_source("simulated:source3/40", Wanted("x"))
    assert len(again) == 40
    assert len(read_source("simulated:source3", Wanted("x"))) == 300
    for name, sentence in (("simulated:source3/x", "the size is 'x'"), ("simulated:source9", "did you mean 'source4'")):
        with pytest.raises(InputError, match=sentence):
            read_source(name, Wanted("x"))


def test_rates_are_those_of_the_trials(tmp_path):
    store = f"sqlite:///{tmp_path}/c.db"
    found = fp.calibrate(NATIVE, "source4", procedure="5x2cv-f", trials=6, repetitions=3, n=80, store=store, truth=5)
    (row,) = found.rows
    plan_log = next(iter(fp_logs(store)))
    records = [json.loads(line) for line in plan_log]
    verdicts = [r["verdicts"] for r in sorted(records, key=lambda r: r["number"])]
    rejected = [[v != "none" for v in trial] for trial in verdicts]
    shares = [sum(trial) / 3 for trial in rejected]
    assert row.rejections.rate == pytest.approx(np.mean(shares))
    assert row.rejections.standard_error == pytest.approx(np.std(shares, ddof=1) / 6**0.5)
    assert row.wins_a.rate + row.wins_b.rate == pytest.approx(row.rejections.rate)
    agree = [np.mean([a == b for a, b in combinations(trial, 2)]) for trial in rejected]
    assert row.r.rate == pytest.approx(np.mean(agree))
    same = [np.mean([a == b for a, b in combinations(trial, 2)]) for trial in verdicts]
    assert row.r3.rate == pytest.approx(np.mean(same))
    assert row.consistent.rate == pytest.approx(np.mean([len(set(trial)) == 1 for trial in rejected]))


def fp_logs(url):
    from foldproof.store import open_store

    with open_store(url) as store:
        return [store.lines(log) for log in store.logs()]


def test_a_trial_is_what_compare_says_of_the_same_data():
    """Trial 3 of a calibration on a dataset, by hand: another division of it."""
    X, y = generator(60, 1)
    tree = ExtraTreeClassifier(max_depth=1)
    found = fp.calibrate({"t": tree}, X, y, procedure="5x2cv", trials=4)
    assert found.rows[0].way == "own-copy"
    repeated = fp.replicate([("t", tree), ("u", GaussianNB())], X, y, procedure="5x2cv", repetitions=4)
    assert found.rows[0].n == len(repeated.dataset)
    data = fp.dataset(X, y)
    learner = fp_learner(tree)
    copy = own_copy(learner)
    address = Address(0, data.fingerprint, 3, 1)
    original, other = (x.fresh(address, 0).random_state for x in (learner, copy))
    assert original != other
    assert copy.fresh(address, 0).random_state == other


def fp_learner(estimator):
    from foldproof.learners.learner import gather_one

    return gather_one(estimator, "t")


def test_what_is_known_of_the_truth():
    def null(*arguments, **options):
        options = {"procedure": "mcnemar-holdout", "trials": 2, "repetitions": 1, "n": 40, "truth": 0, **options}
        return fp.calibrate(*arguments, **options).rows[0].null

    X, y = generator(60, 0)
    assert null(PAIR, "source1") is True
    assert null(PAIR, "source4") is None
    assert null(PAIR, "source4", null=False) is False
    assert null(PAIR, X, y, way="random-labels") is True
    assert null(PAIR, X, y) is True  # permuted labels of two classes of equal size
    assert null(PAIR, X, (np.arange(60) < 20).astype(int)) is None
    assert null({"x": ExtraTreeClassifier()}, "source4") is True
    assert null({"x": ExtraTreeClassifier()}, generator) is True


def test_the_true_difference_of_a_source_is_found():
    found = fp.calibrate(["c45", "naive-bayes"], "source4", procedure="binomial-cv", trials=4, truth=30)
    (row,) = found.rows
    # The reference: 11.28 points at 300 instances; the procedure trains on 270.
    assert row.truth.rate == pytest.approx(0.1128, abs=4 * row.truth.standard_error + 0.01)
    assert row.null is False
    assert row.power == row.wins_a
    assert (row.type_one, row.level_kept) == (None, None)


def test_a_users_generator_and_a_users_source():
    class Own:
        name = "own"

        def sample(self, n, stream):
            return generator(n, int(stream.words(1)[0] % 1000))

    learners = {"good": GaussianNB(), "dummy": DummyClassifier()}
    for source, name in ((generator, "generator"), (Own(), "own")):
        (row,) = fp.calibrate(learners, source, procedure="corrected-repeated-cv", runs=1, trials=5, n=60).rows
        assert (row.origin, row.power.rate, row.wins_b.rate, row.null) == (name, 1.0, 0.0, False)


def test_random_labels_leave_nothing_to_learn():
    X, y = generator(4000, 3)
    data = fp.dataset(X, np.where(y == 1, "yes", "no")[: len(X)])
    rare = fp.dataset(X, (np.arange(4000) % 10 == 0).astype(int))
    address = Address(0, "r")
    permuted = relabelled(rare, "permuted-labels", address)
    assert sorted(permuted.y) == sorted(rare.y)
    assert not np.array_equal(permuted.y, rare.y)
    drawn, uniform = relabelled(rare, "frequencies", address), relabelled(rare, "random-labels", address)
    assert np.mean(drawn.y) == pytest.approx(0.1, abs=0.02)
    assert np.mean(uniform.y) == pytest.approx(0.5, abs=0.035)
    assert len({permuted.fingerprint, drawn.fingerprint, uniform.fingerprint, rare.fingerprint}) == 4
    for made in (relabelled(data, "random-labels", address), uniform):
        again = fp.dataset(made.X, made.y)
        assert again.fingerprint == made.fingerprint
        assert np.array_equal(again.target_codes, made.target_codes)
    assert relabelled(rare, "frequencies", address).fingerprint == drawn.fingerprint


def test_copies_that_do_not_differ_say_little(toy):
    found = fp.calibrate({"bayes": GaussianNB()}, *toy, procedure="5x2cv", trials=3, repetitions=1)
    assert (found.rows[0].nonzero, found.rows[0].rejections.rate) == (0.0, 0.0)
    assert "learners that hardly differ say little" in " ".join(str(found).split())


def test_procedures_that_are_known_to_err_do_not_claim():
    assert not {"10-fold-cv", "k-fold-cv", "binomial-cv", "mcnemar-holdout", "salzberg"} & set(CLAIMING)
    assert {"corrected-10x10-cv", "corrected-resampling-100", "5x2cv", "sequential-cv"} <= set(CLAIMING)


# Seconds are spared where a procedure is open: fewer runs are more of a trial, not less.
SMALLER = {
    "corrected-repeated-cv": {"runs": 2},
    "corrected-resampling": {"runs": 10},
    "disjoint-training-sets": {"runs": 5},
}


@pytest.mark.statistical
@pytest.mark.slow
@pytest.mark.parametrize("name", CLAIMING)
def test_no_procedure_that_claims_its_level_is_caught_by_a_learners_own_copy(name):
    """Done when 5: at least half of the fold differences are not zero, and no more than alpha + 2 errors rejections."""
    trials = 60
    found = fp.calibrate(
        {"g": Guesses()}, *numbered(100), procedure=name, trials=trials, repetitions=1, **SMALLER.get(name, {})
    )
    (row,) = found.rows
    assert row.claims_level
    assert row.failures == 0
    assert row.nonzero >= 0.5
    assert row.rejections.rate <= 0.05 + 2 * (0.05 * 0.95 / trials) ** 0.5
    assert row.level_kept


def test_a_procedure_that_errs_is_caught():
    """The uncorrected t over repeated folds, on a source with nothing to learn."""
    found = fp.calibrate(NATIVE, "source1", procedure="k-fold-cv", runs=5, folds=10, trials=20, repetitions=1, n=100)
    (row,) = found.rows
    assert (row.level_kept, row.claims_level) == (False, False)
    assert row.type_one.rate > 0.2
    assert "k-fold-cv does not keep its level on source1, and it does not claim to." in " ".join(str(found).split())


def test_it_goes_on_where_it_was_broken_off(tmp_path, monkeypatch):
    store = f"sqlite:///{tmp_path}/c.db"
    size = {"procedure": "mcnemar-holdout", "n": 60, "truth": 0, "repetitions": 1}
    whole = fp.calibrate(NATIVE, "source2", trials=8, **size)
    fp.calibrate(NATIVE, "source2", trials=5, store=store, **size)
    events = []
    again = fp.calibrate(NATIVE, "source2", trials=8, store=store, on_event=events.append, **size)
    assert [event.done for event in events] == [6, 7, 8]
    assert again.to_dict() == whole.to_dict()
    other = fp.calibrate(NATIVE, "source2", trials=2, store=store, seed=1, **size)
    assert other.seed == 1
    assert sorted(len(lines) for lines in fp_logs(store)) == [2, 8]


def test_it_is_the_same_on_two_processes():
    copies = {"procedure": "5x2cv", "trials": 3, "repetitions": 2}
    X, y = generator(40, 1)
    one, two = (fp.calibrate({"x": ExtraTreeClassifier()}, X, y, n_jobs=jobs, **copies) for jobs in (1, 2))
    assert one.to_dict() == two.to_dict()
    samples = {"procedure": "mcnemar-holdout", "trials": 2, "repetitions": 1, "n": 40, "truth": 0}
    one, two = (fp.calibrate(PAIR, "source2", n_jobs=jobs, **samples) for jobs in (1, 2))
    assert one.to_dict() == two.to_dict()


def test_without_a_store_nothing_is_kept():
    with Kept(None, "x", {"a": 1}) as kept:
        kept.add({"number": 3})
        assert kept.known == {3: {"number": 3}}


@pytest.mark.parametrize(
    ("arguments", "options", "sentence"),
    [
        ((PAIR, "sorce1"), {}, "unknown simulated source 'sorce1': did you mean 'source1'"),
        ((PAIR, "source1"), {"way": "own-copy"}, "calibration by own-copy takes one learner; got 2"),
        ((ExtraTreeClassifier(), "source1"), {"way": "sampled"}, "calibration by sampled takes two learners; got 1"),
        ((PAIR, "source1"), {"way": "permuted-labels"}, "are for a dataset"),
        ((PAIR, *generator(20, 0)), {"way": "sampled"}, "one dataset cannot be sampled anew"),
        ((PAIR, *generator(20, 0)), {"way": "magic"}, "unknown way to calibrate 'magic'"),
        ((PAIR, np.zeros((4, 2))), {}, "there is no target beside ndarray"),
        ((PAIR, lambda n, seed: 3), {}, "answered int: it must answer"),
        (([*PAIR.values(), GaussianNB()], "source1"), {}, "takes two learners, or one against its own copy; got 3"),
        ((PAIR,), {"trials": 1}, "trials is 1: give a whole number of at least 2"),
        ((PAIR,), {"procedure": "5x2"}, "unknown procedure '5x2'"),
    ],
)
def test_bad_usage(arguments, options, sentence):
    with pytest.raises(InputError, match=sentence):
        fp.calibrate(*arguments, **{"procedure": "mcnemar-holdout", **options})


def test_from_the_shell(capsys, tmp_path):
    base = ["calibrate", "--procedure", "mcnemar-holdout", "--trials", "3", "--quiet"]
    assert run([*base, "source1", "source2", "-n", "60", "--repetitions", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["schema"], [row["origin"] for row in told["rows"]]) == (
        "foldproof/calibrate/1",
        ["source1", "source2"],
    )
    copy = ["-l", "x=sklearn.tree.ExtraTreeClassifier()"]
    assert run([*base, "sklearn:iris", *copy, "--procedure", "5x2cv", "--store", f"sqlite:///{tmp_path}/c.db"]) == 0
    out = capsys.readouterr().out
    assert "x-copy" in out and "mcnemar-holdout" in out and "5x2cv" in out
    assert run([*base, "source1", "sklearn:iris"]) == 2
    assert "'sklearn:iris' is no simulated source" in capsys.readouterr().err
    broken = ["-l", "sklearn.neighbors.KNeighborsClassifier(n_neighbors=59)", "-l", "naive-bayes", "-n", "60"]
    assert run([*base, "source1", *broken]) == 3
