"""Plans: many datasets and learners under several procedures, resumed and extended, and errors that name the key."""

import json

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.domain.errors import InputError
from foldproof.engine.events import DatasetFinished, DatasetStarted, TaskFinished
from foldproof.engine.task import failed_task, run_tasks
from foldproof.store import open_store
from foldproof.workflows.plans import store_of

SIZE = {"name": "corrected-repeated-cv", "runs": 2, "folds": 5}
LEARNERS = {"bayes": "sklearn.naive_bayes.GaussianNB()", "tree": "sklearn.tree.DecisionTreeClassifier(max_depth=1)"}
PLAN = {"datasets": {"iris": "sklearn:iris", "wine": "sklearn:wine"}, "learners": LEARNERS, "procedures": SIZE}

TEXT = """
seed = 4
procedures = ["10-fold-cv", {name = "corrected-repeated-cv", runs = 2, folds = 10}]
scoring = ["accuracy", "f1_macro"]

[datasets]
iris = "sklearn:iris"
own = {source = "own.csv", target = "kind", groups = "owner"}

[learners]
bayes = "sklearn.naive_bayes.GaussianNB()"
tree = "sklearn.tree.DecisionTreeClassifier(max_depth=1)"
"""


@pytest.fixture
def file(tmp_path):
    rows = [f"{i % 7},{i % 5},{'ab'[i % 2]},{i // 3}" for i in range(60)]
    (tmp_path / "own.csv").write_text("x,y,kind,owner\n" + "\n".join(rows) + "\n")
    path = tmp_path / "plan.toml"
    path.write_text(TEXT)
    return path


def plain(found):
    """What a run tells, but for how much was fitted now and what the ledger said at that moment."""
    told = found.to_dict()
    for result in told["results"]:
        for data in result["datasets"]:
            data.pop("ledger")
    for key in ("tasks", "fitted", "store"):
        told.pop(key)
    return told


def test_each_comparison_is_the_one_that_compare_makes():
    done = fp.run_plan(PLAN)
    for name in ("iris", "wine"):
        alone = fp.compare(
            LEARNERS,
            fp.run_plan(PLAN).comparison(name).dataset,
            procedure="corrected-repeated-cv",
            runs=2,
            folds=5,
        )
        mine = done.comparison(name)
        assert mine.partitions == alone.partitions
        assert mine.pair("bayes", "tree") == alone.pair("bayes", "tree")
    many = fp.compare_many(
        {name: done.comparison(name).dataset for name in ("iris", "wine")},
        LEARNERS,
        procedure="corrected-repeated-cv",
        runs=2,
        folds=5,
    )
    judged = done.many().judge("wilcoxon-signed-rank").pair("bayes", "tree")
    assert judged == many.judge("wilcoxon-signed-rank").pair("bayes", "tree")


def test_a_file_is_seen_from_its_folder_and_keeps_its_results_beside_it(file, monkeypatch, tmp_path_factory):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    done = fp.run_plan(file)
    assert done.store == f"sqlite:///{file.with_suffix('.db')}"
    assert done.comparison("own").dataset.groups is not None
    assert done.comparison("own").dataset.target_name == "kind"
    assert [part.label for part in done.parts] == ["10-fold-cv"] * 2 + ["corrected-repeated-cv (runs=2, folds=10)"] * 2
    # Two learners, two datasets, two runs: the one run of the first procedure is one of the second's.
    assert (done.tasks, done.fitted) == (12, 8)
    again = fp.run_plan(file)
    assert (again.tasks, again.fitted) == (12, 0)
    assert plain(again) == plain(done)


