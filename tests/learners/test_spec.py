"""Specs are literals: anything importable, nothing evaluated."""

import pytest
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC

from foldproof.domain.errors import InputError, NotInThisVersionError
from foldproof.learners.learner import gather
from foldproof.learners.spec import parse_named, parse_spec

TREE = "sklearn.tree.DecisionTreeClassifier"


def test_an_estimator_with_arguments():
    name, spec, tree = parse_named(f"stump={TREE}(max_depth=1, class_weight={{'a': 2, 'b': 1.5}})")
    assert name == "stump"
    assert spec.startswith(TREE)
    assert tree.max_depth == 1
    assert tree.class_weight == {"a": 2, "b": 1.5}


def test_a_class_without_brackets():
    assert parse_named(TREE)[2].max_depth is None


def test_nested_estimators_and_pipelines():
    spec = "sklearn.pipeline.make_pipeline(sklearn.preprocessing.StandardScaler(), sklearn.svm.SVC(C=10))"
    pipeline = parse_spec(spec)
    assert isinstance(pipeline, Pipeline)
    assert isinstance(pipeline[-1], SVC)
    assert pipeline[-1].C == 10


def test_steps_in_lists_and_functions_by_name():
    pipeline = parse_spec(
        "sklearn.pipeline.Pipeline(steps=[('log', sklearn.preprocessing.FunctionTransformer(numpy.log1p)), "
        "('nb', sklearn.naive_bayes.GaussianNB())])"
    )
    assert pipeline.named_steps["log"].func.__name__ == "log1p"


def test_kernels_and_negative_numbers():
    spec = "sklearn.gaussian_process.GaussianProcessClassifier(1.0 * 2)"
    with pytest.raises(InputError, match="nothing is evaluated"):
        parse_spec(spec)
    kernel = "sklearn.gaussian_process.GaussianProcessClassifier(sklearn.gaussian_process.kernels.RBF(-1.5))"
    assert parse_spec(kernel).kernel.length_scale == -1.5


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("os.system('true')", "'os.system' is not an estimator"),
        ("builtins.eval('1')", "'builtins.eval' is not an estimator"),
        ("builtins.dict(a=1)", "'builtins.dict' is not an estimator"),
        (f"{TREE}(max_depth=__import__('os'))", "unknown learner '__import__'"),
        (f"{TREE}(max_depth=open('x'))", "unknown learner 'open'"),
        (f"{TREE}(max_depth=[x for x in range(3)])", "arguments are literals or specs; nothing is evaluated"),
        (f"{TREE}(max_depth=lambda: 1)", "nothing is evaluated"),
        (f"{TREE}(**{{'max_depth': 1}})", "** is not allowed"),
        (f"{TREE}(max_depht=1)", "cannot make the learner"),
        ("sklearn.tree.DecisionTreeClasifier()", "did you mean 'DecisionTreeClassifier'?"),
        ("RandomForestClassifier()", "did you mean 'sklearn.ensemble.RandomForestClassifier()'?"),
        ("RandomForestClassifier", "did you mean 'sklearn.ensemble.RandomForestClassifier()'?"),
        ("no_such_package.Learner()", "there is no module 'no_such_package'; is it installed?"),
        ("naive_bays(", "write package.Class(argument=value, …)"),
        ("sklearn.datasets.clear_data_home('.')", "'sklearn.datasets.clear_data_home' is not an estimator"),
        ("sklearn.datasets.load_files('.')", "'sklearn.datasets.load_files' is not an estimator"),
        (f"{TREE}(max_depth={'-' * 20000}1)", f"cannot read the learner '{TREE}(max_depth=---"),
        ("(" * 20000, "write package.Class(argument=value, …)"),
        (f"{TREE}(criterion='\0')", "cannot read the learner"),
        ("c45(confidense=0.1)", "cannot make the learner 'c45(confidense=0.1)'"),
        ("naive-bays(kernel=True)", "unknown learner 'naive_bays': did you mean 'naive-bayes'?"),
        ("42", "it is a value and not a class with arguments"),
        ("nonsense", "give a learner's name (foldproof list learners) or package.Class(arguments)"),
    ],
)
def test_what_is_no_learner_gets_a_sentence(spec, sentence):
    with pytest.raises(InputError) as caught:
        parse_spec(spec)
    assert sentence in str(caught.value)


def test_an_error_shows_the_beginning_of_what_is_too_long():
    with pytest.raises(InputError) as caught:
        parse_spec("(" * 20000)
    assert len(str(caught.value)) < 300


def test_learners_of_ours_take_arguments_by_their_names():
    assert parse_spec("c45(unpruned=True)").unpruned is True
    assert parse_spec("naive-bayes()").__class__.__name__ == "NaiveBayes"
    assert parse_spec("tddt-1(inner_folds=5)").inner_folds == 5
    assert parse_spec("sklearn.ensemble.BaggingClassifier(c45(unpruned=True))").estimator.unpruned is True
    assert parse_named("a=nearest-neighbour()")[:2] == ("a", "nearest-neighbour()")


def test_a_learner_of_ours_that_is_still_to_come(monkeypatch):
    monkeypatch.setattr("foldproof.learners.spec.PLANNED", ("oracle",))
    with pytest.raises(NotInThisVersionError, match="the learner 'oracle' is not in this version"):
        parse_spec("oracle")


def test_names():
    named = [learner.name for learner in gather([f"{TREE}()", f"{TREE}(max_depth=1)", f"x={TREE}()", f"{TREE}()"])]
    assert named == ["DecisionTreeClassifier", "DecisionTreeClassifier-2", "x", "DecisionTreeClassifier-3"]
    assert [learner.name for learner in gather({"a": SVC(), "b": f"{TREE}()"})] == ["a", "b"]
    assert [learner.name for learner in gather([("a", SVC()), SVC()])] == ["a", "SVC"]


@pytest.mark.parametrize(
    ("learners", "sentence"),
    [
        ({"a": SVC()}, "a comparison needs at least two learners; got 1"),
        ({"none": SVC(), "b": SVC()}, "no learner may be called 'none'"),
        ([f"x={TREE}()", f"x={TREE}()"], "two learners are called 'x': give each its own name"),
        ({" ": SVC(), "b": SVC()}, "a learner's name may not be empty"),
        ({"a\nb": SVC(), "b": SVC()}, r"the learner's name 'a\nb' holds a line break"),
        ({"a": SVC, "b": SVC()}, "learner 'a' is the class SVC: give an instance, SVC()"),
        ({"a": object(), "b": SVC()}, "learner 'a' (object) is not a scikit-learn estimator: it has no fit()"),
        ("SVC", "learners is 'SVC': give a mapping of names to estimators, or a list of estimators"),
    ],
)
def test_what_are_no_learners_gets_a_sentence(learners, sentence):
    with pytest.raises(InputError) as caught:
        gather(learners)
    assert sentence in str(caught.value)


def test_a_method_that_is_there_only_after_fit_is_there():
    from sklearn.ensemble import StackingClassifier

    stacking = StackingClassifier([("tree", f) for f in [SVC()]])
    assert not hasattr(stacking, "predict")
    assert [learner.name for learner in gather([stacking, SVC()])] == ["StackingClassifier", "SVC"]
