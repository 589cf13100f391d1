"""What rows need before they can be measured: programs, captures, a Python environment. Each is prepared once, for the first row
that needs it."""
import os
import shutil
import struct
import sys

from .children import Failure

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SCENARIOS = os.path.join(os.path.dirname(HERE), "Scenarios")
BUILD = os.path.join(HERE, ".build")
VIRTUAL_RUN = os.path.join(BUILD, "release", "virtual-run")
# Programs in C, and the linker options of each.
LINKED = {"blast": [], "flood": [], "insert": ["-lsqlite3"], "oneway": ["-lpthread"], "sink": [], "traffic": ["-lm"]}
PEERS = ("tcpdump", "tshark", "tcpreplay", "socat")
# Captures that `traffic` writes: one phone, one host and one mouse.
CAPTURES = {"capture": 1_000_000, "half capture": 500_000, "large capture": 4_000_000}
# A capture of one RTP stream: its header has fields of 1 to 7 bits.
RTP = 1_000_000
# A capture of messages of four entries, each with fields of bits, and their protocol.
TILES = 1_000_000
TILES_PROTOCOL = """\
protocol: tiles
byte-order: big
carriers: [{name: udp, over: udp, port: 7100}]
header: [{name: kind, type: u8, is: type}]
parts:
  tile: [{name: x, type: u16, range: [0, 1000]}, {name: hue, type: bits 4}, {name: level, type: bits 12, range: [0, 4000]}]
messages:
  - {name: TILES, type: 1, from: client, fields: [{name: count, type: u8}, {name: tiles, repeat: tile, times: count}]}
"""


def compiled(name):
    def prepare(bench):
        source = os.path.join(HERE, "Sources", name, "main.c")
        bench.run("cc", "-O2", "-o", bench.file(name), source, *LINKED[name])
    return prepare


def peer(name):
    def prepare(bench):
        if not shutil.which(name):
            raise Failure("it is not installed (Scripts/setup bench)")
    return prepare


def capture_path(bench, name):
    return bench.file(f"{CAPTURES[name]}.pcap")


def capture(name):
    def prepare(bench):
        traffic = bench.file("traffic")
        if not os.path.exists(traffic):
            compiled("traffic")(bench)
        bench.run(traffic, str(CAPTURES[name]), capture_path(bench, name))
    return prepare


def udp_capture(bench, name, port, payloads):
    addresses = b"\x7f\0\0\1" * 2
    with open(bench.file(name), "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1))
        for number, payload in enumerate(payloads):
            udp = struct.pack(">HHHH", 40000, port, 8 + len(payload), 0) + payload
            ip = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0) + addresses
            frame = bytes(12) + b"\x08\0" + ip + udp
            file.write(struct.pack("<IIII", number // 1000, number % 1000 * 1000, len(frame), len(frame)) + frame)


def rtp_capture(bench):
    udp_capture(bench, "rtp.pcap", 5004, (
        struct.pack(">BBHII", 0x80, 0x60 | number % 2 << 7, number & 0xffff, number * 160, 1) + bytes(24)
        for number in range(RTP)))


def tiles_capture(bench):
    with open(bench.file("tiles.yaml"), "w", encoding="utf-8") as file:
        file.write(TILES_PROTOCOL)
    udp_capture(bench, "tiles.pcap", 7100, (
        struct.pack(">BB", 1, 4) + struct.pack(">HH", number % 1001, number % 16 << 12 | number % 4001) * 4
        for number in range(TILES)))


def virtual_run(bench):
    """Compiles the library of telecap as well: minutes the first time."""
    swift = os.environ.get("SWIFT", "swift")
    bench.run(swift, "build", "-c", "release", "--package-path", HERE, "--product", "virtual-run", stdout=sys.stderr, stderr=None)


def python_environment(bench):
    """telecap's Python package and pandas. They are kept for the next run; only our own package is installed each time."""
    venv, package = os.path.join(BUILD, "python"), bench.file("package")
    shutil.copytree(os.path.join(HERE, "..", "Integrations", "python"), package)
    versions = os.path.join(HERE, "..", "Scripts", "requirements", "python.txt")
    pip = [os.path.join(venv, "bin", "pip"), "install", "-q", "--disable-pip-version-check", "-c", versions]
    try:
        bench.run(os.path.join(venv, "bin", "python"), "-c", "import pandas, pyarrow")
    except Failure:
        bench.run(sys.executable, "-m", "venv", "--clear", venv)
        bench.run(*pip, package, "pandas")
    bench.run(*pip, "--no-deps", "--force-reinstall", package)


PREPARATIONS = ({name: compiled(name) for name in LINKED} | {name: peer(name) for name in PEERS}
                | {name: capture(name) for name in CAPTURES}
                | {"rtp capture": rtp_capture, "tiles capture": tiles_capture, "virtual-run": virtual_run,
                   "python environment": python_environment})
