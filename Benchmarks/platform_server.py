"""A platform that a script of this folder builds, starts and measures."""
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/Scripts"))
import programs  # noqa: E402


def build():
    """Builds the programs and returns their folder."""
    command = ["swift", "build", "-c", "release"]
    for product in ["trusted-identity", "load"]:
        subprocess.run(command + ["--product", product], cwd=ROOT, check=True, stdout=sys.stderr)
    path = subprocess.run(command + ["--show-bin-path"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return pathlib.Path(path.stdout.strip())


def output(program, *arguments):
    """Returns what a program prints."""
    return subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


class Server:
    """A server process, as long as the block runs."""

    def __init__(self, command):
        self.command = command

    def __enter__(self):
        begin = time.monotonic()
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        line = programs.line(self.process)
        if not line.startswith("listening on "):
            sys.exit(f"the server does not start: {line}")
        self.start = time.monotonic() - begin
        self.address = line.split()[-1]
        self.port = self.address.rsplit(":", 1)[1]
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.terminate()
        programs.wait(self.process)

    def processor_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def resident_kib(self):
        lines = pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return int(next(line.split()[1] for line in lines if line.startswith("VmRSS:")))


class Driver:
    """A `load` process that prints a line after each part and waits for a line before the next."""

    def __init__(self, program, *arguments):
        def raise_limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)

        self.process = subprocess.Popen([program, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, preexec_fn=raise_limit, env=os.environ)

    def wait_for(self, line):
        found = self.process.stdout.readline().strip()
        if found != line:
            sys.exit(f"the driver ends before '{line}': {found}")

    def go_on(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def result(self):
        line = self.process.stdout.readline()
        self.process.wait()
        if not line:
            sys.exit("the driver ends without a result")
        return json.loads(line)
