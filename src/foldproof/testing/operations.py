"""The operations of a golden file: from a case's input, through the public functions, to its output keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from foldproof import replicability, significance
from foldproof.domain.differences import Differences
from foldproof.domain.result import TResult
from foldproof.learners.pessimistic import c45_added_errors as added_errors

Input = Mapping[str, Any]
OPERATIONS: dict[str, Callable[[Input], dict[str, Any]]] = {}


def op(function: Callable[[Input], dict[str, Any]]) -> Callable[[Input], dict[str, Any]]:
    """File an operation under its name."""
    OPERATIONS[function.__name__] = function
    return function


def table(given: Input) -> Differences:
    """Return the differences of a case, with its sizes where it has them."""
    names = ("n_train", "n_test", "scale", "complementary")
    return Differences(given["x"], **{name: given[name] for name in names if name in given})


def t_keys(result: TResult) -> dict[str, Any]:
    """Return the keys that every t-type case has."""
    return {
        "t": result.statistic,
        "df": _whole(result.df),
        "p_two_sided": result.pvalue,
        "p_greater": result.pvalue_greater,
        "p_less": result.pvalue_less,
        "p_signed": result.pvalue_signed,
    }


def _whole(df: float) -> float | int:
    return int(df) if float(df).is_integer() else df


def _verdict_keys(result: TResult, given: Input) -> dict[str, Any]:
    return {
        "verdict": str(result.decide(alpha=given.get("alpha", 0.05))),
        "flag": "zero_variance" if result.zero_variance and result.statistic != 0.0 else None,
    }


@op
def paired_t(given: Input) -> dict[str, Any]:
    """T1."""
    x = table(given)
    result = significance.paired_t(x)
    variance = result.standard_error**2 * len(x)
    return {
        **t_keys(result),
        "mean": result.mean_difference,
        "variance": variance,
        **_verdict_keys(result, given),
    }


@op
def five_by_two_cv_t(given: Input) -> dict[str, Any]:
    """T2, its pooled form, and T12."""
    x = table(given)
    f = significance.five_by_two_cv_f(x)
    above, below = f.df
    return {
        **t_keys(significance.five_by_two_cv_t(x)),
        "variances": significance.five_by_two_cv_t_variances(x),
        "pooled_mean_variant": t_keys(significance.five_by_two_cv_t_pooled_mean(x)),
        "combined_f": {"f": f.statistic, "df1": _whole(above), "df2": _whole(below), "p": f.pvalue},
    }


@op
def five_by_two_cv_f(given: Input) -> dict[str, Any]:
    """T12."""
    f = significance.five_by_two_cv_f(table(given))
    above, below = f.df
    return {"f": f.statistic, "df1": _whole(above), "df2": _whole(below), "p": f.pvalue}


@op
def corrected_resampled_t(given: Input) -> dict[str, Any]:
    """T3."""
    return t_keys(significance.corrected_resampled_t(table(given)))


@op
def repeated_kfold_t(given: Input) -> dict[str, Any]:
    """T4."""
    return t_keys(significance.repeated_kfold_t(table(given)))


@op
def corrected_repeated_kfold_t(given: Input) -> dict[str, Any]:
    """T5, the uncorrected T4 beside it, and the posterior tail of the Bayesian correlated t-test."""
    x = table(given)
    return {
        **t_keys(significance.corrected_repeated_kfold_t(x)),
        "uncorrected": t_keys(significance.repeated_kfold_t(x)),
        "bayes_right_tail": significance.bayesian_correlated_t(x).p_a,
    }


@op
def averaged_t(given: Input) -> dict[str, Any]:
    """T6; with 5 degrees of freedom over runs of two folds, of the 5x2cv t."""
    x = table(given)
    blocks = given.get("df") == 5 and x.values.ndim == 2 and x.values.shape[1] == 2
    result = significance.averaged_t(x, single="five-by-two-cv-t" if blocks else "paired-t", cap=given.get("cap"))
    return {"t_per_partition": result.t_values, **t_keys(result)}


@op
def enough_partitions(given: Input) -> dict[str, Any]:
    """4.2."""
    found = replicability.enough_partitions(
        given["t_values"], df=given["df_test"], alpha=2.0 * given["alpha1_per_tail"], alpha2=given["alpha2"]
    )
    return {
        "t_bar": found.mean_t,
        "se": found.standard_error,
        "critical_alpha1": found.critical,
        "critical_alpha2": found.quantile,
        "stat_A_better": found.settled_a,
        "stat_B_better": found.settled_b,
        "stat_no_difference": found.settled_none,
        "enough": found.enough,
        "verdict": str(found.verdict),
    }


@op
def binomial_sign(given: Input) -> dict[str, Any]:
    """T7."""
    result = significance.binomial_sign(given["s"], given["f"])
    return {"p_greater": result.pvalue_greater, "p_two_sided": result.pvalue}


@op
def mcnemar(given: Input) -> dict[str, Any]:
    """T8 in all its forms."""
    corrected, printed, plain, exact = (
        significance.mcnemar(given["s"], given["f"], form=form)
        for form in ("corrected", "as-printed", "uncorrected", "exact")
    )
    return {
        "chi2_cc": corrected.statistic,
        "chi2_as_printed": printed.statistic,
        "p_cc": corrected.pvalue,
        "chi2_uncorrected": plain.statistic,
        "p_uncorrected": plain.pvalue,
        "p_exact": exact.pvalue,
    }


@op
def two_proportions_z(given: Input) -> dict[str, Any]:
    """T9."""
    result = significance.two_proportions_z(given["correct_a"], given["correct_b"], n_a=given["n_a"], n_b=given["n_b"])
    return {"z": result.statistic, "p_two_sided": result.pvalue}


@op
def anova_oneway(given: Input) -> dict[str, Any]:
    """T10 on distinct samples."""
    result = significance.anova_oneway(given["groups"])
    above, below = result.df
    return {"F": result.statistic, "df1": _whole(above), "df2": _whole(below), "p": result.pvalue}


@op
def anova_repeated(given: Input) -> dict[str, Any]:
    """T10 on shared folds."""
    result = significance.anova_repeated(given["blocks_columns"])
    above, below = result.df
    return {"F": result.statistic, "df1": _whole(above), "df2": _whole(below), "p": result.pvalue}


@op
def randomization_test(given: Input) -> dict[str, Any]:
    """T11."""
    result = significance.randomization_test(given["observed"], given["reference"], chance=given.get("chance", 0.5))
    return {"p": result.pvalue, "bias": result.bias, "adjusted": result.adjusted}


@op
def replicability_kn(given: Input) -> dict[str, Any]:
    """R(k, n) for one k or several."""
    k, n = given["k"], given["n"]
    if not isinstance(k, list):
        return {"fraction": replicability.r_exact(k, n), "value": replicability.r_estimate(k, n)}
    return {
        "fraction": [replicability.r_exact(each, n) for each in k],
        "value": [replicability.r_estimate(each, n) for each in k],
    }


@op
def replicability_summary(given: Input) -> dict[str, Any]:
    """R over datasets; counts of acceptances, R being the same for both."""
    found = replicability.summary(given["accept_counts"], given["n"])
    return {
        "consistent": found.consistent,
        "almost_consistent": found.almost_consistent,
        "R_fraction": found.r_exact,
        "R": found.r,
        "m": found.datasets,
    }


@op
def multiplicity(given: Input) -> dict[str, Any]:
    """5.1."""
    found = significance.multiplicity(given["n"], alpha=given["alpha"])
    return {
        "expected_false_positives": found.expected_false_positives,
        "familywise_error": found.familywise_error,
        "sidak_per_test": found.sidak_per_test,
        "bonferroni_per_test": found.bonferroni_per_test,
    }


@op
def adjust_p(given: Input) -> dict[str, Any]:
    """Every adjustment but none."""
    methods = ("bonferroni", "sidak", "holm", "holm-sidak", "bh")
    return {method.replace("-", "_"): significance.adjust_p(given["p"], method=method).tolist() for method in methods}


@op
def alpha_spending(given: Input) -> dict[str, Any]:
    """5.3."""
    return {"level": np.atleast_1d(significance.alpha_spending(given["looks"], alpha=given["alpha"])).tolist()}


@op
def fisher_combine(given: Input) -> dict[str, Any]:
    """4.5."""
    result = significance.fisher_combine(given["p"])
    return {"statistic": result.statistic, "df": _whole(result.df), "p": result.pvalue}


@op
def wilcoxon_signed_rank(given: Input) -> dict[str, Any]:
    """4.5."""
    result = significance.wilcoxon_signed_rank(given["d"])
    return {
        "w_plus": result.w_plus,
        "w_minus": result.w_minus,
        "w": result.statistic,
        "p_two_sided_exact": result.pvalue,
    }


@op
def signed_p_wilcoxon_ranks(given: Input) -> dict[str, Any]:
    """4.5."""
    result = significance.signed_p_wilcoxon_ranks(given["signed_p"])
    return {
        "sorted": result.ordered,
        "signed_ranks": result.signed_ranks,
        "w_plus": result.w_plus,
        "w_minus": result.w_minus,
        "w": result.statistic,
        "p_two_sided_exact": result.pvalue,
    }


@op
def c45_added_errors(given: Input) -> dict[str, Any]:
    """C4.5's pessimistic errors."""
    return {"added": added_errors(given["N"], given["e"], confidence=given["CF"])}


@op
def replicability_forecast(given: Input) -> dict[str, Any]:
    """8.3."""
    found = replicability.forecast(table(given), alpha=given["alpha"])
    return {
        "t": found.statistic,
        "critical": found.critical,
        "predictive_df": _whole(found.predictive_df),
        "predictive_scale": found.predictive_scale,
        "p_A": found.p_a,
        "p_B": found.p_b,
        "p_none": found.p_none,
        "verdict": str(found.verdict),
        "forecast": found.forecast,
    }


@op
def sequential_partitions(given: Input) -> dict[str, Any]:
    """8.2."""
    options = {name: given[name] for name in ("alpha2", "r_min", "r_max") if name in given}
    found = replicability.sequential_partitions(table(given), alpha=given["alpha"], **options)
    return {
        "verdict": str(found.verdict),
        "runs": found.runs,
        "settled": found.settled,
        "trace": [
            {
                "runs": look.runs,
                "threshold": look.threshold,
                "gap": look.gap,
                "se": look.standard_error,
                "quantile": look.quantile,
                "stop": look.stop,
            }
            for look in found.trace
        ],
    }
