"""python -m telecap: captures as Parquet and MCAP."""

import argparse
import sys
from pathlib import Path

from .errors import TelecapError
from .mcap import second, to_mcap
from .parquet import to_parquet


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m telecap", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    parquet = commands.add_parser("to-parquet", help="a data set partitioned by protocol and type")
    parquet.add_argument("captures", nargs="+", metavar="CAPTURE")
    parquet.add_argument("directory", metavar="DIR")
    mcap = commands.add_parser("to-mcap", help="poses for ROS, and every message as JSON in a second file")
    mcap.add_argument("capture", metavar="CAPTURE")
    mcap.add_argument("file", metavar="FILE")
    given = parser.parse_args()
    try:
        if given.command == "to-parquet":
            print(f"{given.directory}: {to_parquet(given.captures, given.directory):,} messages")
        else:
            poses, count = to_mcap(given.capture, given.file)
            print(f"{given.file}: {poses:,} poses; {second(Path(given.file))}: all {count:,} messages as JSON")
    except TelecapError as error:
        print(f"telecap: {error}", file=sys.stderr)
        return error.status
    return 0


sys.exit(main())