def test_what_is_added_costs_its_own_fits(tmp_path):
    with open_store(f"sqlite:///{tmp_path / 'a.db'}") as store:
        assert fp.run_plan(PLAN, store=store).fitted == 8
        more = {**PLAN, "procedures": [SIZE, {**SIZE, "runs": 3}]}
        assert fp.run_plan(more, store=store).fitted == 4
        more["learners"] = {**LEARNERS, "dummy": "sklearn.dummy.DummyClassifier()"}
        assert fp.run_plan(more, store=store).fitted == 6
        more["datasets"] = {**PLAN["datasets"], "cancer": "sklearn:breast_cancer"}
        assert fp.run_plan(more, store=store).fitted == 9
        more["scoring"] = ["accuracy", "f1_macro"]
        assert fp.run_plan(more, store=store).fitted == 0
        assert store.count() == 27


def test_an_interrupted_plan_goes_on_and_ends_as_if_nothing_had_been(tmp_path):
    seen = []

    def stop(event):
        if isinstance(event, TaskFinished):
            seen.append(event)
            if len(seen) == 5:
                raise KeyboardInterrupt

    url = f"sqlite:///{tmp_path / 'a.db'}"
    with pytest.raises(KeyboardInterrupt):
        fp.run_plan(PLAN, store=url, on_event=stop)
    with open_store(url) as store:
        assert store.count() == 5
    done = fp.run_plan(PLAN, store=url)
    assert done.fitted == 3
    assert plain(done)["results"][0]["over_datasets"] == plain(fp.run_plan(PLAN))["results"][0]["over_datasets"]


def test_events_tell_of_datasets_and_tasks():
    events = []
    fp.run_plan({**PLAN, "procedures": ["10-fold-cv", SIZE]}, on_event=events.append)
    started = [e for e in events if isinstance(e, DatasetStarted)]
    assert [(e.dataset, e.number, e.of, e.before, e.total) for e in started] == [
        ("iris", 1, 4, 0, 12),
        ("iris", 2, 4, 2, 12),
        ("wine", 3, 4, 6, 12),
        ("wine", 4, 4, 8, 12),
    ]
    finished = [e for e in events if isinstance(e, DatasetFinished)]
    assert [(e.tasks, e.fitted) for e in finished] == [(2, 2), (4, 4), (2, 2), (4, 4)]
    task = next(e for e in events if isinstance(e, TaskFinished))
    assert (task.dataset, task.scoring) == ("iris", "accuracy")
    assert 0.5 < task.score <= 1.0


def test_python_gives_estimators_and_arrays(toy):
    plan = {"datasets": {"toy": toy}, "learners": {"a": GaussianNB(), "b": DummyClassifier()}, "procedures": SIZE}
    done = fp.run_plan(plan)
    assert done.store == "memory://"
    assert done.comparison("toy").pair("a", "b").pvalue < 1
    told = done.to_dict()
    assert told["results"][0]["over_datasets"] == []
    assert "1 dataset, 2 learners" in done.to_text()


def test_tuning_control_and_losses(rng):
    X = rng.normal(size=(40, 2))
    plan = {
        "datasets": {"one": (X, X[:, 0] + 0.25), "two": (X, X[:, 1] + 0.25)},
        "learners": {"line": LinearRegression(), "mean": DummyRegressor(), "median": DummyRegressor(strategy="median")},
        "procedures": SIZE,
        "control": "mean",
        "tune": {"median": {"quantile": [0.5, None]}},
    }
    done = fp.run_plan(plan)
    assert done.many().control == "mean"
    assert done.parts[0].scoring == "neg_root_mean_squared_error"
    assert done.comparison("one").to_dict()["tuning"]
    assert "root_mean_squared_error (lower is better)" in " ".join(done.to_text().split())


class Fails(DummyClassifier):
    def fit(self, X, y, sample_weight=None):
        raise ValueError("<b>no</b>")


def test_failures_are_listed_once_with_dataset_and_procedure(toy):
    plan = {
        "datasets": {"toy": toy, "other": (toy[0] + 1.0, toy[1])},
        "learners": {"a": GaussianNB(), "fails": Fails()},
        "procedures": SIZE,
        "scoring": ["accuracy", "f1"],
    }
    done = fp.run_plan(plan)
    assert len(done.failures) == 20
    assert done.failures[0] == {
        "procedure": "corrected-repeated-cv (runs=2, folds=5)", "dataset": "toy", "learner": "fails", "run": 0,
        "fold": 0, "kind": "fit_raised", "message": "ValueError: <b>no</b>",
    }  # fmt: skip
    assert "20 folds failed:" in done.to_text()
    page = done.to_html()
    assert "&lt;b&gt;no&lt;/b&gt;" in page and "<b>no</b>" not in page


