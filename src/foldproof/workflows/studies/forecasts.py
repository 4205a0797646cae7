"""How often a verdict came out again, beside how often that was forecast, on tables of many runs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from foldproof.domain.differences import Differences
from foldproof.domain.result import Decision
from foldproof.replicability._forecast import forecast

Floats = npt.NDArray[np.float64]
_CODES = {Decision.A: 1, Decision.NONE: 0, Decision.B: -1}


@dataclass(frozen=True, slots=True, eq=False)
class Forecasts:
    """Experiments of one size on one dataset: what each forecast, and what share of the others said the same."""

    forecast: Floats
    agreement: Floats

    @property
    def off(self) -> float:
        """The mean forecast less the mean agreement."""
        return float(self.forecast.mean() - self.agreement.mean())


def forecasts_of(differences: Floats, runs: int, alpha: float) -> Forecasts:
    """Cut all runs (repetitions x runs x folds) into experiments of ``runs`` runs, which share none."""
    repetitions, most, folds = differences.shape
    each = most // runs
    tables = differences[:, : each * runs].reshape(repetitions * each, runs, folds)
    made = [forecast(Differences(table), alpha=alpha) for table in tables]
    codes = np.array([_CODES[one.verdict] for one in made])
    same = np.array([np.count_nonzero(codes == code) - 1 for code in codes])
    return Forecasts(np.array([one.forecast for one in made]), same / (len(codes) - 1.0))


def clustered(values: Floats) -> tuple[float, float]:
    """Return the mean of one value for each dataset, and its standard error."""
    error = float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")
    return float(values.mean()), error
