"""Every store keeps the promise of the base class."""

import uuid

import pytest
import sqlalchemy as sa

from foldproof.store import open_store
from foldproof.testing.store_contract import StoreContract


class TestMemory(StoreContract):
    def open(self):
        return open_store("memory://")


class TestSqlite(StoreContract):
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path):
        self.folder = tmp_path

    def open(self):
        return open_store(f"sqlite:///{self.folder / uuid.uuid4().hex}.db")

    def again(self, store):
        return open_store(store.url)


class TestPostgres(StoreContract):
    """On a real server, in a schema of its own."""

    @pytest.fixture(autouse=True)
    def _server(self, postgres):
        self.address = postgres
        engine = sa.create_engine(
            sa.make_url(postgres).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT"
        )
        self.schema = f"foldproof_{uuid.uuid4().hex}"
        with engine.connect() as connection:
            connection.exec_driver_sql(f"CREATE SCHEMA {self.schema}")
        yield
        with engine.connect() as connection:
            connection.exec_driver_sql(f"DROP SCHEMA {self.schema} CASCADE")
        engine.dispose()

    def open(self):
        return open_store(f"{self.address}?options=-csearch_path%3D{self.schema}")

    def again(self, store):
        return self.open()
