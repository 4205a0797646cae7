"""An audit computes stored cells again: equal to the last bit, or it says what differs and which versions."""

import json
import shutil
import sqlite3

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.metrics import make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.cli.main import run
from foldproof.domain.errors import InputError
from foldproof.learners import Tuned
from foldproof.store import open_store

SIZE = {"name": "corrected-repeated-cv", "runs": 2, "folds": 3}
PLAN = {
    "datasets": {"iris": "sklearn:iris", "wine": "sklearn:wine"},
    "learners": {
        "bayes": "sklearn.naive_bayes.GaussianNB()",
        "sgd": "sklearn.linear_model.SGDClassifier(max_iter=3, tol=None)",
        "c45": "c45",
    },
    "procedures": SIZE,
    "scoring": ["accuracy", "f1_macro"],
}


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path / 'kept.db'}"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("made") / "made.db"
    fp.run_plan(PLAN, store=f"sqlite:///{path}")
    return path


@pytest.fixture
def kept(made, url):
    shutil.copy(made, url.removeprefix("sqlite:///"))
    return url


def test_everything_comes_out_again_to_the_last_bit(kept):
    found = fp.audit(kept, sample=None)
    assert (found.ok, found.exit_code) == (True, 0)
    assert (found.cells, found.recomputable, found.checked) == (12, 12, 12)
    assert found.different == found.not_audited == ()
    assert "12 of 12 cells were computed again, and all are as they were stored, to the last bit" in " ".join(
        found.to_text().split()
    )


@pytest.mark.parametrize(
    ("procedure", "scheme"),
    [
        ("5x2cv", "5x2"),
        ("corrected-resampling-100", "random-subsampling"),
        ({"name": "corrected-resampling", "runs": 3, "folds": 4}, "random-subsampling"),
        ("mcnemar-holdout", "hold-out"),
        ("sequential-cv", "k-fold"),
    ],
)
def test_every_scheme_is_made_again(procedure, scheme, url):
    learners = {"bayes": GaussianNB(), "dummy": DummyClassifier(strategy="stratified")}
    fp.run_plan({"datasets": {"iris": "sklearn:iris"}, "learners": learners, "procedures": procedure}, store=url)
    with open_store(url) as store:
        assert {cell.scheme for cell in store.cells()} == {scheme}
    found = fp.audit(url, sample=12, seed=3)
    assert found.ok and found.not_audited == ()


def test_groups_and_the_seed_and_repetitions_are_made_again(tmp_path, url):
    rows = [f"{i % 7},{i % 5},{'ab'[i % 2]},{i // 3}" for i in range(60)]
    (tmp_path / "own.csv").write_text("x,y,kind,owner\n" + "\n".join(rows) + "\n")
    own = {"source": str(tmp_path / "own.csv"), "target": "kind", "groups": "owner"}
    learners = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(), "resampled": DummyClassifier()}
    plan = {
        "datasets": {"own": own},
        "learners": learners,
        "procedures": [SIZE, {"name": "corrected-resampling", "runs": 5}],
    }
    fp.run_plan({**plan, "seed": 2**70}, store=url)
    found = fp.audit(url, sample=None)
    assert found.ok and found.not_audited == (), found
    fp.replicate(learners, fp.run_plan(plan).comparison("own").dataset, repetitions=2, procedure="5x2cv", store=url)
    assert fp.audit(url, sample=None).ok


def change(url, statement, *values):
    with sqlite3.connect(url.removeprefix("sqlite:///")) as database:
        assert database.execute(statement, values).rowcount == 1


def one(url):
    """Return the key of a cell of the tree on wine."""
    with sqlite3.connect(url.removeprefix("sqlite:///")) as database:
        return database.execute(
            "SELECT s.id, c.run FROM foldproof_series s JOIN foldproof_cell c ON c.series = s.id "
            "JOIN foldproof_dataset d ON d.fingerprint = s.dataset WHERE s.name = 'sgd' AND d.name = 'wine' AND run = 1"
        ).fetchone()


def test_a_score_that_was_changed_is_found(kept):
    series, number = one(kept)
    changed = np.array([0.5, 0.25, 1.0]).tobytes()
    change(
        kept,
        "UPDATE foldproof_score SET folds = ? WHERE series = ? AND run = ? AND scoring = "
        "(SELECT id FROM foldproof_scoring WHERE name = 'accuracy')",
        changed,
        series,
        number,
    )
    found = fp.audit(kept, sample=None)
    assert (found.ok, found.exit_code) == (False, 1)
    (cell,) = found.different
    assert (cell.dataset, cell.learner, cell.run, cell.versions) == ("wine", "sgd", 1, ())
    assert cell.what[0].startswith("accuracy in 3 of 3 folds, by at most 0.")
    text = " ".join(found.to_text().split())
    assert "12 of 12 cells were computed again, and 1 are not as they were stored" in text
    assert "The versions are those that they were computed with: the store was changed" in text


