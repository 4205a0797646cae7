"""The program from outside: output, exit codes, sentences on stderr, nothing else."""

import json
import os
import subprocess
import sys

import pytest

from foldproof.cli.main import run

BAYES = "sklearn.naive_bayes.GaussianNB()"
TREE = "tree=sklearn.tree.DecisionTreeClassifier(max_depth=2)"
COMPARE = ["compare", "sklearn:breast_cancer", "-l", BAYES, "-l", TREE, "--seed", "1"]
QUICK = ["--procedure", "5x2cv"]


def program(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "foldproof", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.fixture(scope="module")
def told():
    done = program(*COMPARE, "--json", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_json_has_the_keys_of_the_contract(told):
    found = json.loads(told)
    assert list(found) == [
        "schema",
        "dataset",
        "procedure",
        "scoring",
        "greater_is_better",
        "alpha",
        "adjust",
        "confidence_level",
        "seed",
        "n_train",
        "n_test",
        "learners",
        "pairs",
        "failures",
        "ledger",
        "provenance",
        "warnings",
    ]
    assert set(found["dataset"]) == {"name", "fingerprint", "instances", "attributes", "classes"}
    assert set(found["procedure"]) == {"name", "test", "runs", "folds"}
    assert [set(x) for x in found["learners"]] == [{"name", "spec", "mean_score", "sd"}] * 2
    assert set(found["pairs"][0]) == {
        "a",
        "b",
        "mean_difference",
        "confidence_interval",
        "statistic",
        "df",
        "pvalue",
        "pvalue_adjusted",
        "verdict",
        "forecast",
        "smallest_detectable",
        "settled",
        "table",
        "warnings",
    }
    assert set(found["provenance"]) == {"version", "python", "packages", "partitions_fingerprint", "fast_paths"}


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_whole_output_is_the_same_on_any_number_of_jobs_and_in_another_process(told, jobs):
    assert program(*COMPARE, "--json", "--jobs", jobs, PYTHONHASHSEED="7").stdout == told


def test_the_text_says_what_was_done(capsys):
    assert run([*COMPARE, *QUICK, "--quiet"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    for part in (
        "sklearn:breast_cancer: 569 instances, 30 attributes, 2 classes",
        "5x2cv: 5 x 2 folds",
        "seed 1",
        "GaussianNB",
    ):
        assert part in out
    assert all(line == line.rstrip() for line in out.splitlines())


def test_seed_zero_is_the_default_and_printed(capsys):
    assert run([*COMPARE[:-2], *QUICK]) == 0
    assert "seed 0" in capsys.readouterr().out


def test_a_page_is_written(tmp_path, capsys):
    page = tmp_path / "deep" / "report.html"
    assert run([*COMPARE, *QUICK, "--html", str(page)]) == 0
    assert page.read_text().startswith("<!doctype html>")
    assert list(page.parent.iterdir()) == [page]


CSV = "".join(f"{'abc'[i % 3]},{i if i % 5 else ''},{'yes' if i % 2 else 'no'},{i * 1.5 + i % 3}\n" for i in range(40))


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("letter,number,answer,amount\n" + CSV)
    return str(path)


def test_a_raw_csv_with_a_numeric_target_goes_through(table, capsys):
    learners = ["-l", "sklearn.linear_model.Ridge()", "-l", "sklearn.tree.DecisionTreeRegressor()"]
    assert run(["compare", table, "--target", "amount", *learners]) == 0
    out = capsys.readouterr().out
    assert "root_mean_squared_error (lower is better)" in out
    assert "2 nominal attributes one-hot encoded and 8 missing values filled in" in " ".join(out.split())


def test_a_raw_csv_with_a_text_target_goes_through(table, capsys):
    learners = ["-l", "sklearn.linear_model.LogisticRegression(max_iter=5000)", "-l", BAYES]
    assert run(["compare", table, "--target", "answer", *learners]) == 0
    assert "2 classes" in capsys.readouterr().out


def test_no_encode_refuses_instead(table, capsys):
    arguments = ["compare", table, "--target", "answer", "-l", BAYES, "-l", TREE, "--no-encode"]
    assert run(arguments) == 2
    assert "which 'GaussianNB', 'tree' cannot be given with encoding turned off" in capsys.readouterr().err


def test_several_scorings(capsys):
    assert run([*COMPARE, *QUICK, "--scoring", "accuracy,f1", "--scoring", "roc_auc", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [found["scoring"], *(part["scoring"] for part in found["more_scorings"])] == ["accuracy", "f1", "roc_auc"]


def test_a_learner_that_fails_in_some_folds_is_exit_code_three(tmp_path, capsys):
    path = tmp_path / "rare.csv"
    path.write_text("x,y\n" + "".join(f"{i},{'c' if i == 7 else 'ab'[i % 2]}\n" for i in range(40)))
    ranker = "sklearn.neighbors.KNeighborsClassifier(n_neighbors=33)"
    arguments = ["compare", str(path), "-l", ranker, "-l", BAYES, "--procedure", "corrected-repeated-cv"]
    assert run([*arguments, "--folds", "5", "--runs", "2", "--json"]) == 3
    found = json.loads(capsys.readouterr().out)
    assert len(found["failures"]) == 10
    assert set(found["failures"][0]) == {"learner", "run", "fold", "kind", "message"}
    assert found["pairs"][0]["verdict"] == "none"
    assert found["pairs"][0]["pvalue"] is None


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["compare", "sklearn:iris", "-l", BAYES], "a comparison needs at least two learners; got 1"),
        (["compare", "sklearn:iris", "-l", BAYES, "-l", "none=" + BAYES], "no learner may be called 'none'"),
        (["compare", "sklearn:iris", "-l", BAYES, "-l", "Gaussian"], "unknown learner 'Gaussian'"),
        (["compare", "sklearn:iris", "-l", BAYES, "-l", "naive-bays"], "did you mean 'naive-bayes'?"),
        (
            ["compare", "sklearn:iris", "-l", BAYES, "-l", "GausianNB"],
            "did you mean 'sklearn.naive_bayes.GaussianNB()'",
        ),
        ([*COMPARE, "--procedure", "corrected-10x10"], "did you mean 'corrected-10x10-cv'?"),
        ([*COMPARE, "--runs", "5"], "the procedure 'corrected-10x10-cv' fixes runs at 10 and 5 was asked for"),
        ([*COMPARE, "--alpha", "2"], "alpha is 2.0: it must lie between 0 and 1"),
        ([*COMPARE, "--seed", "-3"], "seed is -3: give a whole number of at least 0"),
        ([*COMPARE, "--target", "x"], "sklearn:breast_cancer has its own target and no groups"),
        ([*COMPARE, "--jobs", "many"], "Invalid value for '--jobs'"),
        ([*COMPARE, "--jobs", "0"], "--jobs is 0: give a number of processes from 1 to "),
        ([*COMPARE, "--jobs", "100000"], "--jobs is 100000: give a number of processes from 1 to "),
        (
            [*COMPARE, "--procedure", "corrected-repeated-cv", "--runs", "1000000000"],
            "runs is 1000000000: at most 100000 are dealt out at once",
        ),
        (["compare", "sklearn:iris", "-l", "os.system('x')", "-l", TREE], "'os.system' is not an estimator"),
        ([*COMPARE, "--colour"], "No such option: --colour"),
        (["compare", "nothing.csv", "-l", BAYES, "-l", TREE], "there is no file 'nothing.csv'"),
        (["compare"], "Missing argument 'SOURCE'"),
        (["comprae"], "No such command 'comprae'"),
        (["list", "planets"], "unknown thing to list 'planets'"),
        ([*COMPARE, "--store", "sqlite:////nowhere/x.db"], "there is no folder '/nowhere'"),
        ([*COMPARE, "--store", "mongo://x"], "unknown store 'mongo'"),
        ([*COMPARE, "--time-limit", "0"], "the time limit of a fit is 0.0: give a number of seconds above 0"),
        ([*COMPARE, "--executor", "dask"], "the executor dask needs the address of a scheduler, such as tcp://"),
        ([*COMPARE, "--executor", "cloud"], "unknown executor 'cloud' (known: dask, local)"),
        ([*COMPARE, "--scheduler", "tcp://x:1"], "a scheduler (tcp://x:1) is for the executor dask: choose it"),
        ([*COMPARE, "--html", "/proc/no/report.html"], "cannot write '/proc/no/report.html'"),
    ],
)
def test_bad_usage_is_one_sentence_and_exit_code_two(arguments, sentence, capsys):
    assert run([*arguments, "--quiet"] if "compare" in arguments else arguments) == 2
    out, err = capsys.readouterr()
    assert sentence in err
    assert err.count("\n") == 1
    assert "Traceback" not in err + out
    assert out == ""


@pytest.mark.parametrize("target", ["constant", "holes"])
def test_targets_that_cannot_be_learned(tmp_path, capsys, target):
    path = tmp_path / "t.csv"
    path.write_text("x,constant,holes\n" + "".join(f"{i},1,{'' if i == 3 else i % 2}\n" for i in range(20)))
    assert run(["compare", str(path), "--target", target, "-l", BAYES, "-l", TREE]) == 2
    expected = "constant (1 in every row)" if target == "constant" else "missing in 1 of 20 rows (first: row 3)"
    assert expected in capsys.readouterr().err


def test_debug_shows_the_traceback():
    done = program("compare", "nothing.csv", "-l", BAYES, "-l", TREE, "--debug")
    assert "Traceback" in done.stderr


def test_an_error_of_our_own_is_one_sentence_too(monkeypatch, capsys):
    monkeypatch.setattr("foldproof.workflows.compare.judge_pairs", lambda *a, **k: 1 / 0)
    assert run([*COMPARE, *QUICK]) == 2
    assert (
        "an error of foldproof itself (ZeroDivisionError: division by zero): please report it"
        in capsys.readouterr().err
    )


def test_an_interrupt_is_130_and_says_how_to_go_on(monkeypatch, capsys):
    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("foldproof.workflows.compare.judge_pairs", interrupt)
    assert run([*COMPARE, *QUICK]) == 130
    assert "the same command with the same seed gives the same result" in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_error():
    command = f"{sys.executable} -m foldproof list tests | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_listings(capsys):
    for what, item in [
        ("procedures", "corrected-10x10-cv"),
        ("tests", "paired-t"),
        ("datasets", "sklearn:iris"),
        ("learners", "package.Class"),
        ("studies", "bouckaert-frank-2004"),
    ]:
        assert run(["list", what]) == 0
        assert item in capsys.readouterr().out
        assert run(["list", what, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["schema"] == "foldproof/list/1"


def test_replicate(capsys):
    assert run(["replicate", *COMPARE[1:], *QUICK, "--repetitions", "3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "foldproof/replicate/1"
    assert sum(found["pairs"][0]["verdicts"].values()) == 3


def test_no_arguments_show_the_help(capsys):
    assert run([]) == 0
    assert "compare" in capsys.readouterr().out


def test_version(capsys):
    from foldproof import __version__

    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"foldproof {__version__}\n"


SMALL = [*COMPARE, "--procedure", "corrected-repeated-cv", "--runs", "2", "--folds", "3", "--quiet"]


def test_a_store_is_filled_once_and_read_from_then_on(tmp_path, capsys, monkeypatch):
    from foldproof.engine import local

    store = f"sqlite:///{tmp_path / 'results.db'}"
    assert run([*SMALL, "--json", "--store", store]) == 0
    first = capsys.readouterr().out
    monkeypatch.setattr(local, "run_batch", None)  # nothing is run any more
    assert run([*SMALL, "--json", "--store", store]) == 0
    assert capsys.readouterr().out == first
    assert json.loads(first)["provenance"]["fast_paths"] == ["GaussianNB: gaussian-naive-bayes"]


def test_no_fast_gives_the_same_scores_without_fast_paths(capsys):
    assert run([*SMALL, "--json"]) == 0
    fast = json.loads(capsys.readouterr().out)
    assert run([*SMALL, "--json", "--no-fast"]) == 0
    slow = json.loads(capsys.readouterr().out)
    assert slow["provenance"].pop("fast_paths") == []
    assert fast["provenance"].pop("fast_paths") != []
    assert fast == slow


@pytest.mark.parametrize("command", ["replicate", "gate"])
def test_other_commands_write_a_page(command, tmp_path, capsys):
    what = {
        "replicate": ["-l", "<b>=" + BAYES, "-l", TREE, "--repetitions", "2"],
        "gate": ["--baseline", BAYES, "--candidate", "<b>=" + TREE.partition("=")[2], "--min-effect", "0.1"],
    }[command]
    page = tmp_path / "page.html"
    size = ["--procedure", "corrected-repeated-cv", "--runs", "2", "--folds", "3", "--quiet"]
    assert run([command, "sklearn:iris", *what, *size, "--html", str(page)]) in (0, 1)
    text = page.read_text()
    assert text.startswith("<!doctype html>") and text.rstrip().endswith("</html>")
    assert "&lt;b&gt;" in text and "<b>" not in text
    assert "http" not in text and "<script" not in text
    capsys.readouterr()


def test_a_page_that_cannot_be_written_is_told_before_the_work(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("foldproof.workflows.compare.judge_pairs", lambda *a, **k: 1 / 0)
    assert run([*COMPARE, *QUICK, "--html", str(tmp_path)]) == 2
    assert f"cannot write '{tmp_path}': it is a folder; choose another place" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["replicate", "gate"])
def test_other_commands_take_a_store_and_no_fast(command, tmp_path, capsys, monkeypatch):
    from foldproof.engine import local

    size = ["--procedure", "corrected-repeated-cv", "--runs", "2", "--folds", "3", "--quiet", "--json"]
    size += ["--store", f"sqlite:///{tmp_path / 'results.db'}", "--no-fast"]
    what = {
        "replicate": ["-l", BAYES, "-l", TREE, "--repetitions", "2"],
        "gate": ["--baseline", BAYES, "--candidate", TREE, "--min-effect", "0.1"],
    }[command]
    first = run([command, "sklearn:iris", *what, *size])
    told = capsys.readouterr().out
    monkeypatch.setattr(local, "run_batch", None)
    assert run([command, "sklearn:iris", *what, *size]) == first
    assert capsys.readouterr().out == told
