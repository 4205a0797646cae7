"""The gate: its answers, its error rates where the truth is known, its exit codes from a shell."""

import json
import subprocess
import sys

import numpy as np
import pytest
from scipy import stats
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.cli.main import run
from foldproof.domain.errors import InputError
from foldproof.workflows.gate import margin_test

SMALL = {"procedure": "corrected-repeated-cv", "runs": 3, "folds": 5}


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(11)
    y = np.arange(200) % 2
    return rng.normal(size=(200, 3)) + y[:, None], y


def test_the_answers(data):
    def outcome(old, new, **options):
        return fp.gate(old, new, *data, **{"min_effect": 0.02, **options}, **SMALL).outcome

    bayes, dummy = GaussianNB(), DummyClassifier()
    assert outcome(bayes, dummy) == "fail"
    assert outcome(dummy, bayes) == "pass"
    assert outcome(bayes, GaussianNB(var_smoothing=1e-8)) == "pass"
    assert outcome(dummy, bayes, mode="superiority") == "pass"
    assert outcome(bayes, GaussianNB(var_smoothing=1e-8), mode="superiority") == "fail"
    assert outcome(bayes, GaussianNB(var_smoothing=1e-8), mode="equivalence") == "pass"
    assert outcome(dummy, bayes, mode="equivalence") == "fail"


@pytest.mark.parametrize("mode", ["noninferiority", "superiority", "equivalence"])
def test_the_numbers_are_those_of_the_corrected_t_at_the_margin(data, mode):
    found = fp.gate(GaussianNB(), DecisionTreeClassifier(max_depth=2), *data, min_effect=0.03, mode=mode, **SMALL)
    compared = fp.compare({"new": DecisionTreeClassifier(max_depth=2), "old": GaussianNB()}, *data, **SMALL)
    x = compared.differences("new", "old").values.ravel()
    error = np.sqrt((1 / 15 + 1 / 4) * x.var(ddof=1))

    def tail(null):
        return stats.t.sf((x.mean() - null) / error, 14)

    expected = {
        "noninferiority": (tail(-0.03), 1 - tail(-0.03)),
        "superiority": (tail(0.03), 1 - tail(0.03)),
        "equivalence": (max(tail(-0.03), 1 - tail(0.03)), min(1, 2 * min(1 - tail(-0.03), tail(0.03)))),
    }[mode]
    told = found.to_dict()
    assert told["mean_difference"] == pytest.approx(x.mean(), abs=1e-12)
    assert (told["pvalue"], told["pvalue_against"]) == pytest.approx(expected, rel=1e-9)
    reach = stats.t.isf(0.05, 14) * error
    assert told["confidence_interval"] == pytest.approx([x.mean() - reach, x.mean() + reach], rel=1e-9)
    assert told["confidence_level"] == pytest.approx(0.9)


def test_folds_that_do_not_differ_say_what_they_cannot_show(data):
    def told(min_effect, **options):
        old, new = GaussianNB(), GaussianNB(var_smoothing=1e-8)
        found = fp.gate(old, new, *data, min_effect=min_effect, **{**SMALL, **options}).to_dict()
        assert (found["outcome"], found["mean_difference"]) == ("pass", 0.0)
        return [warning.partition(":")[0] for warning in found["warnings"]]

    # 1 - 0.05^(1/200) = 0.0149
    assert "zero_variance" in told(0.02)
    assert "effect_unseen" in told(0.0148)
    assert "effect_unseen" not in told(0.0150)
    assert "effect_unseen" not in told(0.001, scoring="f1")
    found = fp.gate(GaussianNB(), DecisionTreeClassifier(max_depth=2), *data, min_effect=0.001, **SMALL)
    assert not {"zero_variance", "effect_unseen"} & {warning.partition(":")[0] for warning in found.warnings}
    (sentence,) = (
        w for w in fp.gate(GaussianNB(), GaussianNB(), *data, min_effect=0.01, **SMALL).warnings if "unseen" in w
    )
    assert "learners that agree on 200 instances may still differ on 1.5 % of all" in sentence


def test_losses_are_turned(data):
    X, _ = data
    from sklearn.dummy import DummyRegressor
    from sklearn.linear_model import LinearRegression

    target = X @ [1.0, 2.0, 3.0]
    found = fp.gate(DummyRegressor(), LinearRegression(), X, target, min_effect=0.1, mode="superiority", **SMALL)
    told = found.to_dict()
    assert (told["outcome"], told["greater_is_better"]) == ("pass", False)
    assert told["candidate"]["mean_score"] < told["baseline"]["mean_score"]
    assert told["mean_difference"] > 0


TABLES = 4000
SHAPE = (5, 5)
# Differences with the correlation that the correction takes for granted, n2 / (n1 + n2): then its level is exact.
RHO = 0.2


