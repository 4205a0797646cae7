"""Whole procedures in studies: verdicts again and again, where there is nothing to find, and forecasts held to account."""

import numpy as np
import pytest

import foldproof as fp
from foldproof.data.simulated import sampled, simulated_source
from foldproof.domain.address import Address
from foldproof.domain.errors import InputError
from foldproof.domain.study import Protocol
from foldproof.learners.learner import gather
from foldproof.replicability import forecast
from foldproof.studies.finding import find_study
from foldproof.studies.reading import read_study
from foldproof.workflows.studies.forecasts import clustered, forecasts_of
from foldproof.workflows.studies.verdicts import gather_verdicts

DATA = sampled(simulated_source("source4"), 120, Address(0, "verdicts").stream())
TREE = {"tree": "sklearn.tree.ExtraTreeClassifier(max_features=1)"}
TWO = {"NB": "naive-bayes", "C4.5": "c45"}


def gathered(learners, **options):
    protocol = Protocol("said", **options)
    return gather_verdicts(DATA, gather(learners), protocol, repetitions=3, alpha=0.05, seed=0)


def test_verdicts_are_those_of_replicate():
    found = gathered(TWO, procedures=("corrected-10x10-cv", "sequential-cv", "binomial-cv"))
    for name, spoken in found.spoken.items():
        pair = fp.replicate(TWO, DATA, procedure=name, repetitions=3, ledger=False).pair("NB", "C4.5")
        codes = spoken.codes[:, spoken.of(("NB", "C4.5"))]
        assert ((codes == 1).sum(), (codes == -1).sum()) == (pair.wins_a, pair.wins_b), name
        if pair.forecast_mean is not None:
            assert spoken.forecasts.mean() == pytest.approx(pair.forecast_mean, rel=1e-12)
    assert (found.spoken["corrected-10x10-cv"].fits == 100).all()
    assert (found.spoken["sequential-cv"].fits % 10 == 0).all()
    assert np.isnan(found.spoken["binomial-cv"].forecasts).all()


def test_a_procedure_that_the_data_are_too_few_for_is_told():
    small = sampled(simulated_source("source4"), 15, Address(0, "few").stream())
    protocol = Protocol("said", procedures=("10-fold-cv", "anova-distinct-samples"))
    found = gather_verdicts(small, gather(TWO), protocol, repetitions=2, alpha=0.05, seed=0)
    assert list(found.spoken) == ["10-fold-cv"]
    assert "too few" in found.refused["anova-distinct-samples"]


def test_a_copy_draws_otherwise_also_where_procedures_share_folds():
    tree = gather({**TREE, "other": "c45"})[:1]
    protocol = Protocol("said", procedures=("10-fold-cv", "corrected-10x10-cv"), null="own-copy")
    found = gather_verdicts(DATA, tree, protocol, repetitions=3, alpha=0.05, seed=0)
    for spoken in found.spoken.values():
        assert (spoken.nonzero > 0.5).all()


def test_labels_are_drawn_anew_in_each_trial():
    found = gathered(TWO, procedures=("10-fold-cv",), null="random-labels").spoken["10-fold-cv"]
    assert len({float(x) for x in found.nonzero[:, 0]}) > 1 or len(set(found.codes[:, 0].tolist())) > 1


def test_forecasts_are_held_against_the_other_experiments():
    rng = np.random.default_rng(3)
    differences = rng.normal(0.02, 0.05, (4, 5, 10))
    found = forecasts_of(differences, 2, 0.05)
    assert len(found.forecast) == 4 * 2  # the fifth run is left over
    tables = differences[:, :4].reshape(8, 2, 10)
    verdicts = [forecast(fp.Differences(t), alpha=0.05).verdict for t in tables]
    shares = [sum(other == own for other in verdicts) - 1 for own in verdicts]
    assert found.agreement.tolist() == [share / 7 for share in shares]
    assert found.forecast[0] == forecast(fp.Differences(tables[0]), alpha=0.05).forecast
    assert clustered(np.array([1.0, 3.0])) == (2.0, 1.0)


def test_the_study_on_one_dataset(shared):
    found = fp.run_study("foldproof-2026", datasets=["iris"], data_dir=shared("datasets"), scale=0.1)
    assert found.not_run == ()
    procedures = find_study("foldproof-2026").protocols["procedures"].procedures
    for name in procedures:
        assert 0.0 <= found.table("procedures").at(name, "R3").measured <= 1.0
        assert 0.0 <= found.table("null").at(name, "random labels").measured <= 1.0
    assert found.table("agreement").at("10 folds, all", "10 runs: forecast").measured <= 1.0
    assert [len(lines) for lines in found.figure("reliability").panels.values()] == [3, 3, 3]
    assert {s.name for s in found.figure("cost").panels[""]} == set(procedures)
    found.plot("reliability")
    found.plot("cost")


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ('procedures = ["10-fold-cv"]\nruns = 3', "leave out 'runs'"),
        ('procedures = ["10-fold-cv"]\nnull = "random"', "unknown null 'random'"),
        ('procedures = ["10-fold-cv"]\nnull = "own-copy"', "own-copy takes 1 of 'learners'; got 0"),
        ('procedures = ["10-fold-cv"]\nlearners = ["C5"]', "unknown learner 'C5'"),
        ("runs = 3", "names no scheme"),
    ],
)
def test_a_protocol_that_is_none(tmp_path, table, sentence):
    (tmp_path / "study.toml").write_text(
        'title = "t"\nsummary = "s"\nreference = "r"\n[learners]\nNB = "naive-bayes"\n[variants.as-printed]\n'
        f'[protocols.p]\n{table}\n[[tables]]\nname = "1"\ntitle = "t"\nmaker = "null-rejections"\nprotocols = ["p"]\n'
    )
    with pytest.raises(InputError, match=sentence):
        read_study(tmp_path)


def test_a_maker_meets_the_wrong_kind_of_protocol():
    from foldproof.workflows.studies.evidence import Evidence, Scored
    from foldproof.workflows.studies.verdicts import Verdicts

    evidence = Evidence("d", 10, 2, 2, {"pool": Scored({}, 9, 1), "said": Verdicts({}, {})})
    with pytest.raises(InputError, match="'said' carries out procedures: choose one that names a scheme"):
        evidence.scored("said")
    with pytest.raises(InputError, match="'pool' divides the data: choose one that names procedures"):
        evidence.verdicts("pool")
