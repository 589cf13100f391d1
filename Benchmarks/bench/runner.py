"""Runs rows one after another: their limits, their failures, the table and the JSON. What a row measures is not known here."""
import argparse
import contextlib
import dataclasses
import json
import os
import platform
import signal
import sys
import tempfile
import time
import traceback

from .children import Children, Failure, OverLimit, Signals, Stopped

USAGE, CANNOT_CREATE = 64, 73


@dataclasses.dataclass
class Limits:
    """In seconds. What rows need is built and installed outside the limits of the row and of the whole."""

    row: float = 60
    whole: float = 600
    preparation: float = 1800
    # A row takes no further turn when that would take it past this part of its limit.
    turns: float = 0.6


@dataclasses.dataclass
class Row:
    """`measure` is called with a Bench. `needs` names preparations: functions that are called once, before the row."""

    name: str
    measure: object
    needs: tuple = ()


@dataclasses.dataclass
class Line:
    """One line of the table: its cells, and the figures in them by name, with their units in the names."""

    cells: tuple
    figures: dict
    met: object = None


@dataclasses.dataclass
class Result:
    row: str
    lines: list = dataclasses.field(default_factory=list)
    seconds: float = 0
    reason: str = None


class Bench:
    """What a row measures with: the program, other programs, a folder for files, and the lines that it adds to the table."""

    def __init__(self, telecap, old, work, children, limits):
        self.telecap, self.old, self.work, self.children, self.limits = telecap, old, work, children, limits
        self.result, self.until = None, 0

    def file(self, name):
        return os.path.join(self.work, name)

    def run(self, *command, **options):
        return self.children.run(*command, **options)

    def output(self, *command):
        return self.children.output(*command)

    def start(self, *command, **options):
        return self.children.start(*command, **options)

    def turns(self, most, least=1):
        """Counts turns up to `most`. On a busy machine there are fewer, so that the row ends well before its limit."""
        longest = 0
        for turn in range(most):
            began = time.monotonic()
            if turn >= least and began + longest > self.until:
                return
            yield turn
            longest = max(longest, time.monotonic() - began)

    def add(self, work, ours, peer, ratio, goal, met, /, **figures):
        """A line with a goal: cells as text, and the figures in them for the JSON."""
        self.add_line((work, ours, peer, ratio, goal, "met" if met else "NOT MET"), figures, bool(met))

    def add_line(self, cells, figures, met=None):
        self.result.lines.append(Line(cells, figures, met))


class Runner:
    def __init__(self, rows, preparations, bench):
        self.rows, self.preparations, self.bench = rows, preparations, bench
        self.results, self.prepared, self.seconds = [], {}, 0

    @property
    def signals(self):
        return self.bench.children.signals

    def run(self):
        for row in self.rows:
            self.results.append(Result(row.name))
            self.bench.result = self.results[-1]
            self.measure(row, self.results[-1])
            self.report(self.results[-1])

    def measure(self, row, result):
        result.reason = self.missing(row)
        if result.reason:
            return
        seconds = min(self.bench.limits.row, self.bench.limits.whole - self.seconds)
        if seconds <= 0:
            result.reason = f"not started: the rows before it took {self.bench.limits.whole:g} s, the limit of the whole run"
            return
        began = time.monotonic()
        self.bench.until = began + seconds * self.bench.limits.turns
        result.reason = self.failure(lambda: row.measure(self.bench), seconds)
        result.seconds = time.monotonic() - began
        self.seconds += result.seconds

    def missing(self, row):
        """Prepares what a row needs. Returns why that failed, which is remembered for other rows."""
        for need in row.needs:
            if need not in self.prepared:
                began = time.monotonic()
                reason = self.failure(lambda: self.preparations[need](self.bench), self.bench.limits.preparation)
                self.prepared[need] = reason
                if time.monotonic() - began > 1:
                    print(f"  prepared {need} in {time.monotonic() - began:.0f} s", file=sys.stderr)
            if self.prepared[need]:
                return f"no {need}: {self.prepared[need]}"
        return None

    def failure(self, body, seconds):
        """Calls a body with a limit and ends the children that it left. Returns why it failed, or None."""
        try:
            with self.signals.limit(seconds):
                body()
            return None
        except OverLimit:
            return f"ended at its limit of {seconds:.3g} s"
        except Failure as error:
            return str(error)
        except Exception as error:  # a row may fail in any way: the others go on
            place = traceback.extract_tb(error.__traceback__)[-1]
            return f"{type(error).__name__}: {error} ({os.path.basename(place.filename)}:{place.lineno})"
        finally:
            self.bench.children.end_all()

    def report(self, result):
        how = f"FAILED: {result.reason}" if result.reason else "; ".join(line.cells[-1] or "measured" for line in result.lines)
        print(f"  {result.row}: {result.seconds:.0f} s, {how}", file=sys.stderr, flush=True)


