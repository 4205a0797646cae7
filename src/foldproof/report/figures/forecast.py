"""The forecast: where the statistic of a re-run with another seed is expected, and which verdict it would give."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from foldproof.replicability._forecast import Forecast
from foldproof.report.figures.axes import INK, SOFT, axes_for, short
from foldproof.report.words import percent


def plot_forecast(forecast: Forecast, a: str, b: str, ax: Any = None) -> Any:
    """Draw the density of a re-run's statistic, its three verdicts in three greys; Axes in, Axes out."""
    ax = axes_for(ax, 7.0, 3.4)
    centre, critical = forecast.statistic, forecast.critical
    scale = forecast.predictive_scale
    settled = scale == 0.0 or not math.isfinite(centre)
    drawn = centre if math.isfinite(centre) else math.copysign(2.0 * critical, centre)
    reach = 4.5 * scale if not settled else 1.0
    low, high = min(drawn - reach, -1.6 * critical), max(drawn + reach, 1.6 * critical)
    ax.set_xlim(low, high)
    if settled:
        ax.plot([drawn, drawn], [0.0, 1.0], color=INK, linewidth=3, gid="density")
        peak = 1.0
    else:
        x = np.unique(np.concatenate([np.linspace(low, high, 601), [-critical, critical]]))
        density = _density((x - centre) / scale, forecast.predictive_df) / scale
        parts = ((x <= -critical, "0.78"), ((x >= -critical) & (x <= critical), "0.93"), (x >= critical, "0.62"))
        for inside, grey in parts:
            ax.fill_between(x[inside], density[inside], color=grey, linewidth=0)
        ax.plot(x, density, color=INK, linewidth=1.2, gid="density")
        peak = float(density.max())
    ax.set_ylim(0.0, 1.25 * peak)
    for side in (-critical, critical):
        ax.axvline(side, color=SOFT, linestyle="--", linewidth=1, gid="critical")
    ax.axvline(drawn, color=INK, linewidth=0.8, linestyle=":", gid="statistic")
    labels = (
        ((low - critical) / 2.0, f"{short(b, 16)}\n{percent(forecast.p_b)}"),
        (0.0, f"none\n{percent(forecast.p_none)}"),
        ((high + critical) / 2.0, f"{short(a, 16)}\n{percent(forecast.p_a)}"),
    )
    for x_at, label in labels:
        ax.text(x_at, 1.14 * peak, label, ha="center", va="center", fontsize=9, color=INK)
    ax.set_yticks([])
    ax.set_xlabel("t of a re-run with another seed; dashed: critical values, dotted: the t observed")
    return ax


def _density(t: Any, df: float) -> Any:
    """Return Student's density; the normal one where df is infinite."""
    if math.isinf(df):
        return np.exp(-0.5 * t * t) / math.sqrt(2.0 * math.pi)
    log_constant = special.gammaln((df + 1) / 2) - special.gammaln(df / 2) - 0.5 * math.log(df * math.pi)
    return np.exp(log_constant - (df + 1) / 2 * np.log1p(t * t / df))
