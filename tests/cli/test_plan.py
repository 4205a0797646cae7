"""``foldproof run``: what it prints, how it answers, and that the same command goes on."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from foldproof.cli.main import run
from foldproof.store import open_store

PLAN = """
procedures = {name = "corrected-repeated-cv", runs = 3, folds = 4}
[datasets]
iris = "sklearn:iris"
wine = "sklearn:wine"
[learners]
bayes = "sklearn.naive_bayes.GaussianNB()"
near = "sklearn.neighbors.KNeighborsClassifier(n_neighbors=1)"
"""


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(PLAN)
    return path


def test_a_plan_is_run_and_then_read(plan, capsys, monkeypatch):
    assert run(["run", str(plan), "--quiet"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "small.toml: 2 datasets, 2 learners; 12 runs of learners, 12 fitted now, kept in sqlite:///" in " ".join(
        out.split()
    )
    assert "wilcoxon-signed-rank" in out and "bayes – near" in out
    from foldproof.engine import local

    monkeypatch.setattr(local, "run_batch", None)
    assert run(["run", str(plan), "--quiet", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["schema"], told["plan"], told["tasks"], told["fitted"]) == ("foldproof/run/1", "small.toml", 12, 0)
    assert [d["name"] for d in told["results"][0]["datasets"]] == ["iris", "wine"]


def test_a_page_and_a_store_elsewhere(plan, tmp_path, capsys):
    page, url = tmp_path / "page.html", f"sqlite:///{tmp_path / 'other.db'}"
    assert run(["run", str(plan), "--quiet", "--html", str(page), "--store", url, "--jobs", "2"]) == 0
    assert page.read_text().startswith("<!doctype html>")
    assert not plan.with_suffix(".db").exists()
    with open_store(url) as store:
        assert store.count() == 12


def test_bad_plans_are_one_sentence(plan, capsys):
    plan.write_text(PLAN.replace("[learners]", "[leaners]"))
    assert run(["run", str(plan)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"foldproof: {plan}: unknown key 'leaners': did you mean 'learners'?")


def test_failing_cells_are_listed_and_answer_three(plan, capsys):
    plan.write_text(PLAN.replace("n_neighbors=1", "n_neighbors=120"))
    assert run(["run", str(plan), "--quiet"]) == 3
    out = " ".join(capsys.readouterr().out.split())
    assert "12 folds failed:" in out
    assert "iris: near, run 0, fold 0: " in out


SLOW = """
import time
from sklearn.dummy import DummyClassifier

class Slow(DummyClassifier):
    def fit(self, X, y, sample_weight=None):
        time.sleep(0.02)
        return super().fit(X, y)
"""


@pytest.mark.slow
def test_control_c_is_130_says_how_to_go_on_and_loses_nothing(plan, tmp_path):
    (tmp_path / "slow_learner.py").write_text(SLOW)
    plan.write_text(PLAN.replace("runs = 3", "runs = 50") + 'slow = "slow_learner.Slow()"\n')
    command = [sys.executable, "-m", "foldproof", "run", str(plan)]
    path = os.pathsep.join(p for p in (str(tmp_path), os.environ.get("PYTHONPATH")) if p)
    environment = {**os.environ, "PYTHONPATH": path}
    started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    deadline = time.monotonic() + 60
    held = 0
    while held < 20 and time.monotonic() < deadline:
        time.sleep(0.2)
        if plan.with_suffix(".db").exists():
            with open_store(f"sqlite:///{plan.with_suffix('.db')}") as store:
                held = store.count()
    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=30)
    assert (started.returncode, out) == (130, "")
    assert "interrupted: what was finished is kept in the store; the same command goes on from here" in err
    assert "Traceback" not in err
    with open_store(f"sqlite:///{plan.with_suffix('.db')}") as store:
        assert store.count() >= held > 0
        kept = store.count()
    plan.write_text(plan.read_text().replace("runs = 50", f"runs = {max(2, kept // 6)}"))
    done = subprocess.run(
        [*command, "--json"], capture_output=True, text=True, env=environment, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["fitted"] < told["tasks"]
