"""Captures as a Parquet data set, partitioned by protocol and type."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pyarrow
import pyarrow.dataset

from .capture import open as open_capture
from .errors import TelecapError
from .messages import messages, missing


def to_parquet(captures: Sequence[str | os.PathLike[str]], directory: str | os.PathLike[str]) -> int:
    """Writes DIRECTORY/protocol=P/type=T/N-0.parquet, N being the capture's place in the list; tells how many messages."""
    directory = Path(directory)
    if directory.exists():
        raise TelecapError(f"{directory}: exists; give a directory that does not", 73)
    total = 0
    try:
        folder = tempfile.TemporaryDirectory(prefix=f".{directory.name}-", dir=directory.parent)
    except OSError as error:
        raise TelecapError(f"{directory}: {error.strerror}", 73) from error
    with folder:
        whole = Path(folder.name) / "whole"
        whole.mkdir()
        for index, path in enumerate(captures):
            with open_capture(path) as capture:
                written = 0
                for number, name in enumerate(capture.message_tables()):
                    table = messages(capture, name)
                    written += table.num_rows
                    table = table.append_column("capture", pyarrow.array([Path(path).name] * table.num_rows, pyarrow.string()))
                    pyarrow.dataset.write_dataset(
                        table,
                        whole,
                        format="parquet",
                        partitioning=["protocol", "type"],
                        partitioning_flavor="hive",
                        basename_template=f"{index}-{number}-{{i}}.parquet",
                        existing_data_behavior="overwrite_or_ignore",
                    )
                if missing(capture, written):
                    raise TelecapError(f"{path}: {missing(capture, written)} messages are in no table of their type")
            total += written
        whole.rename(directory)
    return total
