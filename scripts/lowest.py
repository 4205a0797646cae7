"""Print a constraints file with the lowest version of every direct dependency that pyproject.toml admits."""

import re
import sys
import tomllib
from pathlib import Path


def main(path: str) -> None:
    """Turn each ``name>=version`` of the project's dependencies into ``name==version``."""
    for line in tomllib.loads(Path(path).read_text())["project"]["dependencies"]:
        name, version = re.fullmatch(r"([\w-]+)>=([\w.]+)", line).groups()
        print(f"{name}=={version}.*" if version.count(".") < 2 else f"{name}=={version}")


if __name__ == "__main__":
    main(sys.argv[1])
