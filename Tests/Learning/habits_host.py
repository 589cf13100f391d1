"""The host of json_host.py with the habits of other programs: how and where it prints what it does.

Usage: habits_host.py --port PORT --code CODE --habit NAME
"""
import atexit
import csv
import datetime
import json
import os
import signal
import sys
import time

from json_host import Host, options

BUTTONS = ["", "recording", "keep"]


class Habit(Host):
    """What is done is an event of flat fields; a habit says how it is written."""

    def __init__(self, chosen):
        self.start = time.monotonic()
        self.begin()
        super().__init__(chosen)

    def begin(self):
        pass

    def ready(self):
        pass

    def log(self, event):
        self.show(event)

    def show(self, event):
        print(self.written(event), flush=True)

    def moved(self, seq, place, turn):
        self.log({"event": "pose", "seq": seq, "at": dict(zip("xyz", place)), "moving": True})

    def pressed(self, button, down):
        self.log({"event": "button", "name": BUTTONS[button], "down": bool(down)})

    def opened(self):
        self.start = time.monotonic()
        self.log({"event": "opened", "port": self.client[1], "note": None})

    def closed(self, why):
        self.log({"event": "closed", "why": why})


class Pretty(Habit):
    def written(self, event):
        return json.dumps(event, indent=2)


class Python(Habit):
    def written(self, event):
        return str(event)


def flat(event):
    pairs = {}
    for name, value in event.items():
        pairs.update(value if isinstance(value, dict) else {name: value})
    return pairs


def quoted(value):
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return json.dumps(text) if " " in text or not text else text


class Logfmt(Habit):
    def written(self, event):
        now = datetime.datetime.now().isoformat(timespec="milliseconds")
        words = {"goodbye": "client said goodbye", "silence": "client fell silent"}
        pairs = {name: words.get(value, value) for name, value in flat(event).items()}
        return "time=%s level=info " % now + " ".join("%s=%s" % (name, quoted(pairs[name])) for name in pairs)


class CSV(Habit):
    columns = ["time", "event", "seq", "x", "y", "z", "name", "down", "port", "why"]

    def begin(self):
        self.writer = csv.writer(sys.stdout)
        self.writer.writerow(self.columns)
        sys.stdout.flush()

    def show(self, event):
        pairs = dict(flat(event), time="%.3f" % time.time())
        self.writer.writerow([pairs.get(name, "") for name in self.columns])
        sys.stdout.flush()


class YAML(Habit):
    def written(self, event):
        rows = ["header:", "  stamp: %.6f" % time.time(), "  frame_id: \"base\""]
        for name, value in event.items():
            if isinstance(value, dict):
                rows += [name + ":"] + ["  %s: %r" % pair for pair in value.items()]
            else:
                rows.append("%s: %s" % (name, {True: "True", False: "False", None: "''"}.get(value, value)))
        return "\n".join(rows) + "\n---"


class Syslog(Habit):
    def written(self, event):
        now = datetime.datetime.now().strftime("%b %d %H:%M:%S")
        return "%s robot hostd[%d]: %s" % (now, os.getpid(), json.dumps(event))


class Errors(Habit):
    def show(self, event):
        print(json.dumps(event), file=sys.stderr, flush=True)


class Buffered(Habit):
    """Its output is held back until it ends."""

    def begin(self):
        self.held = []
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        atexit.register(lambda: print("\n".join(self.held)))

    def show(self, event):
        self.held.append(json.dumps(event))


class Files(Habit):
    """A file of another name at each start."""

    def begin(self):
        now = datetime.datetime.now().strftime("%Y%m%d-%H%M%S-%f")
        self.file = open("log-%s.txt" % now, "w")

    def show(self, event):
        print(json.dumps(event), file=self.file, flush=True)


class Clock(Habit):
    """Its time begins again with each session."""

    def written(self, event):
        since = round(time.monotonic() - self.start, 2)
        return json.dumps(dict(t=since, **event))


class ClockText(Habit):
    def written(self, event):
        rest = " ".join("%s=%s" % pair for pair in flat(event).items() if pair[0] not in ("event", "note"))
        return "[%8.2f] %s %s" % (time.monotonic() - self.start, event["event"], rest)


HABITS = {
    "pretty": Pretty, "python": Python, "logfmt": Logfmt, "csv": CSV, "yaml": YAML, "syslog": Syslog,
    "stderr": Errors, "buffered": Buffered, "files": Files, "clock": Clock, "clock-text": ClockText,
}

if __name__ == "__main__":
    parser = options()
    parser.add_argument("--habit", choices=HABITS, required=True)
    chosen = parser.parse_args()
    HABITS[chosen.habit](chosen).run()