def test_a_prediction_that_was_changed_is_found(kept):
    series, number = one(kept)
    with open_store(kept) as store:
        predictions = next(c.predictions for s in store.series() if s.name == "sgd" for c in store.cells(s.key))
    packed = b"B" + (np.where(np.arange(178) == 3, 0.0, np.full(178, 1.0)) + 2).astype("u1").tobytes()
    assert len(predictions) > 0
    change(kept, "UPDATE foldproof_cell SET predictions = ? WHERE series = ? AND run = ?", packed, series, number)
    (cell,) = fp.audit(kept, sample=None).different
    assert cell.what[0].endswith("of 178 predictions")


def test_versions_that_differ_are_named(kept):
    series, number = one(kept)
    old = {"foldproof": "0.0.1", "python": "3.11.0", "numpy": "1.0", "method": "x"}
    with sqlite3.connect(kept.removeprefix("sqlite:///")) as database:
        database.execute("INSERT INTO foldproof_environment (told) VALUES (?)", (json.dumps(old),))
    change(
        kept,
        "UPDATE foldproof_cell SET environment = (SELECT max(id) FROM foldproof_environment), predictions = NULL "
        "WHERE series = ? AND run = ?",
        series,
        number,
    )
    assert fp.audit(kept, sample=None).ok  # other versions that give the same numbers are no difference
    change(
        kept,
        "UPDATE foldproof_score SET folds = ? WHERE series = ? AND run = ? AND scoring = 1",
        np.zeros(3).tobytes(),
        series,
        number,
    )
    found = fp.audit(kept, sample=None)
    versions = {v.name: (v.then, v.now) for v in found.different[0].versions}
    assert versions["numpy"] == ("1.0", np.__version__)
    assert versions["foldproof"] == ("0.0.1", fp.__version__)
    assert versions["scipy"][0] is None
    assert "method" not in versions
    assert f"numpy: 1.0 then, {np.__version__} now" in found.to_text()


def test_a_learner_of_another_version_is_computed_and_told(kept):
    series, number = one(kept)
    change(kept, "UPDATE foldproof_series SET learner = replace(learner, '[', '[old') WHERE id = ?", series)
    change(
        kept,
        "UPDATE foldproof_score SET folds = ? WHERE series = ? AND run = ? AND scoring = 1",
        np.zeros(3).tobytes(),
        series,
        number,
    )
    (cell,) = fp.audit(kept, sample=None).different
    assert "learner" in {v.name for v in cell.versions}


def test_a_sample_is_drawn_by_its_seed(kept):
    assert fp.audit(kept, sample=4, seed=1).checked == 4
    assert fp.audit(kept, sample=1000).checked == 12
    seen = []
    for seed in (1, 1, 2):
        events = []
        fp.audit(kept, sample=4, seed=seed, on_event=events.append)
        seen.append(sorted((e.dataset, e.learner, e.run) for e in events))
        assert [e.done for e in events] == [1, 2, 3, 4]
    assert seen[0] == seen[1] != seen[2]
    with pytest.raises(InputError, match="sample is 0: give a whole number of at least 1"):
        fp.audit(kept, sample=0)


def test_data_from_memory_are_told_and_may_be_given_again(url, toy):
    X, y = toy
    plan = {"datasets": {"toy": toy}, "learners": {"a": GaussianNB(), "b": DecisionTreeClassifier()}}
    fp.run_plan({**plan, "procedures": SIZE}, store=url)
    found = fp.audit(url)
    assert (found.ok, found.exit_code, found.checked) == (False, 2, 0)
    assert {(n.dataset, n.learner, n.cells) for n in found.not_audited} == {("toy", "a", 2), ("toy", "b", 2)}
    assert "given in memory: give them again, as in --data toy=FILE" in found.not_audited[0].why
    assert "none of 4 cells could be computed again, so nothing is proven" in " ".join(found.to_text().split())
    assert fp.audit(url, data={"toy": (X, y)}).ok
    assert fp.audit(url, data={"toy": fp.dataset(X, y)}).checked == 4
    with pytest.raises(InputError, match="the data given for 'toy' are not those of the store: their fingerprint is"):
        fp.audit(url, data={"toy": (X + 1.0, y)})
    with pytest.raises(InputError, match=r"unknown dataset of this store 'tyo': did you mean 'toy'\?"):
        fp.audit(url, data={"tyo": (X, y)})
    with pytest.raises(InputError, match="the data given for 'toy' are a list: give a source"):
        fp.audit(url, data={"toy": [1]})


