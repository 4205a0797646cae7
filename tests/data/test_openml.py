"""OpenML, as a server on this machine that speaks its protocol: what is fetched, kept, checked and refused."""

import gzip
import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import Request, urlopen

import numpy as np
import pytest
from sklearn.datasets import _openml, load_iris

from foldproof.data import openml
from foldproof.data.catalog import catalogue, find_dataset
from foldproof.data.sources import Wanted, read_source
from foldproof.domain.errors import InputError, NotAvailableError

WEATHER = """@relation weather
@attribute outlook {sunny, rainy, 'never seen'}
@attribute wind numeric
@attribute play {yes, no, maybe}
@data
sunny, 1.5, yes
rainy, ?, no
?, 3, no
sunny, 4, yes
"""


class Server:
    """Answers what the fetcher asks; ``fail`` is how many requests are answered with 503 first."""

    def __init__(self):
        self.asked, self.fail, self.files = [], 0, {}
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                server.asked.append(self.path)
                if server.fail:
                    server.fail -= 1
                    return self.send_error(503)
                status, body = server.answer(self.path)
                packed = gzip.compress(body)
                self.send_response(status)
                self.send_header("Content-Encoding", "gzip")
                self.send_header("Content-Length", str(len(packed)))
                self.end_headers()
                return self.wfile.write(packed)

            def log_message(self, *arguments):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        self.thread = threading.Thread(target=self.http.serve_forever, daemon=True)
        self.thread.start()

    def close(self):
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()

    def offer(self, data_id, text, target):
        self.files[str(data_id)] = (text.encode(), target)

    def answer(self, path):
        data_id = path.rstrip("/").split("/")[-1].removesuffix(".arff")
        if data_id not in self.files:
            return 412, json.dumps({"error": {"code": "111", "message": "Unknown dataset"}}).encode()
        body, target = self.files[data_id]
        if "/download/" in path:
            return 200, body
        names = [line.split()[1] for line in body.decode().splitlines() if line.lower().startswith("@attribute")]
        kinds = [
            "nominal" if "{" in x else "numeric" for x in body.decode().splitlines() if x.lower().startswith("@attr")
        ]
        rows = [x for x in body.decode().partition("@data")[2].partition("@DATA")[0].splitlines() if x.strip()]
        if "/features/" in path:
            features = [
                {"index": str(i), "name": n.strip("'"), "data_type": k, "is_target": str(n == target).lower(), "is_ignore": "false",
                 "is_row_identifier": "false", "number_of_missing_values": "0"}
                for i, (n, k) in enumerate(zip(names, kinds, strict=True))
            ]  # fmt: skip
            return 200, json.dumps({"data_features": {"feature": features}}).encode()
        if "/qualities/" in path:
            told = [{"name": "NumberOfInstances", "value": f"{len(rows)}.0"}]
            return 200, json.dumps({"data_qualities": {"quality": told}}).encode()
        description = {
            "id": data_id, "name": "thing", "version": "1", "format": "ARFF", "status": "active", "file_id": data_id,
            "description": "", "default_target_attribute": target, "md5_checksum": hashlib.md5(body).hexdigest(),
            "url": f"https://www.openml.org/data/v1/download/{data_id}/{data_id}.arff",
        }  # fmt: skip
        return 200, json.dumps({"data_set_description": description}).encode()


@pytest.fixture
def server(monkeypatch, tmp_path):
    made = Server()

    def redirected(request, *arguments, **options):
        path = request.full_url.partition("openml.org")[2]
        return urlopen(Request(made.url + path, headers=dict(request.header_items())), *arguments, **options)

    monkeypatch.setattr(_openml, "urlopen", redirected)
    monkeypatch.setattr(openml, "cache_folder", lambda: tmp_path / "kept")
    monkeypatch.setattr(openml, "DELAY", 0.001)
    monkeypatch.setattr(openml, "_failed_at", -1e9)
    monkeypatch.delenv("FOLDPROOF_DATA", raising=False)
    yield made
    made.close()


