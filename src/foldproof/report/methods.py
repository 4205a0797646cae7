"""The paragraph for a methods section."""

from __future__ import annotations

from foldproof.report import words
from foldproof.report.words import Plain

# What a test is called in print, and where it comes from.
_CITED = {
    "anova-oneway": "one-way analysis of variance on distinct samples (Salzberg, 1997)",
    "averaged-t": "the averaged t-test over partitions (Bradford and Brodley, 2001)",
    "binomial-sign": "the binomial test on instances that exactly one learner got right (Salzberg, 1997)",
    "corrected-repeated-kfold-t": (
        "the corrected repeated k-fold cv t-test (Bouckaert and Frank, 2004; Nadeau and Bengio, 2003)"
    ),
    "corrected-resampled-t": "the corrected resampled t-test (Nadeau and Bengio, 2003)",
    "five-by-two-cv-f": "the combined 5x2cv F-test (Alpaydin, 1999)",
    "five-by-two-cv-t": "the 5x2cv paired t-test (Dietterich, 1998)",
    "mcnemar": "McNemar's test with continuity correction",
    "paired-t": "the paired t-test",
    "repeated-kfold-t": "the paired t-test on repeated cross-validation, without correction for shared data",
}


def methods_text(told: Plain, design: str) -> str:
    """Return what was done, in sentences a reader of the paper could repeat it from."""
    procedure, data, by = told["procedure"], told["dataset"], told["provenance"]
    names = [learner["name"] for learner in told["learners"]]
    pairs = len(told["pairs"])
    sentences = [
        f"We compared {', '.join(names[:-1])} and {names[-1]} on {data['name']} ({data['instances']} instances, "
        f"{data['attributes']} attributes) by {words.metric(told)}, in "
        f"{design.format(runs=procedure['runs'], folds=procedure['folds'])}.",
        f"Differences were tested with {_CITED.get(procedure['test'], procedure['test'])} at the two-sided level "
        f"{told['alpha']:g}.",
    ]
    if pairs > 1 and told["adjust"] != "none":
        sentences.append(f"p-values were adjusted for {pairs} pairs by the method of {told['adjust']}.")
    ledger = told["ledger"]
    if ledger is not None:
        sentences.append(
            f"It was look {ledger['look']} at these data in a ledger whose head is {ledger['head']['count']}:"
            f"{ledger['head']['hash'][:16]}; its level there is {words.small(ledger['level'])}."
        )
    sentences.append(
        f"Computed with foldproof {by['version']}, seed {told['seed']}, partitions {by['partitions_fingerprint'][:12]}."
    )
    return " ".join(sentences)
