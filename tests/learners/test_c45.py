"""C4.5: held against its slow twin, the worked examples of its specification, and data that nobody should bring."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import special

from foldproof.data.arff import read_arff
from foldproof.data.sources import Wanted
from foldproof.domain.errors import InputError
from foldproof.kernels.c45_prune import Estimate, added_errors
from foldproof.kernels.c45_prune_unit import LEAST_ADDED
from foldproof.kernels.c45_route import Sample
from foldproof.kernels.c45_sorted import instances, listed, pack
from foldproof.kernels.c45_split import room_for, tables_for, weigh_parts
from foldproof.kernels.c45_unit import weigh
from foldproof.learners import C45
from naive import c45 as naive
from naive.c45_trees import as_tuples
from naive.mixtures import Mixture

OPTIONS = (
    {},
    {"variant": "current"},
    {"unpruned": True},
    {"unpruned": True, "collapse": False},
    {"subtree_raising": False},
    {"deviations": "table"},
    {"confidence": 0.05},
    {"confidence": 0.5, "min_instances": 1},
    {"min_instances": 5},
)


def slow_twin(data, weights=None, **options):
    sizes = [v or 0 for v in data.values]
    return naive.C45(sizes, data.n_classes, **options).fit(data.X.tolist(), data.labels, weights)


def same(fast, slow, X):
    """Trees, tables, thresholds, sizes and probabilities are equal to the last bit."""
    assert as_tuples(fast.tree_) == slow.nested()
    assert (fast.n_leaves_, fast.size_) == (slow.leaves(), slow.size())
    assert fast.predict_proba(X).tolist() == [slow.probabilities(row) for row in X.tolist()]
    assert fast.predict(X).tolist() == [fast.classes_[slow.predict(row)] for row in X.tolist()]


# ---- against the slow twin -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(108))
def test_it_is_its_slow_twin(seed):
    data = Mixture(seed, n=(None, 90, 200)[seed % 3])
    options = OPTIONS[seed // 3 % 9]
    fast, slow = C45(**options, **data.declared).fit(data.X, data.y), slow_twin(data, **options)
    same(fast, slow, data.X)
    same(fast, slow, data.others(seed)[0])


@pytest.mark.parametrize("seed", range(36))
def test_it_is_its_slow_twin_with_weights(seed):
    data = Mixture(700 + seed, n=80)
    options = OPTIONS[seed % 9]
    rng = np.random.default_rng(seed)
    weights = (rng.integers(0, 4, 80) if seed % 2 else rng.choice([0.25, 0.5, 1.5, 3.0], 80)).astype(float)
    fast = C45(**options, **data.declared).fit(data.X, data.y, sample_weight=weights)
    same(fast, slow_twin(data, weights.tolist(), **options), data.others(seed)[0])


def noisy(seed):
    """Four classes, noise, steps and unknown values: what subtree raising is for."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(300, 4)).round(1)
    signal = X[:, 0] + X[:, 1] * X[:, 2]
    y = np.digitize(signal, np.quantile(signal, (0.25, 0.5, 0.75)))
    y = np.where(rng.random(300) < 0.4, rng.integers(0, 4, 300), y)
    X[rng.random(X.shape) < 0.2] = np.nan
    return X, y


@pytest.mark.parametrize("seed", range(12))
def test_raised_trees_are_those_of_the_slow_twin(seed):
    X, y = noisy(seed)
    same(C45().fit(X, y), naive.C45([0] * 4, 4).fit(X.tolist(), y.tolist()), X)


def test_there_are_trees_to_agree_about():
    """Large ones, pruned ones and raised ones."""
    mixtures = [Mixture(seed, n=(None, 90, 200)[seed % 3]) for seed in range(108)]
    grown = [C45(unpruned=True, **d.declared).fit(d.X, d.y).size_ for d in mixtures]
    pruned = [C45(**d.declared).fit(d.X, d.y) for d in mixtures]
    raising = [
        [C45(subtree_raising=yes).fit(*noisy(seed)).export_text() for seed in range(12)] for yes in (True, False)
    ]
    assert sum(size > 9 for size in grown) > 20
    assert sum(a.size_ < b for a, b in zip(pruned, grown, strict=True)) > 20
    assert sum(a != b for a, b in zip(*raising, strict=True)) >= 6


@pytest.mark.parametrize("seed", range(12))
def test_whole_weights_are_copies(seed):
    data = Mixture(800 + seed, n=60)
    weights = np.random.default_rng(seed).integers(0, 4, 60)
    copies = np.repeat(np.arange(60), weights)
    weighted = C45(**data.declared).fit(data.X, data.y, sample_weight=weights)
    copied = C45(**data.declared).fit(data.X[copies], data.y[copies])
    assert weighted.export_text() == copied.export_text()
    assert weighted.predict_proba(data.X) == pytest.approx(copied.predict_proba(data.X), abs=1e-12)


