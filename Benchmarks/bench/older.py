"""An older telecap beside the new one: what one turn of each row costs, of which less is better, and the ratio new/old with the
95 % interval of it (Student's t on the logarithms of the rounds' ratios)."""
import math
import os
import shutil
import statistics
import subprocess
import time

from .children import Failure
from .programs import capture_path
from .rows import late, poses, rate, recorded, replaying, sink
from .runner import Plan, Row

# Student's t for a 95 % interval, by degrees of freedom from 1 to 30.
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110,
           2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042)
SLOWER = 1.05
LEAST_ROUNDS = 3


# A cost is (what, figure, unit).


def both(bench, what, telecap, *arguments, allowed=(0,)):
    """Wall and CPU seconds of a command: other load on the machine changes the CPU seconds less."""
    seconds, usage = bench.run(telecap, *arguments, allowed=allowed)
    return [(what, seconds, "s"), (what + ", CPU", usage.ru_utime + usage.ru_stime, "s")]


def dissect(bench, telecap):
    return both(bench, "dissect 1,000,000 packets", telecap, "dissect", "--summary", capture_path(bench, "capture"))


def import_(bench, telecap):
    return both(bench, "import 1,000,000 packets", telecap, "import", capture_path(bench, "capture"), "-o",
                bench.file("a.telecap"), "--force")


def record(bench, telecap):
    sent, packets, seconds = recorded(bench, telecap, 2)
    return [("record 200,000 packets/s: CPU a recorded packet", seconds / packets * 1e9, "ns"),
            ("record 200,000 packets/s: sent for one recorded", sent / packets, "")]


def lateness(bench, telecap):
    traffic = poses(bench, 1000, 1.5)
    p50, p99, _, _ = late(bench, replaying(telecap, traffic), traffic)
    return [("replay 1000 Hz: lateness p50", p50, "µs"), ("replay 1000 Hz: lateness p99", p99, "µs")]


def speed(bench, telecap):
    with sink(bench):
        return [("replay --speed max, a packet", 1e9 / rate(bench, telecap), "ns")]


def virtual(bench, telecap):
    """Plan, run, judge: from a capture that each program made for itself."""
    own = f"{telecap}.telecap"
    if not os.path.exists(own):
        bench.run(telecap, "import", capture_path(bench, "capture"), "-o", own)
    worse = "--loss 5% --duplicate 1% --delay 20ms --jitter 10ms --reorder 5%,3 --seed 7".split()
    return both(bench, "virtual run of 498,000 packets", telecap, "replay", own, "--to", "model:host", *worse,
                "--format", "json", allowed=(0, 1))


def own_memory(bench, *command):
    """The most memory of its own that a command takes, in MiB, looked at each millisecond; all of it where there is no /proc.
    What is mapped of the program's file is left out: two copies of one program differ in that by a fifth, depending on how the
    page cache holds them."""
    if not os.path.exists("/proc/self/status"):
        return bench.run(*command)[1].ru_maxrss / 1024
    most = 0
    process = bench.start(*command, stdout=subprocess.DEVNULL)
    while process.poll() is None:
        with open(f"/proc/{process.pid}/status") as status:
            most = max([most] + [int(line.split()[1]) for line in status if line.startswith("RssAnon")])
        time.sleep(0.001)
    bench.children.end(process)
    bench.children.check(process)
    return most / 1024


def memory(bench, telecap):
    capture = capture_path(bench, "capture")
    imported = own_memory(bench, telecap, "import", capture, "-o", bench.file("a.telecap"), "--force")
    dissected = own_memory(bench, telecap, "dissect", "--summary", capture)
    return [("memory of its own, import", imported, "MiB"), ("memory of its own, dissect", dissected, "MiB")]


def start(bench, telecap):
    return [("telecap --help", bench.run(telecap, "--help")[0] * 1e3, "ms")]


def interval(pairs):
    """The geometric mean of new/old, and the borders of its 95 % interval."""
    logs = [math.log(a / b) for a, b in pairs]
    mean = statistics.fmean(logs)
    half = STUDENT[len(logs) - 2] * statistics.stdev(logs) / math.sqrt(len(logs))
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half)


def copied(program, to):
    """A fresh copy of a program: how the page cache holds the file makes one copy a tenth faster than another."""
    if os.path.exists(to):
        os.remove(to)
    return shutil.copy(program, to)


def in_turns(cost, rounds):
    """A row of both programs: a warm-up each, then rounds in which the one that goes first changes, each with fresh copies."""
    def measure(bench):
        programs = [(bench.telecap, bench.file("new"), []), (bench.old, bench.file("old"), [])]
        for turn in bench.turns(rounds + 1, LEAST_ROUNDS + 1):
            for program, copy, turns in programs[::1 if turn % 2 else -1]:
                turns.append(cost(bench, copied(program, copy)))
        add_lines(bench, *(turns[1:] for _, _, turns in programs))
    return measure


def add_lines(bench, new_turns, old_turns):
    for index, (what, _, unit) in enumerate(new_turns[0]):
        a, b = ([turn[index][1] for turn in turns] for turns in (new_turns, old_turns))
        if min(a + b) <= 0:
            raise Failure(f"{what}: a figure of 0 has no ratio")
        ratio, low, high = interval(list(zip(a, b)))
        new, old = statistics.median(a), statistics.median(b)
        verdict = "SLOWER" if low > SLOWER else "faster" if high < 1 else ""
        bench.add_line((what, f"{new:.3f} {unit}", f"{old:.3f} {unit}", f"{ratio:.3f} ×", f"{low:.3f} – {high:.3f}", verdict),
                       {"new": new, "old": old, "unit": unit, "ratio": ratio, "low": low, "high": high, "rounds": len(a)})


PLAN = Plan(("work", "new", "old", "new/old", "95 % of it", ""), [
    Row("dissect", in_turns(dissect, 9), ("capture",)),
    Row("import", in_turns(import_, 9), ("capture",)),
    Row("record", in_turns(record, 5), ("sink", "flood")),
    Row("lateness", in_turns(lateness, 7), ("sink", "traffic", "tcpdump")),
    Row("speed", in_turns(speed, 7), ("sink", "capture")),
    Row("virtual", in_turns(virtual, 15), ("capture",)),
    Row("memory", in_turns(memory, 7), ("capture",)),
    Row("start", in_turns(start, 30)),
])
