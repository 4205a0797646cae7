"""``python -m foldproof`` is the program ``foldproof``."""

from foldproof.cli.main import main

if __name__ == "__main__":
    main()