# ---- worked examples -------------------------------------------------------------------------------------------------

WEATHER = """sunny,85,85,FALSE,no
sunny,80,90,TRUE,no
overcast,83,86,FALSE,yes
rainy,70,96,FALSE,yes
rainy,68,80,FALSE,yes
rainy,65,70,TRUE,no
overcast,64,65,TRUE,yes
sunny,72,95,FALSE,no
sunny,69,70,FALSE,yes
rainy,75,80,FALSE,yes
sunny,75,70,TRUE,yes
overcast,72,90,TRUE,yes
overcast,81,75,FALSE,yes
rainy,71,91,TRUE,no"""


def root_splits(learner):
    """Return gain, ratio and preliminary threshold of each attribute at the root (None where it is not valid)."""
    codes, y, sizes, K = learner
    n, m = len(y), len(sizes)
    sample = Sample(np.ascontiguousarray(codes.T), np.array(sizes), y.astype(np.int32), np.ones(n), K, True)
    packed, every = pack(sample), np.arange(m).astype(np.int32)
    room = room_for(packed, sample, tables_for(n))
    room.words[:, :n] = packed.words
    told = []
    for whole in (True, False):  # whole counts, and weights that happen to be 1
        room.gains[:] = room.ratios[:] = room.cuts[:] = np.nan
        if whole:
            active = np.concatenate([every, np.zeros(m, np.int32)])
            weigh(packed, room, sample.sizes, np.bincount(y, minlength=K) * 1.0, 0, n, 2.0, active, 0, m)
        else:
            words, starts = listed(packed, packed.words, every, 0, n)
            room.weight_of[:] = 1.0
            weigh_parts(
                sample, packed, room, instances(packed, packed.words, 0, n), words, starts, every, n * 1.0, 2.0, True
            )
        assert not room.table.any()  # scratch is left as it was found
        assert not room.sums.any()
        cuts = [None if size else cut for size, cut in zip(sizes, room.cuts.tolist(), strict=True)]
        found = zip(room.valid, room.gains.tolist(), room.ratios.tolist(), cuts, strict=True)
        told.append([(gain, ratio, cut) if valid else None for valid, gain, ratio, cut in found])
    assert told[0] == told[1]
    return told[0]


def weather():
    rows = [line.split(",") for line in WEATHER.splitlines()]
    skies, truth = ["sunny", "overcast", "rainy"], ["TRUE", "FALSE"]
    frame = pd.DataFrame(
        {
            "outlook": pd.Categorical([row[0] for row in rows], skies),
            "temperature": [float(row[1]) for row in rows],
            "humidity": [float(row[2]) for row in rows],
            "windy": pd.Categorical([row[3] for row in rows], truth),
        }
    )
    return frame, [row[4] for row in rows]


def test_the_weather():
    frame, play = weather()
    found = C45(classes=["yes", "no"]).fit(frame, play)
    assert found.export_text().splitlines() == [
        "outlook = sunny",
        "|   humidity <= 75: yes (2.0)",
        "|   humidity > 75: no (3.0)",
        "outlook = overcast: yes (4.0)",
        "outlook = rainy",
        "|   windy = TRUE: no (2.0)",
        "|   windy = FALSE: yes (3.0)",
    ]
    assert (found.n_leaves_, found.size_) == (5, 8)


def test_the_root_of_the_weather():
    frame, play = weather()
    codes = frame.assign(outlook=frame.outlook.cat.codes, windy=frame.windy.cat.codes).to_numpy(dtype=float)
    sky, heat, wet, wind = root_splits((codes, np.array([p == "no" for p in play]), [3, 0, 0, 2], 2))
    assert sky[:2] == pytest.approx((0.2467498198, 0.1564275624), abs=0.5e-10)
    assert wind[:2] == pytest.approx((0.0481270304, 0.0488486155), abs=0.5e-10)
    assert heat is None and wet is None


def published(shared, name):
    return read_arff(shared("datasets", f"{name}.arff"), Wanted(name))


def codes_of(dataset):
    sizes = [0 if a.categories is None else len(a.categories) for a in dataset.attributes]
    return dataset.codes, dataset.target_codes.astype(np.int64), sizes, len(dataset.classes)


def test_the_root_of_iris(shared):
    found = root_splits(codes_of(published(shared, "iris")))
    assert [each[:2] for each in found] == [
        pytest.approx(pair, abs=0.5e-10)
        for pair in (
            (0.5242047124, 0.5421403361),
            (0.2412447025, 0.3034370821),
            (0.8838296674, 0.9624672514),
            (0.8894829801, 0.9686235602),
        )
    ]
    assert found[3][2] == pytest.approx(0.8, abs=1e-12)


