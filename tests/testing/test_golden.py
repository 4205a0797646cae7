"""The golden-file runner, on a small file of our own and, where it is there, on the project's."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from foldproof.testing.golden import Tolerance, failures, main, run_case
from foldproof.testing.operations import OPERATIONS

# Worked by hand or exact: small enough to check with pencil and paper.
OURS = [
    ("replicability_kn", {"n": 10, "k": [0, 5]}, {"fraction": ["1", "4/9"], "value": ["1", "0.44444444444444444444"]}),
    ("replicability_kn", {"n": 3, "k": 1}, {"fraction": "1/3", "value": "0.33333333333333333333"}),
    (
        "replicability_summary",
        {"n": 3, "accept_counts": [0, 1]},
        {"consistent": 1, "almost_consistent": 2, "R_fraction": "2/3", "R": "0.66666666666666666667", "m": 2},
    ),
    # m = 2, s^2 = 1, t = 2 sqrt 3, two degrees of freedom: p = 1 - t / sqrt(2 + t^2) = 1 - sqrt(6/7).
    ("paired_t", {"x": [1, 2, 3]}, {"t": "3.4641016151377545871", "df": 2, "p_two_sided": "0.074179900227448512547"}),
    ("paired_t", {"x": [0.5, 0.5]}, {"t": "inf", "p_two_sided": 0.0, "verdict": "A", "flag": "zero_variance"}),
    ("paired_t", {"x": [0.0, 0.0]}, {"t": 0.0, "p_two_sided": 1.0, "p_signed": 0.5, "verdict": "none", "flag": None}),
    ("paired_t", {"x": [0.5]}, {"error": "too few"}),
    ("paired_t", {"x": [0.5, float("nan")]}, {"error": "not finite"}),
    ("corrected_resampled_t", {"x": [1, 2, 3], "n_train": 3, "n_test": 2}, {"t": "2.0", "df": 2}),
    ("binomial_sign", {"s": 5, "f": 0}, {"p_greater": "0.03125", "p_two_sided": "0.0625"}),
    ("mcnemar", {"s": 35, "f": 15}, {"chi2_cc": "7.22", "chi2_uncorrected": "8"}),
    ("five_by_two_cv_f", {"x": [[1, -1]] * 5}, {"f": "0.5", "df1": 10, "df2": 5}),
    ("wilcoxon_signed_rank", {"d": [1, -2, 3]}, {"w_plus": 4, "w_minus": 2, "w": 2, "p_two_sided_exact": 0.75}),
    ("alpha_spending", {"alpha": 0.05, "looks": [1, 4]}, {"level": [0.025, 0.0025]}),
    ("adjust_p", {"p": [0.01, 0.02]}, {"bonferroni": [0.02, 0.04], "holm": [0.02, 0.02], "bh": [0.02, 0.02]}),
    ("c45_added_errors", {"N": 1, "e": 0, "CF": 0.25}, {"added": 0.75}),
    ("multiplicity", {"alpha": 0.05, "n": 10}, {"expected_false_positives": "0.5", "bonferroni_per_test": "0.005"}),
    ("randomization_test", {"observed": 0.9, "reference": [0.5] * 19}, {"p": 0.05, "bias": 0.0, "adjusted": 0.9}),
]
CASES = [{"op": op, "input": given, "expected": expected} for op, given, expected in OURS]


@pytest.fixture
def golden_file(tmp_path):
    def write(cases, **more):
        path = tmp_path / "golden.json"
        path.write_text(json.dumps({"cases": cases, **more}), encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["op"])
def test_our_own_cases(case):
    assert failures(case, Tolerance()) == []


def test_the_project_s_golden_file(shared, capsys):
    path = shared("specs", "golden_statistics.json")
    cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
    assert main([str(path)]) == 0
    assert capsys.readouterr().out == f"{len(cases)} passed, 0 failed\n"
    assert main([str(path), "--values"]) == 0
    values = json.loads(capsys.readouterr().out)
    keys: dict[str, set[str]] = {}
    for case in cases:
        keys.setdefault(case["op"], set()).update(case["expected"])
    for case, got in zip(cases, values, strict=True):
        if "error" in case["expected"]:
            assert set(got) == {"error"}
        else:
            assert keys[case["op"]] - {"error"} <= set(got)
    assert {case["op"] for case in cases} <= set(OPERATIONS)


def test_a_failing_case_is_one_line_and_exit_code_1(golden_file, capsys):
    wrong = {"op": "binomial_sign", "input": {"s": 5, "f": 0}, "expected": {"p_two_sided": "0.0626"}}
    assert main([str(golden_file([CASES[0], wrong, {"op": "astrology", "input": {}, "expected": {"p": 1}}]))]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "case 1 (binomial_sign): p_two_sided: expected '0.0626', got 0.0625",
        "case 2 (astrology): unknown op 'astrology'",
        "1 passed, 2 failed",
    ]


@pytest.mark.parametrize(
    ("case", "text"),
    [
        ({"op": "mcnemar", "input": {"s": 3}, "expected": {"p_cc": 1}}, "the input has no key 'f'"),
        ({"op": "mcnemar", "expected": {"p_cc": 1}}, "the case has no input"),
        ({"op": "mcnemar", "input": {"s": 3, "f": 3}}, "nothing expected"),
        ({"op": "mcnemar", "input": {"s": 3, "f": 3}, "expected": {"q": 1}}, "q: missing, expected 1"),
        ({"op": "mcnemar", "input": {"s": 3, "f": 3}, "expected": {"error": "no"}}, "expected an error, got"),
        ({"op": "astrology", "input": {}, "expected": {"error": "no"}}, "unknown op"),
        ({"op": "paired_t", "input": {"x": [1]}, "expected": {"t": 1}}, "at least two differences"),
        ({"op": "paired_t", "input": {"x": "abc"}, "expected": {"t": 1}}, "differences are numbers"),
        ({"op": "alpha_spending", "input": {"alpha": 0.05, "looks": [1]}, "expected": {"level": [1, 2]}}, "2 values"),
        ("no case", "a case is an object"),
    ],
)
def test_what_is_wrong_with_a_case_is_said(case, text):
    assert text in "; ".join(failures(case, Tolerance()))


@pytest.mark.parametrize(
    ("expected", "passes"),
    [
        ("0.03125", True),
        ("0.0312500000000000001", True),
        ("0.0312500001", False),  # a string: 1e-12 relative
        (0.0312500000001, True),  # a float: 1e-9 relative
        (0.0312501, False),
    ],
)
def test_tolerances(expected, passes):
    case = {"op": "binomial_sign", "input": {"s": 5, "f": 0}, "expected": {"p_greater": expected}}
    assert (failures(case, Tolerance()) == []) is passes


def test_the_file_s_own_tolerances_are_used(golden_file, capsys):
    near = {"op": "binomial_sign", "input": {"s": 5, "f": 0}, "expected": {"p_greater": "0.0313"}}
    path = golden_file([near], meta={"tolerance": {"default_relative": 0.01}})
    assert main([str(path)]) == 0
    assert main([str(golden_file([near]))]) == 1
    capsys.readouterr()


def test_values_ignore_what_is_expected(golden_file, capsys):
    cases = [{**case, "expected": {"nonsense": 1}} for case in CASES] + [{"op": "astrology"}]
    assert main([str(golden_file(cases)), "--values"]) == 0
    values = json.loads(capsys.readouterr().out)
    assert len(values) == len(cases)
    assert values[0] == {"fraction": ["1", "4/9"], "value": [1.0, 4 / 9]}
    assert values[4]["t"] == "inf"
    assert values[6] == {"error": "paired t: at least two differences are required; got 1"}
    assert values[-1] == {"error": "unknown op 'astrology'"}
    assert values == [run_case(case) for case in cases]


def test_a_file_that_cannot_be_read(tmp_path, capsys):
    assert main([str(tmp_path / "none.json")]) == 2
    (tmp_path / "list.json").write_text('{"cases": 3}', encoding="utf-8")
    assert main([str(tmp_path / "list.json")]) == 2
    assert "holds a list" in capsys.readouterr().err


def test_as_a_module(golden_file):
    done = subprocess.run(
        [sys.executable, "-m", "foldproof.testing.golden", str(golden_file(CASES))], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{len(CASES)} passed, 0 failed\n", "")
