"""Warnings: a stable word for programs, and the sentence it stands for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the user should know that does not stop the work."""

    code: str
    text: str

    def __str__(self) -> str:
        return f"{self.code}: {self.text}"


# The words that may stand among the warnings of a pair or a result, and what they mean.
MEANINGS: dict[str, str] = {}


def declare(code: str, text: str) -> str:
    """Give a warning's word its sentence, in the file that first uses it; returns the word."""
    if MEANINGS.setdefault(code, text) != text:
        raise ValueError(f"the warning {code!r} has a meaning already")
    return code


ZERO_VARIANCE = declare(
    "zero_variance",
    "all differences are equal up to rounding: the verdict rests on their sign alone",
)
STATISTIC_INFINITE = declare("statistic_infinite", "the statistic is infinite and written as null")
DF_INFINITE = declare(
    "df_infinite", "the statistic is referred to the normal distribution: its degrees of freedom are written as null"
)
RATIO_OUT_OF_RANGE = declare(
    "ratio_out_of_range",
    "the training sets are less than five times as large as the test sets: the variance correction is used "
    "outside the range its authors advise (5 to 10 times)",
)
NOT_COMPLEMENT = declare(
    "not_complement",
    "training sets are not the rest of the data: the corrected variance is not derived for such splits",
)
INTERVAL_UNADJUSTED = declare(
    "interval_unadjusted",
    "the interval is not adjusted for the number of pairs and disagrees with the adjusted verdict",
)
FORECAST_UNAVAILABLE = declare(
    "forecast_unavailable", "no replicability forecast is defined for this procedure or these differences"
)
LEAVE_ONE_OUT = declare(
    "leave_one_out",
    "every instance is a test set of its own: there is no other partition to compare with, and no test on "
    "partitions applies",
)
INCOMPLETE = declare("incomplete", "a learner failed in some folds: no verdict is given for this pair")
IDENTICAL = declare("identical_scores", "the two learners have the same score in every fold")
