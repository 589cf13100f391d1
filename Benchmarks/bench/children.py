"""The processes that a run of the benchmark starts: each is ended by its process id on every way out."""
import contextlib
import os
import signal
import subprocess
import tempfile
import time

PATIENCE_SECONDS = 2


class Failure(Exception):
    """Why a row could not be measured, in words for its reader."""


class OverLimit(BaseException):
    """The time limit of a row has passed. Not an Exception, so that no row catches it by accident."""


class Stopped(BaseException):
    """The run was told to end: Ctrl-C, TERM or HUP."""

    def __init__(self, number):
        super().__init__(number)
        self.number = number


class Signals:
    """Raises an exception for each signal and for the timer, but not while a child is being started or ended."""

    def __init__(self):
        self.depth, self.pending, self.stopped = 0, None, False

    def install(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self.received)

    def received(self, number, _):
        if self.stopped:  # a second Ctrl-C must not interrupt the cleaning up after the first
            return
        self.stopped = number != signal.SIGALRM
        error = Stopped(number) if self.stopped else OverLimit()
        if not self.depth:
            raise error
        if not isinstance(self.pending, Stopped):
            self.pending = error

    @contextlib.contextmanager
    def held(self):
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1
            if not self.depth and self.pending:
                error, self.pending = self.pending, None
                raise error

    @contextlib.contextmanager
    def limit(self, seconds):
        """Raises OverLimit in the body once it has taken so many seconds."""
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)


class Guard:
    """A process that ends children when the benchmark is killed with -9, and can end nothing itself any more.

    It reads process groups from a pipe, and ends those that are left when the pipe closes."""
    SCRIPT = """
        groups=" "
        while read -r sign group; do
          case $sign in
          +) groups="$groups$group " ;;
          -) groups="${groups%% $group *} ${groups#* $group }" ;;
          esac
        done
        for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done"""

    def __init__(self):
        # A session of its own: Ctrl-C and the end of a terminal do not reach it.
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", self.SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True, text=True)

    def tell(self, sign, group):
        with contextlib.suppress(BrokenPipeError):
            print(sign, group, file=self.process.stdin, flush=True)

    def finish(self):
        self.process.stdin.close()
        self.process.wait()


class Children:
    def __init__(self, signals):
        self.signals, self.running, self.guard = signals, [], None

    def start(self, *command, **options):
        """Starts a program in a process group of its own: programs that fork (socat) are ended with their children."""
        errors = None if "stderr" in options else tempfile.TemporaryFile()
        with self.signals.held():
            try:
                process = subprocess.Popen(command, start_new_session=True, **{"stderr": errors, **options})
            except OSError as error:
                raise Failure(f"cannot start {command[0]}: {error.strerror}") from None
            process.errors = errors
            self.running.append(process)
            self.guard = self.guard or Guard()
            self.guard.tell("+", process.pid)
        return process

    def wait(self, process):
        """Waits until a child ends. Returns what the system counted: CPU seconds, peak memory."""
        _, status, usage = os.wait4(process.pid, 0)
        process.ended_at = time.perf_counter()
        process.returncode = os.waitstatus_to_exitcode(status)
        self.end(process)
        return usage

    def interrupt(self, process):
        """Ends a child as Ctrl-C does, and waits for it."""
        process.send_signal(signal.SIGINT)
        return self.wait(process)

    def end(self, process):
        """Ends a child, if it still runs, and the processes of its group."""
        with self.signals.held():
            self.signal_group(process, signal.SIGTERM)
            end = time.monotonic() + PATIENCE_SECONDS
            while process.poll() is None and time.monotonic() < end:
                time.sleep(0.005)
            self.signal_group(process, signal.SIGKILL)
            process.wait()
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe:
                    with contextlib.suppress(OSError):
                        pipe.close()
            if process in self.running:
                self.running.remove(process)
                self.guard.tell("-", process.pid)

    def end_all(self):
        with self.signals.held():
            for process in list(self.running):
                self.end(process)
            if self.guard:
                self.guard.finish()
                self.guard = None

    @staticmethod
    def signal_group(process, number):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)

    def run(self, *command, allowed=(0,), **options):
        """Runs a program to its end: wall seconds and what the system counted. Fails when its exit status is not allowed."""
        options.setdefault("stdout", subprocess.DEVNULL)
        began = time.perf_counter()
        process = self.start(*command, **options)
        usage = self.wait(process)
        self.check(process, allowed)
        return process.ended_at - began, usage

    def output(self, *command):
        """What a program prints on its standard output."""
        with tempfile.TemporaryFile("w+") as file:
            self.run(*command, stdout=file)
            file.seek(0)
            return file.read()

    @staticmethod
    def check(process, allowed=(0,)):
        if process.returncode in allowed:
            return
        name = os.path.basename(process.args[0])
        status = process.returncode
        how = f"ended with {status}" if status >= 0 else f"was ended by {signal.Signals(-status).name}"
        raise Failure(f"{name} {how}" + last_words(process.errors))


def last_words(file):
    """The end of what a program wrote to its standard error: the last line that is not indented, and those after it."""
    if not file:
        return ""
    file.seek(0)
    lines = file.read().decode(errors="replace").rstrip().splitlines()
    for number in reversed(range(len(lines))):
        if not lines[number][:1].isspace():
            return ": " + " ".join(line.strip() for line in lines[number:])[:300]
    return ""
