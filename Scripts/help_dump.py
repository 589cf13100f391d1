"""What a telecap program reports about its commands: read here once, for Scripts/manpages and Scripts/reference."""
import json
import re
import subprocess

DASHES = {"long": "--", "short": "-", "longWithSingleDash": "-"}


def output(program, *words):
    """The standard output of the program with these words."""
    return subprocess.run([program, *words], check=True, capture_output=True, text=True, encoding="utf-8").stdout


def read(program):
    """The root command, as `--experimental-dump-help` has it."""
    return json.loads(output(program, "--experimental-dump-help"))["command"]


def version(program):
    return output(program, "--version").split()[-1]


def names(argument):
    """The names of an option, the short one first: `-o`, `--output`."""
    return sorted((DASHES[name["kind"]] + name["name"] for name in argument["names"]), key=len)


def meaning(argument):
    return argument.get("abstract") or argument.get("discussion") or ""


def operands(command):
    """The arguments without a name that help shows."""
    return [one for one in _shown(command.get("arguments", [])) if one["kind"] == "positional"]


def options(command):
    """The options and flags that help shows."""
    return [one for one in _shown(command.get("arguments", [])) if one["kind"] != "positional"]


def children(command):
    """The subcommands that help shows, without `help`."""
    return [one for one in _shown(command.get("subcommands", [])) if one["commandName"] != "help"]


def blocks(discussion):
    """The paragraphs of a discussion: pairs of whether it contains an example (indented lines), and its lines."""
    for block in re.split(r"\n\s*\n", discussion.strip("\n")):
        lines = block.split("\n")
        yield any(line.startswith("  ") for line in lines), lines


def _shown(parts):
    return [one for one in parts if one.get("shouldDisplay", True)]