def test_the_page_is_one_file_with_every_procedure(tmp_path):
    done = fp.run_plan({**PLAN, "procedures": ["10-fold-cv", SIZE], "learners": {**LEARNERS, "<i>": DummyClassifier()}})
    page = done.to_html(tmp_path / "deep" / "plan.html")
    assert (tmp_path / "deep" / "plan.html").read_text() == page
    assert page.count("<h2>") >= 3
    assert "http" not in page.replace("http://www.w3.org", "")
    assert "<i>" not in page and "&lt;i&gt;" in page
    assert done._repr_html_().count("<h4>10-fold-cv") == 1


def test_a_row_for_every_pair_dataset_and_procedure():
    frame = fp.run_plan({**PLAN, "procedures": ["10-fold-cv", SIZE]}).to_frame()
    assert frame.select("procedure", "scoring", "dataset").rows() == [
        ("10-fold-cv", "accuracy", "iris"),
        ("10-fold-cv", "accuracy", "wine"),
        ("corrected-repeated-cv (runs=2, folds=5)", "accuracy", "iris"),
        ("corrected-repeated-cv (runs=2, folds=5)", "accuracy", "wine"),
    ]


def test_asking_for_what_is_not_there():
    done = fp.run_plan(PLAN)
    with pytest.raises(InputError, match=r"unknown procedure of this plan '5x2' \(known: corrected-repeated-cv"):
        done.many("5x2")
    with pytest.raises(InputError, match="unknown scoring of this plan 'f1'"):
        done.many(scoring="f1")
    with pytest.raises(InputError, match=r"unknown dataset of this comparison 'irs': did you mean 'iris'\?"):
        done.comparison("irs")


@pytest.mark.parametrize(
    ("store", "found"),
    [
        (None, "sqlite:///{here}/plan.db"),
        ("kept.db", "sqlite:///{here}/kept.db"),
        ("sqlite:///kept.db", "sqlite:///{here}/kept.db"),
        ("sqlite:////srv/kept.db", "sqlite:////srv/kept.db"),
        ("postgresql://me@host/name", "postgresql://me@host/name"),
    ],
)
def test_a_store_is_seen_from_the_plan(file, store, found):
    if store is not None:
        file.write_text(f'store = "{store}"\n{TEXT}')
    assert store_of(fp.read_plan(file)) == found.format(here=file.parent)


