"""The runner of the benchmark, with rows of its own and without telecap: `python3 -m unittest discover Benchmarks`."""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))

# Rows that fail in each way there is. A «forking» row leaves a child with a child of its own and writes down both process ids.
ROWS = """
import subprocess, sys, time
sys.path.insert(0, sys.argv[1])
from bench import children
from bench.children import Failure
from bench.runner import Limits, Plan, Row, main

children.PATIENCE_SECONDS = 0.2  # the child below ignores TERM

def well(bench):
    bench.add("work", "1 s", "other 2 s", "0.5 ×", "≤ 1 ×", True, ours_seconds=1, ratio=0.5)

def refused(bench):
    bench.add("first part", "1 s", "–", "–", "≤ 1 s", True, ours_seconds=1)
    bench.run("sh", "-c", "echo beginning >&2; echo port 7 is taken >&2; echo '  try 8' >&2; exit 69")

def wrong(bench):
    return {}["nothing"]

def forking(bench):
    child = bench.start("sh", "-c", "trap '' TERM; sleep 300 & echo $$ $!; wait; wait", stdout=subprocess.PIPE)
    with open(sys.argv[2], "wb") as pids:
        pids.write(child.stdout.readline())

def slow(bench):
    forking(bench)
    time.sleep(300)

def turning(bench):
    turns = sum(1 for _ in (time.sleep(0.1) for _ in bench.turns(1000)))
    bench.add("turns", str(turns), "–", "–", "fewer than 1000", turns < 1000, turns=turns)

def absent(bench):
    raise Failure("it is not installed")

header = ("work", "ours", "against", "ratio", "goal", "")
rows = [Row(one.__name__, one) for one in (well, refused, wrong, forking, slow, turning)] + [Row("needing", well, ("socat",))]
plan = Plan(header, rows)
older = Plan(header, rows[:1])
sys.exit(main("", plan, older, {"socat": absent}, sys.argv[3:], Limits(row=1, whole=LIMIT, preparation=2)))
"""


def ended(pid):
    """Whether a process has ended; one that nobody has waited for yet counts."""
    try:
        os.kill(int(pid), 0)
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] == "Z"
    except ProcessLookupError:
        return True
    except FileNotFoundError:  # it ended just now, or there is no /proc
        return os.path.exists("/proc/self")


class RunTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.pids, self.json = os.path.join(self.folder, "pids"), os.path.join(self.folder, "figures.json")

    def command(self, *arguments, whole=60):
        program = ROWS.replace("LIMIT", str(whole))
        return [sys.executable, "-B", "-c", program, HERE, self.pids, *arguments]

    def run_rows(self, *arguments, whole=60):
        return subprocess.run(self.command(*arguments, whole=whole), capture_output=True, text=True, timeout=30)

    def rows_of_json(self):
        with open(self.json) as file:
            return {row["row"]: row for row in json.load(file)["rows"]}

    def check_children_ended(self):
        with open(self.pids) as file:
            pids = file.read().split()
        self.assertEqual(len(pids), 2)
        for pid in pids:
            self.assertTrue(ended(pid), f"process {pid} still runs")

    def test_the_others_go_on_when_a_row_fails(self):
        run = self.run_rows("/bin/sh", "--rows", "refused", "wrong", "needing", "well", "--json", self.json)
        self.assertEqual(run.returncode, 1, run.stderr)
        table = run.stdout.splitlines()
        self.assertEqual([line.split()[0] for line in table], ["work", "first", "refused", "wrong", "needing", "work"])
        self.assertIn("FAILED: sh ended with 69: port 7 is taken try 8", table[2])
        self.assertRegex(table[3], r"FAILED: KeyError: 'nothing' \(<string>:\d+\)")
        self.assertIn("FAILED: no socat: it is not installed", table[4])
        self.assertTrue(table[5].endswith("met"))
        self.assertIn("3 of 4 rows failed: refused wrong needing", run.stderr)
        rows = self.rows_of_json()
        self.assertEqual(rows["well"]["failed"], None)
        self.assertEqual(rows["well"]["lines"], [{"work": "work", "met": True, "figures": {"ours_seconds": 1, "ratio": 0.5}}])
        self.assertEqual(rows["refused"]["failed"], "sh ended with 69: port 7 is taken try 8")
        self.assertEqual(len(rows["refused"]["lines"]), 1)
        self.assertEqual(os.listdir(self.folder), ["figures.json"])

    def test_a_row_over_its_limit_is_ended_with_its_children(self):
        run = self.run_rows("/bin/sh", "--rows", "slow", "well", "--json", self.json)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("ended at its limit of 1 s", run.stdout)
        self.assertEqual(self.rows_of_json()["slow"]["failed"], "ended at its limit of 1 s")
        self.assertIsNone(self.rows_of_json()["well"]["failed"])
        self.check_children_ended()

    def test_children_that_a_row_leaves_are_ended(self):
        run = self.run_rows("/bin/sh", "--rows", "forking")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.check_children_ended()

    def test_a_signal_ends_children_and_still_prints_the_table(self):
        # A shell without job control ignores SIGINT in what it runs in the background, and nohup SIGHUP.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                run = subprocess.Popen(self.command("/bin/sh", "--rows", "well", "slow", "--json", self.json),
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                       preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
                while not os.path.exists(self.pids) or not os.path.getsize(self.pids):
                    time.sleep(0.01)
                run.send_signal(number)
                printed = run.communicate(timeout=20)[0]
                self.assertEqual(run.returncode, 128 + number)
                self.assertRegex(printed, r"work +1 s +other 2 s")
                self.assertIn(f"FAILED: stopped by {signal.Signals(number).name}", printed)
                self.check_children_ended()
                self.assertEqual(os.listdir(self.folder), ["pids"])
                os.remove(self.pids)

    def test_children_do_not_outlive_a_run_that_is_killed(self):
        run = subprocess.Popen(self.command("/bin/sh", "--rows", "well", "slow"),
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not os.path.exists(self.pids) or not os.path.getsize(self.pids):
            time.sleep(0.01)
        run.kill()
        run.wait()
        end = time.monotonic() + 10
        with open(self.pids) as file:
            pids = file.read().split()
        while not all(ended(pid) for pid in pids) and time.monotonic() < end:
            time.sleep(0.01)
        self.check_children_ended()

    def test_a_row_takes_fewer_turns_when_they_take_long(self):
        run = self.run_rows("/bin/sh", "--rows", "turning")
        self.assertEqual(run.returncode, 0, run.stdout)

    def test_rows_after_the_limit_of_the_whole_are_not_started(self):
        run = self.run_rows("/bin/sh", "--rows", "slow", "well", whole=0.5)
        self.assertIn("ended at its limit of 0.5 s", run.stdout)
        self.assertIn("not started: the rows before it took 0.5 s, the limit of the whole run", run.stdout)

    def test_names_of_rows(self):
        names = "well refused wrong forking slow turning needing"
        self.assertEqual(self.run_rows("--list").stdout.split(), names.split())
        run = self.run_rows("/bin/sh", "--rows", "well", "swell", "smell")
        self.assertEqual((run.returncode, run.stdout), (64, ""))
        self.assertIn(f"no row swell, smell; the rows are: {names}", run.stderr)
        # An older program has rows of its own.
        self.assertIn("the rows are: well\n", self.run_rows("/bin/sh", "/bin/sh", "--rows", "slow").stderr)

    def test_wrong_options_are_errors(self):
        for arguments in ([], ["/bin/sh", "--row", "well"], ["/bin/sh", "--rows"], ["/nowhere/telecap"], ["/bin/sh", "/etc/passwd"]):
            with self.subTest(arguments):
                run = self.run_rows(*arguments)
                self.assertEqual((run.returncode, run.stdout), (64, ""))
                self.assertEqual(len(run.stderr.splitlines()), 1)
        run = self.run_rows("/bin/sh", "--rows", "well", "--json", "/nowhere/figures.json")
        self.assertEqual((run.returncode, run.stdout), (73, ""))


@unittest.skipUnless(shutil.which("cc"), "needs a C compiler")
class OnewayTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = os.path.join(folder.name, "oneway")
        source = os.path.join(HERE, "Sources", "oneway", "main.c")
        subprocess.run(["cc", "-Wall", "-Werror", "-O2", "-o", self.program, source, "-lpthread"], check=True)

    def test_waits_for_a_relay_and_counts_what_is_lost(self):
        """A relay that opens its port late, as on a busy machine, and loses one datagram of ten."""
        listener, relay = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
        self.addCleanup(relay.close)
        for one in (listener, relay):
            one.bind(("127.0.0.1", 0))
        to, listen = relay.getsockname()[1], listener.getsockname()[1]
        listener.close()
        relay.close()

        def pass_on():
            time.sleep(0.5)
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as late:
                late.bind(("127.0.0.1", to))
                late.settimeout(1)
                count = 0
                while True:
                    try:
                        payload = late.recv(64)
                    except TimeoutError:
                        return
                    count += payload != bytes(8)
                    if payload == bytes(8) or count % 10:
                        late.sendto(payload, ("127.0.0.1", listen))

        thread = threading.Thread(target=pass_on)
        thread.start()
        run = subprocess.run([self.program, str(to), str(listen), "500", "1"], capture_output=True, text=True, timeout=30)
        thread.join()
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(list(map(int, run.stdout.split()))[2:], [500, 450])


if __name__ == "__main__":
    unittest.main()