def test_the_root_of_labor_where_much_is_missing(shared):
    dataset = published(shared, "labor")
    found = dict(zip([a.name for a in dataset.attributes], root_splits(codes_of(dataset)), strict=True))
    gain, ratio, cut = found["wage-increase-first-year"]
    assert gain == pytest.approx(0.2336246496978514, abs=1e-14)
    assert ratio == pytest.approx(0.2456406141994215, abs=1e-14)
    assert cut == pytest.approx(2.65, abs=1e-12)
    assert found["contribution-to-dental-plan"][:2] == pytest.approx((0.2381607999, 0.1225220125), abs=0.5e-10)
    assert found["duration"] is None


@pytest.mark.parametrize(
    ("name", "unpruned", "leaves", "size"),
    [("labor", False, 3, 5), ("labor", True, 13, 22), ("hepatitis", False, 11, 21), ("hepatitis", True, 16, 31)],
)
def test_sizes_of_worked_examples(shared, name, unpruned, leaves, size):
    dataset = published(shared, name)
    found = C45(unpruned=unpruned, classes=dataset.classes).fit(dataset.X, dataset.y)
    assert (found.n_leaves_, found.size_) == (leaves, size)


def test_raising_has_removed_a_test_of_labor_between_two(shared):
    dataset = published(shared, "labor")
    raised, grown = (
        C45(unpruned=unpruned, classes=dataset.classes).fit(dataset.X, dataset.y).export_text()
        for unpruned in (False, True)
    )
    assert raised.splitlines() == [
        "wage-increase-first-year <= 2.5: bad (15.27/2.27)",
        "wage-increase-first-year > 2.5",
        "|   statutory-holidays <= 10: bad (10.77/4.77)",
        "|   statutory-holidays > 10: good (30.96/1.0)",
    ]
    lines = grown.splitlines()
    first = lines.index("wage-increase-first-year > 2.5")
    between = lines.index("|   longterm-disability-assistance = yes")
    second = lines.index("|   |   statutory-holidays <= 10")
    assert first < between < second


def test_hepatitis_is_raised_below_firm_livers(shared):
    dataset = published(shared, "hepatitis")
    raised, kept = (
        C45(subtree_raising=raising, classes=dataset.classes).fit(dataset.X, dataset.y).export_text().splitlines()
        for raising in (True, False)
    )
    below = raised.index("|   |   |   LIVER_FIRM = yes")
    assert raised[: below + 1] == kept[: below + 1]
    assert raised != kept


TABLE = [
    (1, 0, 0.75),
    (6, 0, 1.2377968441),
    (9, 0, 1.2848041543),
    (16, 1, 1.4757146318),
    (14, 5, 1.7611198073),
    (10, 0.5, 1.3535279340),
    (15.27, 2.27, 1.6514625551),
    (30.96, 1, 1.5276340243),
    (3, 2, 0.7948616589),
    (3, 2.7, 0.3),
    (100, 30, 3.6879302497),
]


@pytest.mark.parametrize(("n", "errors", "added"), TABLE)
def test_added_errors(n, errors, added):
    how = Estimate(0.25, -float(special.ndtri(0.25)), False)
    assert added_errors(float(n), float(errors), how) == pytest.approx(added, abs=0.5e-10)


def test_the_table_of_the_original_has_its_own_deviation():
    assert C45(deviations="table")._deviation() == pytest.approx(0.6925, abs=1e-12)


# ---- rules that a small table shows ----------------------------------------------------------------------------------


def test_a_threshold_is_a_value_of_the_whole_training_set():
    """The node's neighbours of the cut are 2 and 8; 4 is elsewhere in the data and not above their mean."""
    X = [["a", x] for x in (1.0, 2.0, 2.0, 8.0, 9.0, 9.0)] + [["b", 4.0]] * 6
    found = C45().fit(X, [0, 0, 0, 1, 1, 1] + [2] * 6)
    assert found.export_text().splitlines()[:3] == ["x0 = a", "|   x1 <= 4: 0 (3.0)", "|   x1 > 4: 1 (3.0)"]


def test_an_empty_branch_tells_the_majority_of_its_node():
    X, y = [["a"]] * 3 + [["b"]] * 5, [0] * 3 + [1] * 4 + [0]
    found = C45(categories=[["a", "b", "c"]]).fit(X, y)
    assert found.export_text() == "x0 = a: 0 (3.0)\nx0 = b: 1 (5.0/1.0)\nx0 = c: 0 (0.0)"
    assert (found.n_leaves_, found.size_) == (3, 4)
    assert found.predict_proba([["c"]]).tolist() == [[1.0, 0.0]]
    current = C45(categories=[["a", "b", "c"]], variant="current").fit(X, y)
    assert current.predict_proba([["c"]]).tolist() == [[0.5, 0.5]]


