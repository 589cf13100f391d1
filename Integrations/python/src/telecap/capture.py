"""A capture as Arrow tables."""

import os
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import adbc_driver_sqlite.dbapi as sqlite
import pyarrow
from adbc_driver_sqlite import StatementOptions

from . import program
from .errors import TelecapError

APPLICATION = 0x54434150

# The driver takes a column's type from the values of its first rows. A row of the declared types, put before them and cut
# off again, gives each column its type wherever the first NULL stands.
TYPES = {
    "INTEGER": ("0", pyarrow.int64()),
    "REAL": ("0.5", pyarrow.float64()),
    "TEXT": ("''", pyarrow.string()),
    "BLOB": ("x''", pyarrow.binary()),
}


def quoted(name: str) -> str:
    """A name as an identifier of SQL."""
    return '"' + name.replace('"', '""') + '"'


def _texts(table: pyarrow.Table, column: int) -> list[str]:
    return [str(value) for value in table.column(column).to_pylist()]


class Capture:
    """An open capture, read only. Use it in a `with`, or close it."""

    def __init__(self, path: Path, folder: "tempfile.TemporaryDirectory[str] | None" = None) -> None:
        self.path = path
        self._folder = folder
        self._connection: Any = None
        try:
            # adbc's connections are in a transaction from the start unless told otherwise: a recording goes on meanwhile.
            self._connection = sqlite.connect(f"file:{quote(str(path.resolve()))}?mode=ro", autocommit=True)
            self.query("PRAGMA trusted_schema = OFF")
            found = self.query("PRAGMA application_id").column(0)[0].as_py()
            complete = self.query("SELECT dissection_complete FROM capture").column(0)[0].as_py() if found == APPLICATION else 1
        except BaseException:
            self.close()
            raise
        if found != APPLICATION:
            self.close()
            raise TelecapError(f"{path}: a database, but no capture of telecap")
        if complete != 1:
            self.close()
            raise TelecapError(f"{path}: its messages are not derived yet; run telecap info on it first")

    def query(self, sql: str) -> pyarrow.Table:
        """What a statement of SQL gives; a column has the type of its first million values."""
        try:
            with self._connection.cursor() as cursor:
                cursor.adbc_statement.set_options(**{StatementOptions.BATCH_ROWS.value: 1 << 20})
                cursor.execute(sql)
                found: pyarrow.Table = cursor.fetch_arrow_table()
                return found
        except (sqlite.Error, pyarrow.ArrowException) as error:
            raise TelecapError(f"{self.path}: {error}") from error

    def tables(self) -> list[str]:
        """The names of its tables and views."""
        found = self.query("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name")
        return [name for name in _texts(found, 0) if not name.startswith("sqlite_")]

    def message_tables(self) -> list[str]:
        """The tables of the message types: those whose key is the message."""
        found = self.query(
            "SELECT t.name FROM sqlite_schema AS t, pragma_table_xinfo(t.name) AS c, pragma_foreign_key_list(t.name) AS f "
            "WHERE t.type = 'table' AND c.name = 'message' AND c.pk = 1 AND f.\"from\" = 'message' AND f.\"table\" = 'message' "
            "ORDER BY t.name"
        )
        return _texts(found, 0)

    def columns(self, table: str) -> dict[str, str]:
        """The columns of a table, with their declared types."""
        literal = "'" + table.replace("'", "''") + "'"
        found = self.query(f"SELECT name, type FROM pragma_table_xinfo({literal}) ORDER BY cid")
        if found.num_rows == 0:
            raise TelecapError(f"{self.path}: no table {table}; there are: {', '.join(self.tables())}", 64)
        return dict(zip(_texts(found, 0), _texts(found, 1)))

    def table(self, name: str) -> pyarrow.Table:
        """A table or view, whole."""
        columns = self.columns(name)
        return self.typed(columns, f"SELECT {', '.join(map(quoted, columns))} FROM {quoted(name)}")

    def typed(self, columns: dict[str, str], sql: str) -> pyarrow.Table:
        """What a SELECT of these columns gives, each as the type that it is declared with, or else as its values are."""
        types = self._found(columns, sql) | {name: type.upper() for name, type in columns.items() if type.upper() in TYPES}
        sample = ", ".join(f"{TYPES[types[name]][0]} AS {quoted(name)}" for name in columns)
        table = self.query(f"SELECT {sample} UNION ALL SELECT * FROM ({sql})").slice(1)
        for field in table.schema:
            if field.type != TYPES[types[field.name]][1]:
                raise TelecapError(f"{self.path}: column {field.name} holds a value that is no {types[field.name]}")
        return table

    def _found(self, columns: dict[str, str], sql: str) -> dict[str, str]:
        """The widest type among the values of each column that is declared without one, such as those of a view."""
        names = [name for name, type in columns.items() if type.upper() not in TYPES]
        if not names:
            return {}
        widest = ", ".join(
            f"MAX(CASE typeof({quoted(name)}) WHEN 'real' THEN 1 WHEN 'text' THEN 2 WHEN 'blob' THEN 3 ELSE 0 END)"
            for name in names
        )
        found = self.query(f"SELECT {widest} FROM ({sql})")
        return {name: list(TYPES)[column[0].as_py() or 0] for name, column in zip(names, found.columns)}

    def close(self) -> None:
        """Closes it; a temporary capture goes with it."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def open(path: str | os.PathLike[str]) -> Capture:
    """Opens a capture. A pcap or pcapng file is imported first, by the program, into a temporary capture."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except OSError as error:
        raise TelecapError(f"{path}: {error.strerror}", 66) from error
    if head == b"SQLite format 3\0":
        return Capture(path)
    folder = tempfile.TemporaryDirectory(prefix="telecap-")
    try:
        imported = Path(folder.name) / "imported.telecap"
        program.run(["import", path.resolve(), "-o", imported])
        return Capture(imported, folder)
    except BaseException:
        folder.cleanup()
        raise
