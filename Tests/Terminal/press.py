#!/usr/bin/env python3
"""Runs a program in a terminal of its own, and presses keys there.

    press.py [--press WORDS KEYS]... [--signal WORDS NAME]... -- PROGRAM ARGUMENT...

In their order: waits until the program has said WORDS behind what was waited for before, then presses KEYS, or sends it the signal
NAME. At the end prints all that it said, and a line that says how it ended and whether the terminal is what it was.
"""
import fcntl
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time

WITHIN = 30.0


def main():
    end = sys.argv.index("--")
    words, command = sys.argv[1:end], sys.argv[end + 1 :]
    steps = [tuple(words[at : at + 3]) for at in range(0, len(words), 3)]
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)

    def begin():
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    # By its path what has no terminal of its own can write to this one.
    variables = {**os.environ, "TERMINAL": os.ttyname(theirs)}
    child = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, preexec_fn=begin, env=variables)
    said, read_to, deadline = b"", 0, time.monotonic() + WITHIN
    while child.poll() is None or select.select([ours], [], [], 0)[0]:
        if time.monotonic() > deadline:
            child.kill()
            sys.exit(f"waited in vain: {steps[:1]} in {said.decode()}")
        if select.select([ours], [], [], 0.02)[0]:
            said += os.read(ours, 65536)
        while steps:
            way, expected, what = steps[0]
            place = said.find(expected.encode(), read_to)
            if place < 0:
                break
            read_to = place + len(expected.encode())
            steps.pop(0)
            if way == "--press":
                os.write(ours, what.encode())
            else:
                child.send_signal(getattr(signal, what))
    print(said.decode().replace("\r\n", "\n"), end="")
    kept = "as it was" if termios.tcgetattr(theirs) == before else "changed"
    print(f"status {child.returncode}, the terminal is {kept}, {len(steps)} steps were not reached")


main()