def test_an_instance_without_the_value_goes_down_every_branch():
    X, y = [["a"]] * 3 + [["b"]] * 6, [0] * 3 + [1] * 6
    found = C45().fit(X, y)
    assert found.predict_proba([[None], ["never seen"]]) == pytest.approx(np.array([[1 / 3, 2 / 3]] * 2))
    with_missing = C45(unpruned=True, collapse=False).fit([*X, [None]], [*y, 1])
    assert with_missing.export_text() == "x0 = a: 0 (3.33/0.33)\nx0 = b: 1 (6.67)"


def test_the_tree_as_plain_values_is_the_tree_as_text():
    frame, play = weather()
    found = C45().fit(frame, play)
    told = found.to_dict()
    assert json.loads(json.dumps(told)) == told
    assert (told["attribute"], told["threshold"], told["weight"], told["errors"]) == ("outlook", None, 14.0, 5.0)
    assert told["class_weights"] == [5.0, 9.0]
    conditions = [child["condition"] for child in told["children"]]
    assert conditions == ["outlook = sunny", "outlook = overcast", "outlook = rainy"]
    sunny = told["children"][0]
    assert (sunny["attribute"], sunny["threshold"]) == ("humidity", 75.0)
    assert sunny["children"][0] == {
        "class": "yes",
        "weight": 2.0,
        "errors": 0.0,
        "class_weights": [0.0, 2.0],
        "condition": "humidity <= 75",
    }
    assert repr(found.tree_) == "C45Tree(5 leaves, 8 nodes)"


# ---- hostile data ----------------------------------------------------------------------------------------------------


def test_the_largest_numbers_and_neighbouring_ones():
    X, y = pd.DataFrame({"x": [-1.7e308, -1e308, 1e308, 1.7e308] * 3}), [0, 0, 1, 1] * 3
    assert C45().fit(X, y).predict(X).tolist() == y
    # Values closer than 1e-5 are not told apart.
    close = [[1.0], [1.0 + 0.9e-5]] * 6
    assert C45().fit(close, [0, 1] * 6).n_leaves_ == 1
    assert C45().fit([[1.0], [1.0 + 2e-5]] * 6, [0, 1] * 6).n_leaves_ == 2


def test_weights_that_hardly_weigh():
    X, y = [[0.0], [0.0], [1.0], [1.0]] * 5, [0, 0, 1, 1] * 5
    light = C45().fit(X, y, sample_weight=np.full(20, 1e-9))
    assert light.n_leaves_ == 1
    assert np.isfinite(light.predict_proba(X)).all()
    heavy = C45().fit(X, y, sample_weight=np.full(20, 1e12))
    assert heavy.predict(X).tolist() == y


@pytest.mark.slow
def test_a_tree_as_deep_as_its_data():
    """Each test takes one category's few instances off: hundreds of tests one below the other, without recursion."""
    depth = 700
    X = np.tril(np.ones((depth, depth)), -1)
    found = C45(min_instances=1, unpruned=True, collapse=False, categorical_features=list(range(depth)))
    y = np.arange(depth) % 2
    assert (found.fit(X, y).predict(X) == y).all()
    assert len(found.export_text().splitlines()) == found.size_ - 1


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"confidence": 0.0}, "confidence is 0.0: give a number above 0 and at most 0.5"),
        ({"confidence": 0.6}, "confidence is 0.6: give a number above 0 and at most 0.5; smaller prunes more"),
        ({"min_instances": 0}, "min_instances is 0: give a number of instances, 1 or more"),
        ({"min_instances": float("nan")}, "min_instances is nan: give a number of instances"),
        ({"variant": "3.3"}, "variant is '3.3': give 'classic' or 'current'"),
        ({"deviations": "exact"}, "deviations is 'exact': give 'normal' or 'table'"),
    ],
)
def test_options_that_cannot_be(options, text):
    with pytest.raises(InputError, match=text):
        C45(**options).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("original", [True, False])
@pytest.mark.parametrize("confidence", [0.001, 0.05, 0.1, 0.25, 0.4, 0.5])
def test_what_one_instance_more_adds_at_least_to_estimated_errors(confidence, original):
    how = Estimate(confidence, -float(special.ndtri(confidence)), original)
    for n in (*range(1, 60), 100, 333, 1000, 5000):
        for e in sorted({*range(min(n, 40)), n // 3, n // 2, 2 * n // 3, 9 * n // 10, n - 1}):
            before = e + added_errors(n, e, how)
            assert e + added_errors(n + 1, e, how) >= before - 1e-9
            assert e + 1 + added_errors(n + 1, e + 1, how) >= before + LEAST_ADDED, (n, e)
