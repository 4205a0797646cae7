"""Where studies are: in this package, in folders of FOLDPROOF_STUDIES, in entry points, or at a path."""

from __future__ import annotations

import os
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path

from foldproof.domain.errors import InputError, unknown_name
from foldproof.domain.study import Study
from foldproof.studies.reading import SETTINGS, read_study

VARIABLE = "FOLDPROOF_STUDIES"


def study_folders() -> dict[str, Path]:
    """Return the folders of all studies that are found without being asked for, by name.

    >>> "bouckaert-frank-2004" in study_folders()
    True
    """
    found: dict[str, Path] = {}
    for place in [Path(str(files("foldproof.studies"))), *_elsewhere()]:
        for folder in sorted(path for path in place.iterdir() if (path / SETTINGS).is_file()):
            if folder.name in found:
                raise InputError(
                    f"two studies are called {folder.name!r}: {found[folder.name]} and {folder}; rename one of them"
                )
            found[folder.name] = folder
    return found


def _elsewhere() -> list[Path]:
    """Return folders that hold folders of studies: of the environment, then of other distributions."""
    found = []
    for text in filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)):
        path = Path(text).expanduser()
        if not path.is_dir():
            raise InputError(f"{VARIABLE} names {text!r}, which is no folder: correct it, or unset it")
        found.append(path)
    for point in entry_points(group="foldproof.studies"):
        found.append(Path(str(files(point.value.partition(":")[0]))))
    return found


def find_study(name: str | Path) -> Study:
    """Return a study by its name, or by the path of its folder.

    >>> find_study("bouckaert-frank-2004").pairs[0]
    ('NB', 'C4.5')
    """
    path = Path(name)
    if isinstance(name, Path) or path.name != str(name) or (path / SETTINGS).is_file():
        return read_study(path)
    folders = study_folders()
    if name not in folders:
        raise unknown_name("study", str(name), folders)
    return read_study(folders[str(name)])
