"""What is measured: one function a row. Ours and its peer do the same work in turns, in one run."""
import contextlib
import json
import os
import signal
import socket
import statistics
import struct
import subprocess
import time
import urllib.request

from .children import Failure
from .programs import BUILD, CAPTURES, RTP, SCENARIOS, TILES, VIRTUAL_RUN, capture_path
from .runner import Plan, Row

PORT = 50000
# Where the number of a pose lies in a frame of `traffic`: after Ethernet, IPv4, UDP and the six bytes of a header.
POSE_NUMBER = 14 + 20 + 8 + 6


def timed(bench, *command):
    return bench.run(*command)[0]


def paired(bench, ours, other, most=5):
    """Median seconds of both, and the median of the ratios of neighbouring runs; one warm-up each."""
    timed(bench, *ours), timed(bench, *other)
    pairs = [(timed(bench, *ours), timed(bench, *other)) for _ in bench.turns(most)]
    return (statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs),
            statistics.median(a / b for a, b in pairs))


@contextlib.contextmanager
def sink(bench):
    """Holds a UDP port and reads nothing. Waits for the port: a program that is just ending may still have it."""
    for _ in range(20):
        process = bench.start(bench.file("sink"), str(PORT), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if process.stdout.readline() == b"ready\n":
            break
        bench.children.end(process)
        time.sleep(0.5)
    else:
        raise Failure(f"UDP port {PORT} is taken by another program")
    yield
    bench.children.end(process)


def dissect(bench):
    capture = capture_path(bench, "capture")
    a, b, ratio = paired(bench, [bench.telecap, "dissect", "--summary", capture],
                         ["tcpdump", "-r", capture, "-w", "/dev/null"], 9)
    bench.add(f"dissect {CAPTURES['capture']:,} packets", f"{a:.3f} s", f"tcpdump -r -w {b:.3f} s", f"{ratio:.2f} ×", "≤ 1.2 ×",
              ratio <= 1.2, ours_seconds=a, tcpdump_seconds=b, ratio=ratio)
    dissect_beside_tshark(bench)


def dissect_beside_tshark(bench):
    capture = capture_path(bench, "half capture")
    fields = ["-T", "fields", "-e", "frame.number", "-e", "udp.length", "-e", "udp.payload"]
    ours = [bench.telecap, "dissect", "--summary", capture]
    before = timed(bench, *ours)
    other = timed(bench, "tshark", "-r", capture, *fields)
    a = statistics.mean([before, timed(bench, *ours)])
    bench.add(f"dissect {CAPTURES['half capture']:,} packets", f"{a:.3f} s", f"tshark -T fields {other:.1f} s",
              f"{other / a:.0f} × faster", "≥ 120 × faster", other / a >= 120, ours_seconds=a, tshark_seconds=other,
              times_faster=other / a)


def dissect_declared(bench, name, protocol, capture, count):
    a, b, ratio = paired(bench, [bench.telecap, "dissect", "--summary", "--protocol", protocol, capture],
                         ["tcpdump", "-r", capture, "-w", "/dev/null"], 5)
    bench.add(f"dissect {count:,} {name}", f"{a:.3f} s", f"tcpdump -r -w {b:.3f} s", f"{ratio:.2f} ×", "≥ 1,000,000/s",
              count / a >= 1_000_000, ours_seconds=a, tcpdump_seconds=b, ratio=ratio, packets_per_second=count / a)


def bits(bench):
    """A protocol from a file, whose header has fields of bits."""
    dissect_declared(bench, "of RTP, fields of bits", "rtp", bench.file("rtp.pcap"), RTP)


def entries(bench):
    """A protocol from a file, whose messages have four entries with fields of bits."""
    dissect_declared(bench, "with four entries", bench.file("tiles.yaml"), bench.file("tiles.pcap"), TILES)


def import_(bench):
    capture = capture_path(bench, "capture")
    a, b, ratio = paired(bench, [bench.telecap, "import", capture, "-o", bench.file("a.telecap"), "--force"],
                         [bench.file("insert"), capture, bench.file("b.db")])
    bench.add(f"import {CAPTURES['capture']:,} packets", f"{a:.2f} s", f"C, one table {b:.2f} s", f"{ratio:.2f} ×", "≤ 2.5 ×",
              ratio <= 2.5, ours_seconds=a, c_seconds=b, ratio=ratio)


def recorded(bench, telecap, seconds):
    """Records a flood: the packets sent, those recorded, and the recorder's CPU seconds."""
    with sink(bench):
        recorder = bench.start(telecap, "record", "-o", bench.file("flood.telecap"), "--force", "--format", "json",
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        said = recorder.stderr.readline().decode().strip()
        if "recording" not in said:
            raise Failure(f"telecap record does not record: {said}")
        sent = int(bench.output(bench.file("flood"), str(PORT), "200000", str(seconds)))
        time.sleep(0.5)
        recorder.send_signal(signal.SIGINT)
        result = json.loads(recorder.stdout.readline())
        usage = bench.children.wait(recorder)
    return sent, result["packets"], usage.ru_utime + usage.ru_stime


def record(bench):
    sent, packets, _ = recorded(bench, bench.telecap, 10)
    lost = sent - packets
    bench.add("record 200,000 packets/s for 10 s", f"{packets:,} recorded", f"{sent:,} sent", f"{lost:,} lost", "none lost",
              lost <= 0, sent=sent, recorded=packets, lost=lost)


def pose_times(path):
    """The nanosecond of each pose in a pcap file, by the number of the pose."""
    with open(path, "rb") as file:
        data = file.read()
    unit = {0xa1b23c4d: 1, 0xa1b2c3d4: 1000}[struct.unpack_from("<I", data)[0]]
    at, times = 24, {}
    while at + 16 <= len(data):
        seconds, fraction, length, _ = struct.unpack_from("<IIII", data, at)
        at += 16
        if length >= POSE_NUMBER + 2 and at + length <= len(data):
            times.setdefault(struct.unpack_from("<H", data, at + POSE_NUMBER)[0], seconds * 10**9 + fraction * unit)
        at += length
    return times


@contextlib.contextmanager
def sniffed(bench, path):
    """Has tcpdump write what comes to our port on loopback."""
    sniffer = bench.start("tcpdump", "-i", "lo", "-w", path, "--time-stamp-precision=nano", "-U", f"udp dst port {PORT}",
                          stderr=subprocess.PIPE)
    said = ""
    while "listening" not in said:
        before, said = said, sniffer.stderr.readline().decode()
        if not said:
            raise Failure(f"tcpdump does not listen: {before.strip()}")
    yield
    time.sleep(1)
    bench.children.interrupt(sniffer)


def late(bench, command, traffic):
    """How late a command sends the packets of a file: the median and the 99th percentile in µs, the drift in ppm; how many are
    missing."""
    due, seen = pose_times(traffic), bench.file("seen.pcap")
    with sink(bench), sniffed(bench, seen):
        bench.run(*command)
    came = pose_times(seen)
    numbers = [number for number in due if number in came]
    if len(numbers) < 2:
        raise Failure(f"of {len(due)} packets of {os.path.basename(command[0])} tcpdump saw {len(numbers)}")
    first = due[numbers[0]]
    lateness = [came[number] - due[number] for number in numbers]
    slope = statistics.linear_regression([(due[number] - first) / 1e9 for number in numbers], lateness).slope / 1e3
    lateness = sorted(one - min(lateness) for one in lateness)
    return (lateness[len(lateness) // 2] / 1e3, lateness[len(lateness) * 99 // 100] / 1e3, slope, len(due) - len(numbers))


def replaying(telecap, traffic):
    return [telecap, "replay", traffic, "--to", f"127.0.0.1:{PORT}"]


def poses(bench, hz, seconds):
    """A capture of poses at one rate."""
    path = bench.file(f"{hz}.pcap")
    bench.run(bench.file("traffic"), str(round(hz * seconds)), path, str(hz))
    return path


def told(missing):
    return f", {missing} missing" if missing else ""


def lateness(bench, seconds=6):
    for hz in (60, 1000):
        traffic = poses(bench, hz, seconds)
        a50, a99, a, a_missing = late(bench, replaying(bench.telecap, traffic), traffic)
        b50, b99, b, b_missing = late(bench, ["tcpreplay", "-i", "lo", traffic], traffic)
        bench.add(f"replay {hz} Hz for {seconds} s: lateness p50/p99, drift",
                  f"{a50:.1f}/{a99:.1f} µs, {a:+.1f} ppm{told(a_missing)}",
                  f"tcpreplay {b50:.1f}/{b99:.1f} µs, {b:+.1f} ppm{told(b_missing)}", f"{a50 / b50:.3f} ×/{a99 / b99:.3f} ×",
                  "both below, |drift| < 10 ppm", a50 < b50 and a99 < b99 and abs(a) < 10,
                  ours_p50_us=a50, ours_p99_us=a99, ours_drift_ppm=a, ours_missing=a_missing, tcpreplay_p50_us=b50,
                  tcpreplay_p99_us=b99, tcpreplay_drift_ppm=b, tcpreplay_missing=b_missing, ratio_p50=a50 / b50,
                  ratio_p99=a99 / b99)


def rate(bench, telecap):
    """Packets a second of `replay --speed max`."""
    printed = bench.output(*replaying(telecap, capture_path(bench, "capture")), "--speed", "max", "--loop", "2", "--format", "json")
    return json.loads(printed.splitlines()[-1])["rate_sent"]


def speed(bench):
    capture, pairs = capture_path(bench, "capture"), []
    with sink(bench):
        for _ in bench.turns(5):
            ours = rate(bench, bench.telecap)
            pairs.append((ours, float(bench.output(bench.file("blast"), capture, str(PORT), "2"))))
    ours, limit = (statistics.median(values) for values in zip(*pairs))
    ratio = statistics.median(a / b for a, b in pairs)
    bench.add("replay --speed max", f"{ours:,.0f}/s", f"C, sendmmsg {limit:,.0f}/s", f"{ratio:.2f} ×", "≥ 0.9 ×", ratio >= 0.9,
              ours_packets_per_second=ours, c_packets_per_second=limit, ratio=ratio)


def virtual(bench):
    rates = [int(bench.output(VIRTUAL_RUN)) for _ in bench.turns(5)]
    rate = statistics.median(rates)
    bench.add("plan and run in virtual time", f"{rate:,.0f} packets/s", "–", "–", "≥ 3,000,000/s", rate >= 3_000_000,
              ours_packets_per_second=rate)


def explore(bench):
    """Every network on the first five messages of the phone's haptic streams: runs a second on one core."""
    printed = bench.output(bench.telecap, "conform", "--sut", "model:phone", "--only", "tele.haptic.*", "--explore", "5",
                           "--scenarios", SCENARIOS, "--format", "json")
    done = [json.loads(line) for line in printed.splitlines() if line]
    rate = sum(one["runs"] for one in done) / sum(one["seconds"] for one in done)
    bench.add("explore the phone's haptic streams", f"{rate:,.0f} runs/s", "–", "–", "≥ 1,000,000/s", rate >= 1_000_000,
              ours_runs_per_second=rate)


def oneway(bench, to, listen):
    """How long datagrams at 1 kHz take from one socket to another: the 99th percentile in µs, and how many were lost. They are
    sent once a first one came through."""
    printed = bench.output(bench.file("oneway"), str(to), str(listen), "1000", "2")
    _, p99, sent, came = map(int, printed.split())
    return p99 / 1e3, sent - came


def free_ports(count):
    sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def through(bench, to, listen, command):
    """The same through a relay, which is started for it."""
    program = bench.start(*command, stdout=subprocess.DEVNULL)
    try:
        return oneway(bench, to, listen)
    except Failure as error:
        ended = f" (it ended with {program.returncode})" if program.poll() is not None else ""
        raise Failure(f"through {os.path.basename(command[0])}{ended}: {error}") from None
    finally:
        bench.children.end(program)


def relay(bench):
    """What a relay adds to the time of a datagram at 1 kHz, beside socat, each against no relay in turns."""
    added, lost = {"ours": [], "socat": []}, {"ours": 0, "socat": 0, "direct": 0}
    for _ in bench.turns(4):
        to, listen = free_ports(2)
        commands = {"ours": [bench.telecap, "relay", f"udp:{to}=127.0.0.1:{listen}"],
                    "socat": ["socat", f"UDP4-LISTEN:{to},bind=127.0.0.1,fork", f"UDP4:127.0.0.1:{listen}"]}
        direct, missing = oneway(bench, listen, listen)
        lost["direct"] += missing
        for name, command in commands.items():
            p99, missing = through(bench, to, listen, command)
            added[name].append(p99 - direct)
            lost[name] += missing
    a, b = (statistics.median(added[name]) for name in ("ours", "socat"))
    # On a busy machine a datagram may wait longer without a relay than with one: no ratio then.
    ratio = a / b if a > 0 and b > 0 else None
    bench.add(f"relay 1 kHz for {2 * len(added['ours'])} s: p99 more than without", f"{a:.1f} µs, {lost['ours']} lost",
              f"socat {b:.1f} µs, {lost['socat']} lost", f"{ratio:.2f} ×" if ratio else "–", "< 100 µs", a < 100,
              ours_added_p99_us=a, socat_added_p99_us=b, ratio=ratio, ours_lost=lost["ours"], socat_lost=lost["socat"],
              direct_lost=lost["direct"], sent_each=2000 * len(added["ours"]))


def memory(bench):
    small, large = capture_path(bench, "capture"), capture_path(bench, "large capture")
    million = CAPTURES["large capture"] // 1_000_000
    for name, options in (("import", ["-o", bench.file("a.telecap"), "--force"]), ("dissect", ["--summary"])):
        small_mib, large_mib = (bench.run(bench.telecap, name, path, *options)[1].ru_maxrss / 1024 for path in (small, large))
        ratio = large_mib / small_mib
        bench.add(f"memory of {name}, {million} million packets", f"{large_mib:.1f} MiB", f"1 million: {small_mib:.1f} MiB",
                  f"{ratio:.2f} ×", "flat, < 64 MiB", large_mib < 64 and ratio < 1.25, large_mib=large_mib, small_mib=small_mib,
                  ratio=ratio)


def start(bench):
    a, b, _ = paired(bench, [bench.telecap, "--help"], ["true"], 21)
    bench.add("telecap --help", f"{a * 1e3:.1f} ms", f"true {b * 1e3:.1f} ms", f"+{(a - b) * 1e3:.1f} ms", "≤ 30 ms more",
              a - b <= 0.030, ours_ms=a * 1e3, true_ms=b * 1e3, more_ms=(a - b) * 1e3)


def view(bench):
    """The live page on a capture of a million packets: what a person waits for."""
    capture = bench.file("view.telecap")
    bench.run(bench.telecap, "import", capture_path(bench, "capture"), "-o", capture, "--force")
    server = bench.start(bench.telecap, "view", capture, "--no-open", stdout=subprocess.PIPE)
    url = server.stdout.readline().decode().strip()
    if not url:
        bench.children.wait(server)
        bench.children.check(server)
        raise Failure("telecap view printed no address")

    def asked(path):
        began = time.perf_counter()
        with urllib.request.urlopen(url + path, timeout=30) as answer:
            text = answer.read()
        return time.perf_counter() - began, text

    began = time.perf_counter()
    first, text = asked("")
    is_there = b"data-waiting>" not in text
    while b"data-waiting>" in text:
        time.sleep(0.05)
        text = asked("")[1]
    whole = time.perf_counter() - began
    bench.add("view 1,000,000 packets: first answer" + ("" if is_there else ", which says how far it is"), f"{first * 1e3:.0f} ms",
              "–", "–", "≤ 1 s", first <= 1, ours_ms=first * 1e3)
    bench.add("view 1,000,000 packets: whole overview, once", f"{whole:.2f} s", "–", "–", "≤ 1 s", whole <= 1, ours_seconds=whole)
    view_redraws(bench, asked)
    bench.children.interrupt(server)


def view_redraws(bench, asked):
    span = float(asked("timeline/figures")[1].split(b'data-until="')[1].split(b'"')[0])
    zooms = [asked(f"timeline/figures?from={span * n / 20}&until={span * (n + 1 / 4 ** (n % 6)) / 20}")[0] for n in range(19)]
    # Parts so wide that they are drawn from the columns of the whole.
    wide = [asked(f"timeline/figures?from={span * place * (1 - part)}&until={span * (place * (1 - part) + part)}")[0]
            for part in (0.5, 0.25, 0.1) for place in (0, 0.5, 1)]
    asked("what-if/figures")
    redraws = [asked(f"what-if/figures?loss={n}&jitter=20")[0] for n in range(1, 12)]
    for what, times in (("zoom", zooms), ("zoom to 1/2, 1/4, 1/10", wide), ("what if", redraws)):
        median, longest = statistics.median(times), max(times)
        bench.add(f"view: {what}", f"median {median * 1e3:.0f} ms", f"longest {longest * 1e3:.0f} ms", "–", "≤ 200 ms",
                  median <= 0.2, ours_median_ms=median * 1e3, ours_longest_ms=longest * 1e3)


PYTHON = """
import sqlite3, sys, time
import pandas, telecap
def ours():
    with telecap.open(sys.argv[1]) as capture:
        return capture.table("tele_pose")
def pandas_():
    connection = sqlite3.connect(sys.argv[1])
    frame = pandas.read_sql("SELECT * FROM tele_pose", connection)
    connection.close()
    return frame
def once(read):
    start = time.perf_counter()
    rows = len(read())
    return time.perf_counter() - start, rows
once(ours), once(pandas_)
"""
TURN = "(a, rows), (b, _) = once(ours), once(pandas_)\nprint(a, b, rows, flush=True)\n"


def python(bench):
    """Poses as an Arrow table, beside pandas.read_sql."""
    path = bench.file("python.telecap")
    bench.run(bench.telecap, "import", capture_path(bench, "capture"), "-o", path, "--force")
    printed = bench.output(os.path.join(BUILD, "python", "bin", "python"), "-c", PYTHON + TURN * 4, path)
    turns = [tuple(map(float, line.split())) for line in printed.splitlines()]
    a, b = (statistics.median(turn[i] for turn in turns) for i in (0, 1))
    ratio = statistics.median(turn[0] / turn[1] for turn in turns)
    bench.add(f"Python: {turns[0][2]:,.0f} poses as a table", f"{a:.2f} s", f"pandas.read_sql {b:.2f} s", f"{ratio:.2f} ×", "< 1 ×",
              ratio < 1, ours_seconds=a, pandas_seconds=b, ratio=ratio, poses=int(turns[0][2]))


PLAN = Plan(("work", "ours", "against", "ratio", "goal", ""), [
    Row("dissect", dissect, ("tcpdump", "tshark", "capture", "half capture")),
    Row("bits", bits, ("tcpdump", "rtp capture")),
    Row("entries", entries, ("tcpdump", "tiles capture")),
    Row("import", import_, ("insert", "capture")),
    Row("record", record, ("sink", "flood")),
    Row("lateness", lateness, ("sink", "traffic", "tcpdump", "tcpreplay")),
    Row("speed", speed, ("sink", "blast", "capture")),
    Row("virtual", virtual, ("virtual-run",)),
    Row("explore", explore),
    Row("relay", relay, ("oneway", "socat")),
    Row("memory", memory, ("capture", "large capture")),
    Row("start", start),
    Row("view", view, ("capture",)),
    Row("python", python, ("capture", "python environment")),
])