def rates(mode, shift, spread, margin=1.0):
    """Return how often each answer comes out where the true difference is ``shift``."""
    rng = np.random.default_rng(1987)
    common, own = rng.standard_normal((TABLES, 1, 1)), rng.standard_normal((TABLES, *SHAPE))
    tables = shift + spread * (RHO**0.5 * common + (1 - RHO) ** 0.5 * own)
    answers = [str(margin_test(mode, fp.Differences(t), margin).decide(alpha=0.05)) for t in tables]
    return {answer: answers.count(answer) / TABLES for answer in ("holds", "fails", "undecided")}


BAND = 4 * (0.05 * 0.95 / TABLES) ** 0.5


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("mode", "shift", "passes", "failures"),
    [
        ("noninferiority", -1.0, 0.05, 0.05),  # exactly as much worse as is not allowed
        ("superiority", 1.0, 0.05, 0.05),
        ("equivalence", 1.0, 0.05, 0.025),
        ("equivalence", -1.0, 0.05, 0.025),
    ],
)
def test_at_the_margin_each_mode_errs_as_often_as_it_says(mode, shift, passes, failures):
    found = rates(mode, shift, spread=0.2)
    assert abs(found["holds"] - passes) <= BAND
    assert abs(found["fails"] - failures) <= BAND


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("mode", "shift", "answer"),
    [
        ("noninferiority", 0.0, "fails"),  # no difference at all: never refuted more often than alpha
        ("noninferiority", -1.5, "holds"),
        ("superiority", 0.0, "holds"),
        ("superiority", 1.5, "fails"),
        ("equivalence", 0.0, "fails"),
        ("equivalence", 1.5, "holds"),
        ("equivalence", -1.5, "holds"),
    ],
)
def test_away_from_the_margin_the_wrong_answer_is_rare(mode, shift, answer):
    for spread in (0.2, 1.0, 5.0):
        assert rates(mode, shift, spread)[answer] <= 0.05 + BAND


def test_equivalence_with_noise_beyond_the_margin_passes_nothing():
    assert rates("equivalence", 0.0, spread=5.0)["holds"] == 0.0


def undecided(seed=3):
    rng = np.random.default_rng(seed)
    return fp.Differences(0.004 + 0.03 * rng.standard_normal((4, 10)))


def test_what_is_needed_decides_as_often_as_it_says():
    """More data: simulated anew with the standard error that so much data would give."""
    differences = undecided()
    needed = fp.replicability.needed_to_decide(differences, claim="superiority", margin=0.0, alpha=0.05)
    rng = np.random.default_rng(0)
    x = differences.values
    variance = (1 / 40 + 1 / 9) * x.var(ddof=1) / needed.times_the_data
    # The statistic of an experiment of that size around the observed difference, on the same degrees of freedom.
    t = x.mean() / variance**0.5 + rng.standard_t(39, size=200_000)
    assert np.mean(np.abs(t) >= stats.t.isf(0.05, 39)) == pytest.approx(0.8, abs=0.01)


def test_more_runs_are_asked_for_where_they_help():
    """Run means that scatter and a difference beyond what the limit of many runs asks for."""
    rng = np.random.default_rng(8)
    base = rng.standard_normal((2, 10)) * 0.02
    x = fp.Differences(base - base.mean() + 0.0125, n_train=990, n_test=10)
    decided = fp.significance.superiority(x, margin=0.0).decide(alpha=0.001)
    assert str(decided) == "undecided"
    needed = fp.replicability.needed_to_decide(x, claim="superiority", margin=0.0, alpha=0.001)
    assert needed.runs is not None
    assert needed.runs > 2
    easier = fp.replicability.needed_to_decide(x, claim="superiority", margin=0.0, alpha=0.001, power=0.5)
    assert easier.runs <= needed.runs
    # With the usual ratio the sample's own noise remains, whatever the number of runs.
    hopeless = fp.Differences(x.values, n_train=90, n_test=10)
    assert fp.replicability.needed_to_decide(hopeless, claim="superiority", margin=0.0, alpha=0.001).runs is None


def test_right_at_the_margin_nothing_helps():
    x = undecided()
    at = fp.Differences(x.values - x.values.mean())
    needed = fp.replicability.needed_to_decide(at, claim="superiority", margin=0.0, alpha=0.05)
    assert (needed.runs, needed.times_the_data) == (None, None)


def test_an_undecided_gate_says_what_it_would_need(data):
    found = fp.gate(GaussianNB(), DecisionTreeClassifier(max_depth=2), *data, min_effect=0.05, **SMALL)
    assert found.outcome == "undecided"
    assert "it would need" in " ".join(str(found).split())
    assert "it would need" in found.to_markdown()
    assert found.instances_needed > 200


def test_failed_folds_are_no_answer(data):
    found = fp.gate(GaussianNB(), ("broken", DecisionTreeClassifier(max_depth=-1)), *data, min_effect=0.02, **SMALL)
    assert (found.outcome, found.exit_code) == ("undecided", 3)
    assert "cannot be said, because folds failed" in " ".join(str(found).split())