def test_a_file_that_changed_or_went_away_is_told(tmp_path, url):
    path = tmp_path / "own.csv"
    rows = [f"{i % 7},{i % 5},{'ab'[i % 2]}" for i in range(60)]
    path.write_text("x,y,kind\n" + "\n".join(rows) + "\n")
    learners = {"a": GaussianNB(), "b": DecisionTreeClassifier()}
    fp.run_plan({"datasets": {"own": str(path)}, "learners": learners, "procedures": SIZE}, store=url)
    copy = path.with_name("copy.csv")
    copy.write_text(path.read_text())
    path.write_text(path.read_text().replace("\n0,0,", "\n1,0,"))
    assert "the data have changed: their fingerprint is" in fp.audit(url).not_audited[0].why
    assert fp.audit(url, data={"own": (str(copy), "kind")}).ok
    path.unlink()
    assert f"there is no file '{path}'" in fp.audit(url).not_audited[0].why


def halved(X):
    return X / 2


def test_what_has_no_recipe_is_told_and_may_be_given_again(url):
    tree = Tuned(DecisionTreeClassifier(), {"max_depth": [1, 2]}, scoring=make_scorer(lambda y, p: 0.0))
    odd = make_pipeline(FunctionTransformer(lambda X: X), GaussianNB())
    fp.run_plan(
        {"datasets": {"iris": "sklearn:iris"}, "learners": {"odd": odd, "tree": tree, "bayes": GaussianNB()},
         "procedures": SIZE},
        store=url,
    )  # fmt: skip
    found = fp.audit(url, sample=None)
    assert found.ok and found.checked == 2
    assert {n.learner for n in found.not_audited} == {"odd", "tree"}
    assert "the store has no recipe for 'odd'" in " ".join(n.why for n in found.not_audited)
    assert fp.audit(url, sample=None, learners={"odd": odd}).checked == 4
    with pytest.raises(InputError, match="the learner given for 'odd' is not that of the store"):
        fp.audit(url, learners={"odd": GaussianNB()})


@pytest.mark.parametrize("scoring", ["f1_macro", "neg_log_loss"])
def test_tuned_learners_are_tuned_again(url, scoring):
    learners = {"tree": "sklearn.tree.DecisionTreeClassifier()", "c45": "c45", "bayes": "naive-bayes"}
    tune = {"tree": {"max_depth": [1, 2, 3]}, "c45": {"confidence": [0.1, 0.25]}}
    plan = {"datasets": {"iris": "sklearn:iris"}, "learners": learners, "tune": tune, "scoring": [scoring]}
    fp.run_plan({**plan, "procedures": SIZE}, store=url)
    found = fp.audit(url, sample=None)
    assert (found.ok, found.checked, found.not_audited) == (True, 6, ())
    if scoring == "f1_macro":
        with open_store(url) as store:
            (tree,) = (series.key for series in store.series() if series.name == "tree")
        change(url, "UPDATE foldproof_score SET folds = zeroblob(24) WHERE run = 0 AND series = (SELECT id FROM foldproof_series "
               "WHERE key = ?)", tree)  # fmt: skip
        assert {different.learner for different in fp.audit(url, sample=None).different} == {"tree"}


def brier_like(estimator, X, y):
    return 0.5


def test_a_scoring_of_the_callers_own_is_told_and_the_rest_compared(url, toy):
    fp.compare({"a": GaussianNB(), "b": DummyClassifier()}, *toy, scoring=["accuracy", brier_like], store=url, runs=2,
               folds=3, procedure="corrected-repeated-cv")  # fmt: skip
    found = fp.audit(url, data={"data": toy})
    assert found.ok and found.checked == 4
    assert "the score 'brier_like' is a function of the caller's own; the rest is compared" in found.not_audited[0].why


def test_partitions_of_the_callers_own_are_told(url, toy):
    from sklearn.model_selection import ShuffleSplit

    fp.compare({"a": GaussianNB(), "b": DummyClassifier()}, *toy, cv=ShuffleSplit(4, random_state=0), store=url)
    found = fp.audit(url, data={"data": toy})
    assert found.checked == 0 and found.exit_code == 2
    assert found.not_audited