def table(header, results):
    """All lines of the results, with a line for each row that failed."""
    lines = [header]
    for result in results:
        lines += [line.cells for line in result.lines]
        if result.reason:
            lines.append((result.row, "–", "–", "–", "–", f"FAILED: {result.reason}"))
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)


def as_json(bench, results):
    rows = [{"row": result.row, "seconds": round(result.seconds, 3), "failed": result.reason,
             "lines": [{"work": line.cells[0], "met": line.met, "figures": line.figures} for line in result.lines]}
            for result in results]
    return {"telecap": bench.telecap, "old": bench.old, "ended": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "machine": {"system": platform.platform(), "cores": os.cpu_count(), "load": os.getloadavg()[0]}, "rows": rows}


class WholeFile:
    """A file that is written under another name in its folder, and renamed once it is whole."""

    def __init__(self, path):
        self.path, self.part = path, f"{path}.{os.getpid()}.part"
        try:
            if os.path.isdir(path):
                raise IsADirectoryError(0, "it is a folder")
            self.file = open(self.part, "w")
        except OSError as error:
            end(CANNOT_CREATE, f"cannot create {path}: {error.strerror}")

    def write(self, text):
        with self.file:
            self.file.write(text)
        os.replace(self.part, self.path)

    def discard(self):
        self.file.close()
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.part)


def end(status, message):
    print(f"{os.path.basename(sys.argv[0])}: {message}", file=sys.stderr)
    sys.exit(status)


class Arguments(argparse.ArgumentParser):
    def error(self, message):
        end(USAGE, message)


def arguments(description, argv):
    parser = Arguments(prog="Benchmarks/run", description=description, formatter_class=argparse.RawDescriptionHelpFormatter,
                       allow_abbrev=False)
    parser.add_argument("telecap", nargs="?", metavar="TELECAP", help="the program that is measured")
    parser.add_argument("old", nargs="?", metavar="OLD", help="an older program that is measured beside it, in turns")
    parser.add_argument("--rows", nargs="+", metavar="NAME", help="measure only these rows")
    parser.add_argument("--json", metavar="FILE", help="write all figures to FILE")
    parser.add_argument("--list", action="store_true", help="print the names of the rows, then end")
    return parser.parse_args(argv)


def program(path):
    if path and not (os.path.isfile(path) and os.access(path, os.X_OK)):
        end(USAGE, f"{path} is no program")
    return path and os.path.abspath(path)


def chosen(rows, names):
    known = {row.name: row for row in rows}
    unknown = [name for name in names or [] if name not in known]
    if unknown:
        end(USAGE, f"no row {', '.join(unknown)}; the rows are: {' '.join(known)}")
    return [known[name] for name in dict.fromkeys(names)] if names else rows


@dataclasses.dataclass
class Plan:
    """A set of rows with the header of their table."""

    header: tuple
    rows: list


def measured(runner):
    """Runs all rows. Returns the signal that stopped them, or None."""
    try:
        runner.signals.install()
        runner.run()
    except Stopped as error:
        for result in runner.results[-1:]:
            result.reason = result.reason or f"stopped by {signal.Signals(error.number).name}"
        return error.number
    finally:
        runner.bench.children.end_all()
    return None


def main(description, plan, old_plan, preparations, argv, limits=Limits()):
    """`plan` is measured, or `old_plan` when an older program is given. Ends with 1 when a row failed."""
    given = arguments(description, argv)
    if given.list:
        print("\n".join(row.name for row in plan.rows))
        return 0
    if not given.telecap:
        end(USAGE, "TELECAP is missing: the program that is measured")
    telecap, old = program(given.telecap), program(given.old)
    plan = old_plan if old else plan
    rows = chosen(plan.rows, given.rows)
    file = WholeFile(given.json) if given.json else None
    try:
        with tempfile.TemporaryDirectory(prefix="telecap-bench-") as work:
            bench = Bench(telecap, old, work, Children(Signals()), limits)
            runner = Runner(rows, preparations, bench)
            stopped = measured(runner)
        print(table(plan.header, runner.results), flush=True)
        if stopped:
            return 128 + stopped
        if file:
            file.write(json.dumps(as_json(bench, runner.results), indent=2, ensure_ascii=False) + "\n")
    finally:
        if file:
            file.discard()
    failed = [result.row for result in runner.results if result.reason]
    if failed:
        print(f"{len(failed)} of {len(rows)} rows failed: {' '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0
