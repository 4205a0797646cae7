"""The paragraph for a methods section."""

from __future__ import annotations

from foldproof.report import words
from foldproof.report.words import Plain

# What a test is called in print, and where it comes from.
_CITED = {
    "corrected-repeated-kfold-t": (
        "the corrected repeated k-fold cv t-test (Bouckaert and Frank, 2004; Nadeau and Bengio, 2003)"
    ),
}


def methods_text(told: Plain) -> str:
    """Return what was done, in sentences a reader of the paper could repeat it from."""
    procedure, data = told["procedure"], told["dataset"]
    names = [learner["name"] for learner in told["learners"]]
    listed = ", ".join(names[:-1]) + " and " + names[-1]
    test = _CITED.get(procedure["test"], f"the {procedure['test']} test")
    pairs = len(told["pairs"])
    adjusted = (
        f" p-values were adjusted for {pairs} pairs by the method of {told['adjust']}."
        if pairs > 1 and told["adjust"] != "none"
        else ""
    )
    made = (
        f"in {procedure['runs']} run{'s' * (procedure['runs'] != 1)} of {procedure['folds']}-fold cross-validation "
        "with the same partitions for all learners"
    )
    told_by = told["provenance"]
    return (
        f"We compared {listed} on {data['name']} ({data['instances']} instances, {data['attributes']} attributes) by "
        f"{words.metric(told)}, {made}. Differences were tested with {test} at the two-sided level "
        f"{told['alpha']:g}.{adjusted} Computed with foldproof {told_by['version']}, seed {told['seed']}, partitions "
        f"{told_by['partitions_fingerprint'][:12]}."
    )