def test_failures_are_computed_again_too_and_lost_cells_are_not(url, tmp_path):
    path = tmp_path / "rare.csv"
    path.write_text("x,y\n" + "".join(f"{i},{'c' if i == 7 else 'ab'[i % 2]}\n" for i in range(40)))
    learners = {"near": "sklearn.neighbors.KNeighborsClassifier(n_neighbors=27)", "b": GaussianNB()}
    done = fp.run_plan({"datasets": {"rare": str(path)}, "learners": learners, "procedures": SIZE}, store=url)
    assert done.failures
    assert fp.audit(url, sample=None).ok
    with sqlite3.connect(url.removeprefix("sqlite:///")) as database:
        database.execute("UPDATE foldproof_remark SET again = 1.0 WHERE scoring = ''")
    found = fp.audit(url, sample=None)
    assert found.checked == 2
    assert "they ended for want of time, or their worker died" in found.not_audited[0].why


def test_regressors_weights_and_what_was_not_encoded(url, rng):
    X = rng.normal(size=(50, 2))
    learners = {"near": KNeighborsRegressor(), "line": LinearRegression()}
    data = fp.dataset(X, X[:, 0] + rng.normal(size=50), sample_weight=rng.random(50))
    fp.compare({"line": LinearRegression(), "sgd": LinearRegression(positive=True)}, data, store=url, procedure="5x2cv",
               encode=False)  # fmt: skip
    assert fp.audit(url, data={"data": data}).ok
    plain = fp.dataset(X, X[:, 0] + 0.5, name="plain")
    fp.compare(learners, plain, store=url, procedure="5x2cv", scoring=["r2", "neg_mean_absolute_error"])
    assert fp.audit(url, data={"data": data, "plain": plain}, sample=None).ok


def test_an_empty_store_and_one_that_is_not_there(url, capsys):
    open_store(url).close()
    assert run(["audit", url]) == 0
    assert "holds no cells: there is nothing to audit" in " ".join(capsys.readouterr().out.split())
    assert run(["audit", url + "x"]) == 2
    assert "there is no store" in capsys.readouterr().err


def test_the_command_answers_by_its_exit_code(kept, capsys):
    assert run(["audit", kept, "--sample", "5", "--quiet", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["schema"], told["ok"], told["checked"], told["sample"]) == ("foldproof/audit/1", True, 5, 5)
    series, number = one(kept)
    change(
        kept,
        "UPDATE foldproof_score SET folds = ? WHERE series = ? AND run = ? AND scoring = 1",
        np.zeros(3).tobytes(),
        series,
        number,
    )
    assert run(["audit", kept, "--all", "--quiet", "--jobs", "2"]) == 1
    assert "wine, sgd, run 1: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--data", "iris"], "--data 'iris' is not NAME=VALUE: write it as in --data 'iris=iris.csv'"),
        (["--data", "a=b.csv", "--data", "a=c.csv"], "--data names 'a' twice: give each once"),
        (["--target", "iris=kind"], "--target iris=kind is for data that are given: add --data iris=FILE"),
        (["--data", "irsi=iris.csv"], "unknown dataset of this store 'irsi': did you mean 'iris'?"),
        (["--data", "iris=none.csv"], "there is no file 'none.csv'"),
        (["--data", "iris=sklearn:wine"], "the data given for 'iris' are not those of the store"),
    ],
)
def test_bad_usage_is_one_sentence(kept, arguments, said, capsys):
    assert run(["audit", kept, "--quiet", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert said in err


def test_a_learner_that_ignores_its_seed_is_a_difference(tmp_path, url, monkeypatch):
    (tmp_path / "restless.py").write_text(
        "import numpy as np, time\n"
        "from sklearn.dummy import DummyClassifier\n"
        "class Restless(DummyClassifier):\n"
        "    def predict(self, X):\n"
        "        return np.random.default_rng(time.perf_counter_ns()).choice(self.classes_, len(X))\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    learners = {"restless": "restless.Restless()", "bayes": "sklearn.naive_bayes.GaussianNB()"}
    fp.run_plan({"datasets": {"iris": "sklearn:iris"}, "learners": learners, "procedures": SIZE}, store=url)
    found = fp.audit(url, sample=None)
    assert {cell.learner for cell in found.different} == {"restless"}
    assert "draws random numbers that its random_state does not govern" in " ".join(found.to_text().split())