def changed(old, new):
    return TEXT.replace(old, new)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (changed("[learners]", "[learner]"), "{file}: unknown key 'learner': did you mean 'learners'? (known: "),
        (
            changed("target =", "targt ="),
            "{file}: unknown key in datasets.own 'targt': did you mean 'target'? (known: groups, source, target)",
        ),
        (
            changed("runs = 2", "run = 2"),
            "{file}: unknown key in procedures[1] 'run': did you mean 'runs'? (known: folds, name, runs)",
        ),
        ('seed = "one"' + changed("seed = 4", ""), "{file}: seed is 'one' (a text): give a whole number"),
        ("alpha = true" + TEXT, "{file}: alpha is True (true or false): give a number"),
        ("jobs = 1.5" + TEXT, "{file}: jobs is 1.5 (a number): give a whole number"),
        ("encode = 1" + TEXT, "{file}: encode is 1 (a whole number): give true or false"),
        (changed('tree = "', "tree = 3 # "), "{file}: learners.tree is 3 (a whole number): give a text: a learner's name"),
        (changed('"sklearn:iris"', "61"), "{file}: datasets.iris is 61 (a whole number): give a source, or a table with"),
        (changed('["accuracy", "f1_macro"]', "[]"), "{file}: scoring is [] (a list): give a text or a list of texts"),
        (changed('["accuracy", "f1_macro"]', '["accuracy", 1]'), "{file}: scoring[1] is 1 (a whole number): give a text"),
        ("tune = {tree = 3}" + TEXT, "{file}: tune.tree is 3 (a whole number): give a table of parameters, each with"),
        (TEXT.partition("[learners]")[0], "{file}: no learners: add a table [learners] with at least one line, such as"),
        (changed(TEXT[TEXT.index("[datasets]") : TEXT.index("[learners]")], ""), "{file}: no datasets: add a table"),
        (
            changed('tree = "sklearn.tree.DecisionTreeClassifier(max_depth=1)"\n', ""),
            "{file}: a comparison needs at least two learners, and there is learners.bayes alone: add one",
        ),
        (TEXT + 'bayes = "naive-bayes"\n', "{file}: line 13, column 22: a name is given twice: give each dataset"),
        ("seed = \n" + TEXT, "{file}: line 1, column 8: this is not TOML: invalid value"),
        (changed('"own.csv"', '"onw.csv"'), "{file}: datasets.own: there is no file '{here}/onw.csv': check the name;"),
        (changed('"kind"', '"knd"'), "{file}: datasets.own: unknown column 'knd': did you mean 'kind'?"),
        (changed('"sklearn:iris"', '"sklearn:irs"'), "{file}: datasets.iris: unknown scikit-learn dataset 'irs': did"),
        (changed("GaussianNB", "GausianNB"), "{file}: unknown name in sklearn.naive_bayes 'GausianNB': did you mean"),
        (changed('"10-fold-cv"', '"10-fold"'), "{file}: procedures[0]: unknown procedure '10-fold': did you mean '10-f"),
        (changed('"10-fold-cv"', '{name = "5x2cv", runs = 3}'), "{file}: procedures[0]: the procedure '5x2cv' fixes run"),
        (changed('"10-fold-cv"', '"5x2cv", "5x2cv"'), "{file}: the procedure '5x2cv' is named twice: name each once"),
        (changed('"f1_macro"', '"f2"'), "{file}: datasets.iris: unknown scoring 'f2'"),
        ('control = "dummy"' + TEXT, "{file}: unknown learner to be the control 'dummy' (known: bayes, tree)"),
        ("alpha = 3" + TEXT, "{file}: alpha is 3.0: it must lie between 0 and 1"),
        ('adjust = "hol"' + TEXT, "{file}: unknown adjustment 'hol': did you mean 'holm'?"),
        ("seed = -1" + changed("seed = 4", ""), "{file}: seed is -1: give a whole number of at least 0"),
        (
            changed('iris = "sklearn:iris"', 'iris = ""'),
            "{file}: datasets.iris is '' (a text): give a source, or a table with source, target and groups",
        ),
        (
            changed('source = "own.csv", ', ""),
            '{file}: datasets.own has no source: add source = "FILE"',
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_the_path_of_its_key(file, text, said):
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        fp.run_plan(file)
    assert str(caught.value).startswith(said.format(file=file, here=file.parent)), str(caught.value)
    assert not file.with_suffix(".db").exists() or "datasets." in said or "seed" in said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("time_limit = 0", "{file}: the time limit of a fit is 0.0: give a number of seconds above 0"),
        ('executor = "cloud"', "{file}: unknown executor 'cloud'"),
        ('executor = "dask"', "{file}: the executor dask needs the address of a scheduler"),
        ('scheduler = "tcp://127.0.0.1:1"', "{file}: a scheduler (tcp://127.0.0.1:1) is for the executor dask"),
        ("looks = 0", "{file}: looks is 0: give the number of looks that are planned"),
    ],
)
def test_how_it_is_run_is_checked_too(file, line, said):
    file.write_text(f"{line}\n{TEXT}")
    with pytest.raises(InputError) as caught:
        fp.run_plan(file)
    assert str(caught.value).startswith(said.format(file=file)), str(caught.value)


