"""The catalogue: its figures are those of the files, and a file that is another dataset is refused."""

import csv
import shutil

import pytest

from foldproof.data.catalog import Entry, catalogue, find_dataset, shape_of
from foldproof.data.sources import Wanted, read_source
from foldproof.domain.errors import InputError


def test_it_is_that_of_the_two_papers():
    entries = catalogue().values()
    assert len(entries) == 36
    assert sum(bool(e.bouckaert_frank) for e in entries) == 27
    assert sum(bool(e.bradford_brodley) for e in entries) == 23


def test_its_figures_are_those_of_the_manifest(shared):
    rows = list(csv.DictReader(shared("datasets", "MANIFEST.csv").read_text().splitlines()))
    assert [row["file"].removesuffix(".arff") for row in rows] == list(catalogue())
    for row in rows:
        entry = catalogue()[row["file"].removesuffix(".arff")]
        for key in ("instances", "attributes", "nominal", "numeric", "missing", "classes", "classes_declared"):
            assert getattr(entry, key) == int(row[key]), (entry.name, key)
        assert str(entry.openml_id or "") == row["openml_id"]
        assert (entry.bouckaert_frank, entry.bradford_brodley) == (row["paper_a_name"], row["paper_b_name"])


@pytest.mark.parametrize("name", ["iris", "zoo", "labor", "anneal"])
def test_files_have_the_values_of_the_catalogue(name, shared):
    data = find_dataset(name, shared("datasets"))
    assert data.fingerprint == catalogue()[name].fingerprint
    assert shape_of(data)["missing"] == catalogue()[name].missing


def test_a_catalogue_name_is_a_source(shared, monkeypatch):
    monkeypatch.setenv("FOLDPROOF_DATA", str(shared("datasets")))
    assert len(read_source("vote", Wanted("vote"))) == 435
    assert len(read_source("iris", Wanted("iris", data_dir=str(shared("datasets"))))) == 150
    with pytest.raises(InputError, match="has its own target and no groups"):
        read_source("iris", Wanted("iris", target="class"))


def test_a_file_of_another_shape_is_refused(tmp_path, shared):
    shutil.copy(shared("datasets", "zoo.arff"), tmp_path / "iris.arff")
    with pytest.raises(InputError) as caught:
        find_dataset("iris", tmp_path)
    assert "is not the catalogue's 'iris': it has 101 instances and should have 150" in str(caught.value)


def test_a_file_of_other_values_is_told(tmp_path, shared):
    text = shared("datasets", "iris.arff").read_text()
    (tmp_path / "iris.arff").write_text(text.replace("5.1,3.5,1.4,0.2", "5.2,3.5,1.4,0.2", 1))
    notes = find_dataset("iris", tmp_path).notes
    assert any(note.startswith("other_values: ") for note in notes)


def test_a_folder_that_is_none(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="--data-dir is .* which is no folder"):
        find_dataset("iris", tmp_path / "nowhere")
    monkeypatch.setenv("FOLDPROOF_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="FOLDPROOF_DATA is"):
        find_dataset("iris")


def test_every_entry_says_what_it_is():
    for entry in catalogue().values():
        assert isinstance(entry, Entry)
        assert str(entry.instances) in entry.summary
