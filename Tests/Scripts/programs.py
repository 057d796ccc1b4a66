"""Programs that a script starts: each wait for one has a limit, and SIGINT ends them."""
import pathlib
import signal
import subprocess
import sys
import threading

LIMIT = 60  # seconds for anything that is waited for

# A shell starts its background jobs with SIGINT ignored, and programs inherit that. A signal that has a handler here has its
# default in the programs that are started from here.
signal.signal(signal.SIGINT, signal.default_int_handler)


def fail(text):
    raise SystemExit(f"{pathlib.Path(sys.argv[0]).name}: {text}")


def expire(process, limit, action):
    """Kills a program that has used up a limit, and ends the script. It does not end what the program has started."""
    process.kill()
    process.wait()
    command = process.args if isinstance(process.args, str) else " ".join(map(str, process.args))
    fail(f"{command}: {action} within {limit} seconds")


def wait(process, limit=LIMIT):
    """Waits for the end of a program, and returns its exit status."""
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        expire(process, limit, "does not end")


def output(process, limit=LIMIT):
    """Waits for the end of a program, and returns what it has printed, also to its pipe for errors."""
    try:
        return process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        expire(process, limit, "does not end")


def line(process, pipe=None, limit=LIMIT):
    """Waits for a line of a program, and returns it. It is empty when the program has ended. The pipe is that of its output, or
    another one."""
    found = []
    reader = threading.Thread(target=lambda: found.append((pipe or process.stdout).readline()), daemon=True)
    reader.start()
    reader.join(limit)
    if not found:
        expire(process, limit, "prints no line")
    return found[0]


def run(arguments, limit=LIMIT, **options):
    """Runs a program as subprocess.run does."""
    try:
        return subprocess.run(arguments, timeout=limit, **options)
    except subprocess.TimeoutExpired:
        fail(f"{' '.join(map(str, arguments))}: does not end within {limit} seconds")