def test_what_is_declared_stays_declared(server):
    server.offer(424242, WEATHER, "play")
    data = read_source("openml:424242", Wanted("openml:424242"))
    assert [(a.name, a.categories) for a in data.attributes] == [
        ("outlook", ("sunny", "rainy", "never seen")),
        ("wind", None),
    ]
    assert data.classes == ("yes", "no", "maybe")
    assert data.target_codes.tolist() == [0, 1, 1, 0]
    np.testing.assert_array_equal(data.codes, [[0, 1.5], [1, np.nan], [np.nan, 3], [0, 4]])


def test_another_target_may_be_chosen(server):
    server.offer(424242, WEATHER, "play")
    with pytest.raises(InputError, match="the target is missing in 1 of 4 rows"):
        read_source("openml:424242", Wanted("openml:424242", target="wind"))
    with pytest.raises(InputError, match="unknown column of openml:424242 'plai': did you mean 'play'"):
        read_source("openml:424242", Wanted("openml:424242", target="plai"))


def test_it_is_fetched_once_and_kept(server):
    server.offer(424242, WEATHER, "play")
    first = openml.fetch(424242)
    count = len(server.asked)
    assert openml.fetch(424242).fingerprint == first.fingerprint
    assert len(server.asked) == count


def test_a_server_in_trouble_is_asked_again(server):
    server.offer(424242, WEATHER, "play")
    server.fail = openml.RETRIES
    assert len(openml.fetch(424242)) == 4


def test_the_catalogue_checks_what_comes(server):
    iris = load_iris()
    rows = "\n".join(
        ",".join(map(str, [*x, iris.target_names[y]])) for x, y in zip(iris.data, iris.target, strict=True)
    )
    head = "@relation iris\n" + "".join(f"@attribute a{i} numeric\n" for i in range(4))
    text = f"{head}@attribute class {{setosa,versicolor,virginica}}\n@data\n{rows}\n"
    server.offer(61, text, "class")
    found = find_dataset("iris")
    assert (found.name, len(found)) == ("iris", 150)
    assert any(note.startswith("other_values: openml:61 has the shape") for note in found.notes)
    server.offer(62, text, "class")
    with pytest.raises(NotAvailableError) as caught:
        find_dataset("vote")
    assert "OpenML refused it" in str(caught.value)
    server.offer(56, text.replace("class {", "Class {"), "Class")
    with pytest.raises(NotAvailableError) as caught:
        find_dataset("vote")
    assert "openml:56 is not the catalogue's 'vote': it has 150 instances and should have 435" in caught.value.why
    assert caught.value.what_to_do.startswith("put vote.arff into a folder")


def test_the_catalogues_own_data_come_through_value_for_value(server, shared):
    for name in ("iris", "vote", "labor"):
        entry = catalogue()[name]
        text = (
            shared("datasets", f"{name}.arff").read_text().replace("@ATTRIBUTE", "@attribute").replace("@DATA", "@data")
        )
        server.offer(entry.openml_id, text, entry.target)
        found = find_dataset(name)
        assert found.fingerprint == entry.fingerprint
        assert found.notes == ()


def test_a_network_that_is_not_there(monkeypatch, tmp_path):
    def refuse(request):
        raise OSError("no route to host")

    monkeypatch.setattr(_openml, "urlopen", refuse)
    monkeypatch.setattr(openml, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(openml, "DELAY", 0.001)
    monkeypatch.setattr(openml, "_failed_at", -1e9)
    with pytest.raises(NotAvailableError) as caught:
        find_dataset("iris")
    assert "no --data-dir and no FOLDPROOF_DATA was given, and OpenML cannot be reached (no route to host)" in str(
        caught.value
    )
    with pytest.raises(NotAvailableError, match="OpenML could not be reached a moment ago"):
        find_dataset("vote")


def test_what_openml_does_not_have(monkeypatch):
    monkeypatch.delenv("FOLDPROOF_DATA", raising=False)
    with pytest.raises(
        NotAvailableError, match="OpenML does not have the same data; put waveform-21.arff into a folder"
    ):
        find_dataset("waveform-21")
