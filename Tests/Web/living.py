"""What goes on while a page follows it: programs at work, on ports of loopback that nobody else has."""
import os
import re
import signal
import socket
import subprocess
import threading

from browser import TELECAP


def free_port(kind=socket.SOCK_DGRAM):
    with socket.socket(socket.AF_INET, kind) as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Living:
    """A `telecap` command that runs until it is stopped; what it says is kept."""

    def __init__(self, *arguments, folder=None):
        self.process = subprocess.Popen(
            [TELECAP, *map(str, arguments)], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.said, self.news, self.ended = [], threading.Condition(), None
        self.printed = []
        self.readers = [threading.Thread(target=one, daemon=True) for one in (self.read, self.read_printed)]
        for reader in self.readers:
            reader.start()

    def read(self):
        for line in self.process.stderr:
            with self.news:
                self.said.append(line.rstrip("\n"))
                self.news.notify_all()
        with self.news:
            self.said.append(None)
            self.news.notify_all()

    def read_printed(self):
        # Whoever does not read would hold it up.
        self.printed.extend(self.process.stdout)

    def wait_for(self, pattern, seconds=20):
        """The first line that it says with this in it; its first group, where it has one."""
        def found():
            return next((found for line in self.said if line and (found := re.search(pattern, line))), None)
        with self.news:
            self.news.wait_for(lambda: found() or None in self.said, timeout=seconds)
            one = found()
        if not one:
            raise AssertionError(f"it did not say {pattern!r}: {self.said}")
        return one.group(one.re.groups and 1)

    def stop(self):
        """Ends it as Ctrl-C does; its status, and what it printed."""
        if self.ended:
            return self.ended
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        status = self.process.wait(timeout=30)
        for reader in self.readers:
            reader.join(timeout=10)
        self.process.stdout.close()
        self.process.stderr.close()
        self.ended = status, "".join(self.printed)
        return self.ended


VIEW = r"^view (http://127\.0\.0\.1:\d+/[0-9a-f]{32}/0/)$"


class Session:
    """A phone and a host that speak TELE, the phone to `towards` where something stands between them."""

    def __init__(self, towards=None, host=None):
        self.port = host or free_port()
        self.host = Living("simulate", "host", "--code", "ABC123", "--tele-udp", self.port)
        self.phone = Living(
            "simulate", "phone", "--code", "ABC123", *(["--to", f"127.0.0.1:{towards}"] if towards else ["--tele-udp", self.port]))

    def stop(self):
        for one in (self.phone, self.host):
            one.stop()
