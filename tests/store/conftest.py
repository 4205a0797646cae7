"""A PostgreSQL server of the tests' own, where its programs are on the machine."""

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest


def program(name):
    """Return a program of the server's, on the path or where Debian keeps it."""
    kept = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(kept[-1]) if kept else None)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@pytest.fixture(scope="session")
def postgres():
    """Return the URL of a server: the one that FOLDPROOF_TEST_POSTGRES names, or one started for the session."""
    if "FOLDPROOF_TEST_POSTGRES" in os.environ:
        yield os.environ["FOLDPROOF_TEST_POSTGRES"]
        return
    initdb, pg_ctl = program("initdb"), program("pg_ctl")
    if initdb is None or pg_ctl is None:
        pytest.skip(
            "no PostgreSQL here: install its server, or name one in FOLDPROOF_TEST_POSTGRES "
            "(postgresql://user:password@host/database)"
        )
    # The server refuses to run as root, so root starts it as the account that its package makes.
    account = "postgres" if os.name == "posix" and os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="foldproof-postgres-"))
    port = free_port()
    if account is not None:
        shutil.chown(folder, account)
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"

    def run(*command):
        subprocess.run(command, user=account, check=True, capture_output=True, cwd=folder)

    try:
        run(initdb, "-D", str(folder / "data"), "-A", "trust", "-U", "tester", "-E", "UTF8")
        run(pg_ctl, "-D", str(folder / "data"), "-l", str(folder / "log"), "-w", "-o", options, "start")
        try:
            yield f"postgresql://tester@127.0.0.1:{port}/postgres"
        finally:
            run(pg_ctl, "-D", str(folder / "data"), "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