def test_markdown_is_only_text(data):
    learners = ("<b>old</b>|`x`", GaussianNB()), ("new*", GaussianNB(var_smoothing=1e-8))
    text = fp.gate(*learners, *data, min_effect=0.02, **SMALL).to_markdown()
    assert "<b>" not in text
    assert "&lt;b&gt;old&lt;/b&gt;\\|\\`x\\`" in text
    assert text.startswith("### Gate passed: new\\* against ")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"mode": "better"}, "unknown mode of a gate 'better'"),
        ({"min_effect": -0.1}, "min_effect is -0.1: give the difference that matters, in units of the score"),
        ({"min_effect": 0.0, "mode": "equivalence"}, "min_effect is 0, within which nothing can be shown to lie"),
        ({"alpha": 0.6}, "the one-sided level of a gate lies below 0.5"),
        (
            {"procedure": "5x2cv"},
            "the procedure '5x2cv' has no test against a margin: a gate takes one of corrected-10x10",
        ),
        ({"procedure": "sequential-cv"}, "has no test against a margin"),
        ({"scoring": ["accuracy", "f1"]}, "a gate takes one scoring"),
    ],
)
def test_bad_usage(data, options, sentence):
    with pytest.raises(InputError, match=sentence):
        fp.gate(GaussianNB(), DummyClassifier(), *data, **{"min_effect": 0.02, **options})


BAYES = "sklearn.naive_bayes.GaussianNB()"
DUMMY = "sklearn.dummy.DummyClassifier()"
SHORT = "--procedure corrected-repeated-cv --runs 2 --folds 5 --quiet"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (f"--baseline '{DUMMY}' --candidate '{BAYES}' --min-effect 0.02", 0),
        (f"--baseline '{BAYES}' --candidate '{DUMMY}' --min-effect 0.02", 1),
        (f"--baseline '{BAYES}' --candidate 'sklearn.tree.DecisionTreeClassifier(max_depth=3)' --min-effect 0.02", 4),
        (f"--baseline '{DUMMY}' --candidate '{BAYES}' --min-effect 0.02 --mode superiority", 0),
        (f"--baseline '{DUMMY}' --candidate '{BAYES}' --min-effect 0.02 --mode equivalence", 1),
        (f"--baseline '{BAYES}' --candidate 'b={BAYES}' --min-effect 0.02 --mode equivalence", 0),
        (f"--baseline '{BAYES}' --candidate '{DUMMY}' --min-effect 0.02 --mode best", 2),
    ],
)
def test_exit_codes_from_a_shell(arguments, code, tmp_path):
    command = f"{sys.executable} -m foldproof gate sklearn:breast_cancer {arguments} {SHORT} --json --markdown s.md"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    if code != 2:
        told = json.loads(done.stdout)
        assert told["exit_code"] == code
        assert {0: "pass", 1: "fail", 4: "undecided"}[code] == told["outcome"]
        assert (tmp_path / "s.md").read_text().startswith("### Gate ")


def score_files(folder):
    rng = np.random.default_rng(2)
    scores = 0.9 + 0.02 * rng.standard_normal((3, 10))
    for name, shift in (("old", 0.0), ("same", 0.001), ("worse", -0.05)):
        lines = [
            f"{r},{f},{name},{scores[r, f] + shift * (1 + 0.1 * (f % 3)):.6f}" for r in range(3) for f in range(10)
        ]
        (folder / f"{name}.csv").write_text("run,fold,learner,score\n" + "\n".join(lines) + "\n")


@pytest.mark.parametrize(
    ("candidate", "mode", "code"),
    [
        ("same", "noninferiority", 0),
        ("worse", "noninferiority", 1),
        ("same", "equivalence", 0),
        ("same", "superiority", 1),
    ],
)
def test_two_score_files(candidate, mode, code, tmp_path, capsys):
    score_files(tmp_path)
    files = ["--baseline", str(tmp_path / "old.csv"), "--candidate", f"new={tmp_path}/{candidate}.csv"]
    assert run(["gate", *files, "--min-effect", "0.01", "--mode", mode, "--json"]) == code
    told = json.loads(capsys.readouterr().out)
    assert (told["baseline"]["name"], told["candidate"]["name"], told["dataset"]) == ("baseline", "new", None)
    assert (told["procedure"]["runs"], told["procedure"]["folds"]) == (3, 10)
    assert run(["gate", *files, "--min-effect", "0.01", "--mode", mode]) == code
    assert capsys.readouterr().out.startswith("PASS" if code == 0 else "FAIL")


def test_score_files_that_are_not_there(capsys):
    assert run(["gate", "--baseline", "old.csv", "--candidate", "new.csv", "--min-effect", "0.01"]) == 2
    assert "there is no file 'old.csv': name a SOURCE for --baseline to be a learner" in capsys.readouterr().err


def test_the_text_gives_the_answer_first(capsys):
    arguments = ["gate", "sklearn:breast_cancer", "--baseline", BAYES, "--candidate", DUMMY, "--min-effect", "0.02"]
    assert run([*arguments, *SHORT.split()]) == 1
    assert capsys.readouterr().out.startswith("FAIL: Refuted: that candidate is not worse than baseline by more than")
