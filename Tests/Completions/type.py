#!/usr/bin/env python3
"""Types words into bash on a terminal of its own, presses tab, and waits for what it makes of them: type.py FOLDER WORDS EXPECTED.

FOLDER has the completion script, telecap.bash. It waits for as long as its caller lets it."""
import os
import pty
import sys

folder, words, expected = sys.argv[1:]
process, terminal = pty.fork()
if process == 0:
    os.environ["TERM"] = "dumb"
    os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])


def wait(text):
    seen = b""
    while text.encode() not in seen:
        seen += os.read(terminal, 4096)


os.write(terminal, f"source '{folder}/telecap.bash'; PS1=BEGIN''NING\n".encode())
wait("BEGINNING")
os.write(terminal, words.encode() + b"\t")
wait(expected)
