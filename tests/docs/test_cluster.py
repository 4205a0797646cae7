"""The page about clusters (how-to/cluster.md), its command run on a cluster of this machine."""

import os
import re
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="needs foldproof[dask]")
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "cluster.md"


def without_head(text):
    """Leave out the head of the ledger's chain, in which the time is."""
    return re.sub(r"head\s+\S+", "head", text)


@pytest.mark.slow
def test_the_command_of_the_page_runs(tmp_path, monkeypatch, capsys):
    from foldproof.cli.main import run

    shown = "\n".join(re.findall(r"```console\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL))
    (command,) = re.findall(r"^\$ foldproof (.+)$", shown.replace("\\\n", " "), re.MULTILINE)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    start = [sys.executable, "-m", "distributed.cli.{}", "--host", "127.0.0.1", "--no-dashboard"]
    quietly = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": dict(os.environ)}
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("foldproof.workflows.execution.PATIENCE", 60.0)
    both = [
        subprocess.Popen([part.format("dask_scheduler") for part in start] + ["--port", port], **quietly),
        subprocess.Popen(
            [part.format("dask_worker") for part in start]
            + ["--nthreads", "1", "--no-nanny", f"tcp://127.0.0.1:{port}"],
            **quietly,
        ),
    ]
    try:
        arguments = shlex.split(command.replace("8786", port))
        size = ["--procedure", "corrected-repeated-cv", "--runs", "2", "--folds", "5", "--quiet"]
        assert run([*arguments, *size]) == 0, capsys.readouterr().err
        there = capsys.readouterr().out
        assert (tmp_path / "results.db").exists()
    finally:
        for process in both:
            process.kill()
            process.wait()
    here = [*arguments[: arguments.index("--executor")], "--store", "sqlite:///here.db", *size]
    assert run(here) == 0
    assert without_head(capsys.readouterr().out) == without_head(there)
