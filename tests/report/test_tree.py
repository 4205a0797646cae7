"""A tree's figure says what the tree's text says, in grey, and no label lies on another."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from foldproof.domain.errors import InputError
from foldproof.learners import C45, TDDT1, TDDT2
from foldproof.report.figures.tree import plot_tree
from naive.mixtures import Mixture

KINDS = pytest.mark.parametrize(
    "learner", [C45(unpruned=True), TDDT1(factor=0.0), TDDT2()], ids=lambda each: type(each).__name__
)


def fitted(learner, seed=3):
    data = Mixture(seed, n=90)
    return learner.set_params(**data.declared).fit(data.X, data.y)


def drawn(axes):
    """Return the texts of a figure that was drawn, with the rectangles that they fill."""
    canvas = FigureCanvasAgg(axes.get_figure())
    canvas.draw()
    return [(text.get_text(), text.get_window_extent(canvas.get_renderer())) for text in axes.texts if text.get_text()]


@KINDS
def test_axes_in_axes_out(learner):
    axes = Figure(figsize=(6, 4)).subplots()
    told = fitted(learner).to_dict()
    assert plot_tree(told, axes) is axes
    assert plot_tree(told).get_figure() is not axes.get_figure()


@KINDS
@pytest.mark.parametrize("seed", [3, 6, 12, 33])
def test_every_node_and_branch_of_the_text_is_there(learner, seed):
    tree = fitted(learner, seed)
    texts = [text for text, _ in drawn(plot_tree(tree.to_dict()))]
    lines = [line.replace("|   ", "") for line in tree.export_text().splitlines()]
    boxes = len(lines) + 1 if tree.size_ > 1 else 1
    assert len(texts) == 2 * boxes - 1  # a box and a branch for each line, and the root's box
    for line in lines if tree.size_ > 1 else []:
        condition = line.partition(": ")[0]
        assert condition.split(" ", 1)[1] in texts


@KINDS
@pytest.mark.parametrize("own", [True, False])
def test_no_label_lies_on_another(learner, own):
    axes = None if own else Figure(figsize=(5, 3)).subplots()
    found = [extent for _, extent in drawn(plot_tree(fitted(learner, 12).to_dict(), axes))]
    assert len(found) > 3
    for i, one in enumerate(found):
        assert not any(one.overlaps(other) for other in found[:i])


def test_long_names_are_cut_short_and_signs_are_not_mathematics():
    X = [["$a_1$", 0.0], ["a category with a very long name", 1.0]] * 5
    names = C45().fit(X, [r"\frac$", "an extraordinarily long class label"] * 5)
    texts = [text for text, _ in drawn(plot_tree(names.to_dict()))]
    assert texts == ["x0", "= $a_1$", "\\frac$\n5", "= a category with a ver…", "an extraordinarily long…\n5"]


def test_what_is_deeper_is_told_as_its_number_of_leaves():
    X = [["sun", 70.0], ["sun", 71.0], ["sun", 90.0], ["sun", 91.0]] * 2 + [["fog", 80.0]] * 12
    told = C45().fit(X, ["out", "out", "in", "in"] * 2 + ["home"] * 12).to_dict()
    home, below = ["x0", "= fog", "home\n12", "= sun"], ["x1", "<= 80", "out\n4", "> 80", "in\n4"]
    for depth, expected in (
        (0, ["…\n3 leaves"]),
        (1, [*home, "…\n2 leaves"]),
        (2, [*home, *below]),
        (None, [*home, *below]),
    ):
        assert [text for text, _ in drawn(plot_tree(told, max_depth=depth))] == expected


def test_one_leaf_is_a_tree():
    for tree in (C45(), TDDT1(), TDDT2()):
        told = tree.fit([[1.0]] * 3, ["yes", "yes", "no"]).to_dict()
        assert [text for text, _ in drawn(plot_tree(told))] == ["yes\n3/1"]


def test_it_is_read_in_grey():
    axes = plot_tree(fitted(C45(unpruned=True), 12).to_dict())
    colours = [line.get_color() for line in axes.lines] + [text.get_color() for text in axes.texts]
    for text in axes.texts:
        box = text.get_bbox_patch()
        colours += [] if box is None else [box.get_facecolor()[:3], box.get_edgecolor()[:3]]
    assert all(len(set(to_rgb(colour))) == 1 for colour in colours)
    leaves, tests = (
        {text.get_bbox_patch().get_facecolor()[0] for text in axes.texts if ("\n" in text.get_text()) == leaf}
        for leaf in (True, False)
    )
    assert not leaves & tests  # told apart without colour


def test_an_empty_leaf_has_a_dotted_edge():
    told = C45(categories=[["a", "b", "c"]]).fit([["a"]] * 4 + [["b"]] * 4, [0] * 4 + [1] * 4).to_dict()
    axes = plot_tree(told)
    edges = {text.get_text(): text.get_bbox_patch().get_linestyle() for text in axes.texts if "\n" in text.get_text()}
    assert edges == {"0\n4": "-", "1\n4": "-", "0\n0": ":"}


@pytest.mark.slow
def test_a_deep_tree_is_drawn_without_recursion():
    n = 1500
    deep = TDDT1(factor=0.0, threshold_ties="lowest").fit(np.arange(float(n))[:, None], (np.arange(n) // 2) % 2)
    axes = plot_tree(deep.to_dict())
    assert len(axes.texts) == 2 * deep.size_ - 1


def test_what_is_no_tree():
    with pytest.raises(InputError, match=r"drawn from what its to_dict\(\) tells; got C45"):
        plot_tree(C45())
    with pytest.raises(InputError, match="max_depth is -1: give 0 or more, or None"):
        plot_tree(C45().fit([[0.0]], [0]).to_dict(), max_depth=-1)
