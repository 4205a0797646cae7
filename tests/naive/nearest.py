"""Nearest neighbour, spelt out: one distance at a time, with Python's own floats. None is unknown."""


def scaled(v, low, high, slack):
    return 0.0 if low is None or high - low <= 0 or high - low < slack else (v - low) / (high - low)


def difference(a, b, values, low, high, slack):
    if values is not None:
        return 0.0 if a is not None and a == b else 1.0
    if a is None and b is None:
        return 1.0
    if a is None or b is None:
        q = scaled(b if a is None else a, low, high, slack)
        return q if q >= 0.5 else 1.0 - q
    return scaled(a, low, high, slack) - scaled(b, low, high, slack)


def votes(rows, labels, values, queries, *, n_classes, k=1, all_tied=False, slack=0.0, cumulative=False):
    """Return one list of votes per query; ``values`` has None for each numeric attribute."""
    told = []
    met = list(rows)
    for query in queries:
        seen = [*met, query]
        if cumulative:
            met = seen
        ranges = []
        for a in range(len(values)):
            known = [row[a] for row in seen if row[a] is not None]
            ranges.append((min(known), max(known)) if known and values[a] is None else (None, None))
        distances = []
        for row in rows:
            total = 0.0
            for a, (low, high) in enumerate(ranges):
                total += difference(query[a], row[a], values[a], low, high, slack) ** 2
            distances.append(total)
        order = sorted(range(len(rows)), key=lambda i: (distances[i], i))
        if all_tied:
            chosen = [i for i in order if distances[i] <= distances[order[min(k, len(order)) - 1]]]
        else:
            chosen = order[:k]
        told.append([sum(labels[i] == c for i in chosen) for c in range(n_classes)])
    return told