class TooSlow:
    """Whatever is called slow takes a second for a fit."""

    def run(self, plan, tasks):
        for learner, run in tasks:
            if plan.learners[learner].name == "slow" and plan.time_limit is not None and plan.time_limit < 1.0:
                yield failed_task(plan, learner, run, "time_limit", "too long", again=plan.time_limit)
            else:
                yield from run_tasks(plan, learner, [run])


def test_a_fit_that_takes_too_long_is_a_failure_and_is_tried_again_with_more_time(toy):
    plan = {"datasets": {"toy": toy}, "learners": {"a": GaussianNB(), "slow": DummyClassifier()}, "procedures": SIZE}
    with open_store("memory://") as store:
        done = fp.run_plan({**plan, "time_limit": 0.2}, store=store, executor=TooSlow())
        assert {f["kind"] for f in done.failures} == {"time_limit"}
        assert fp.run_plan({**plan, "time_limit": 0.2}, store=store, executor=TooSlow()).fitted == 0
        assert fp.run_plan(plan, store=store, time_limit=0.4, executor=TooSlow()).fitted == 2
        assert fp.run_plan(plan, store=store, executor=TooSlow()).failures == []


def test_an_executor_of_ones_own_is_handed_the_tasks():
    class Counting:
        tasks = 0

        def run(self, plan, tasks):
            self.tasks += len(tasks)
            return (result for learner, run in tasks for result in run_tasks(plan, learner, [run]))

    counting = Counting()
    done = fp.run_plan(PLAN, executor=counting)
    assert counting.tasks == done.fitted == 8


def test_lists_are_named_by_themselves_and_may_not_clash(file):
    plan = fp.read_plan(
        {"datasets": ["a/iris.csv", "sklearn:iris", "vote.arff.gz"], "learners": ["c45", "naive-bayes"]}
    )
    assert [d.name for d in plan.datasets] == ["iris", "sklearn:iris", "vote"]
    with pytest.raises(InputError, match=r"the plan: two datasets are called 'iris': give them names, in a table"):
        fp.read_plan({"datasets": ["a/iris.csv", "b/iris.csv"], "learners": ["c45", "naive-bayes"]})
    with pytest.raises(InputError, match="two learners are called 'x'"):
        fp.run_plan({"datasets": ["sklearn:iris"], "learners": ["x=c45", "x=naive-bayes"]})


def test_a_plan_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="there is no plan 'nothing.toml': check the name and the folder"):
        fp.run_plan("nothing.toml")
    with pytest.raises(InputError, match="cannot read the plan"):
        fp.run_plan(tmp_path)
    (tmp_path / "latin.toml").write_bytes("# für\n".encode("latin-1"))
    with pytest.raises(InputError, match="cannot read the plan .*: it is not text in UTF-8"):
        fp.run_plan(tmp_path / "latin.toml")


def test_every_dataset_is_read_before_anything_is_fitted(toy):
    events = []
    bad = (np.array([[np.inf], [1.0]]), np.array([0, 1]))
    with pytest.raises(InputError, match=r"the plan: datasets.bad: column 'x0' is infinite in row 0"):
        fp.run_plan(
            {"datasets": {"toy": toy, "bad": bad}, "learners": [GaussianNB(), DecisionTreeClassifier()]},
            on_event=events.append,
        )
    assert events == []


def test_a_procedure_that_a_dataset_is_too_small_for_names_both(toy):
    plan = {"datasets": {"toy": toy}, "learners": LEARNERS, "procedures": ["anova-distinct-samples"]}
    with pytest.raises(InputError, match="^the plan: datasets.toy, anova-distinct-samples: 18 instances are too few"):
        fp.run_plan({**plan, "datasets": {"toy": (toy[0][:18], toy[1][:18])}})


def test_the_same_plan_is_told_alike_whoever_runs_it(file):
    one = fp.run_plan(file)
    other = fp.run_plan(file, store="memory://", n_jobs=2)
    told, again = plain(one), plain(other)
    assert json.dumps(told, sort_keys=True) == json.dumps(again, sort_keys=True)
