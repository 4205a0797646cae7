"""What is compared of stores: every row, but for times, hosts and worker names."""

from foldproof.store import open_store


def rows(url):
    """Return every cell of a store by its key."""
    with open_store(url) as store:
        cells = list(store.cells())
    found = {}
    for cell in cells:
        key = (cell.series, cell.run, cell.division)
        assert key not in found, "a row is there twice"
        found[key] = (
            cell.scheme,
            {name: values.tobytes() for name, values in cell.scores.items()},
            None if cell.predictions is None else cell.predictions.tobytes(),
            dict(cell.remarks),
            cell.environment,
        )
    assert len(found) == len(cells)
    return found


def count(url):
    """Return how many cells a store holds."""
    with open_store(url) as store:
        return store.count()
