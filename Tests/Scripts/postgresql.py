"""A PostgreSQL server with a cluster of its own in a folder, for scripts."""
import glob
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile

import programs
from programs import fail


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Cluster:
    """A server on a free port, with the settings of a new cluster. With a password of its owner, every role needs its own; without one,
    no role does. The path of the folder must be short, because a socket is in it."""

    def __init__(self, folder, password=None, addresses="127.0.0.1"):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda path: int(path.split("/")[4]))
        initdb = found[-1] if found else shutil.which("initdb")
        if not initdb:
            fail("PostgreSQL is not installed: apt-get install postgresql")
        self.binaries = pathlib.Path(initdb).parent
        # The server refuses to run as root.
        self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--"] if os.geteuid() == 0 else []
        self.folder, self.port, self.addresses = pathlib.Path(folder), free_port(), addresses
        self.environment = os.environ | ({"PGPASSWORD": password} if password else {})
        self.folder.mkdir(exist_ok=True)
        self.data = self.folder / "data"
        access = ["-A", "trust"]
        if password:
            file = self.folder / "password"
            file.write_text(password + "\n")
            access = ["-A", "scram-sha-256", "--pwfile", file]
        if self.user:
            for path in [self.folder, *self.folder.iterdir()]:
                shutil.chown(path, "postgres", "postgres")
        self.run("initdb", "-D", self.data, *access, "-U", "owner", "--locale=C", "-E", "UTF8", "--no-sync")
        self.start()

    def run(self, program, *arguments, limit=120):
        """Runs a program of PostgreSQL, or one with a path, and returns what it prints."""
        # A file, because a server that the program starts keeps a pipe open.
        with tempfile.TemporaryFile("w+") as output:
            done = programs.run(
                self.user + [self.binaries / program, *map(str, arguments)], limit, cwd=self.folder, stdin=subprocess.DEVNULL,
                stdout=output, stderr=subprocess.STDOUT, env=self.environment)
            output.seek(0)
            text = output.read()
        if done.returncode != 0:
            fail(f"{program} ended with {done.returncode}: {text}")
        return text

    def start(self, *settings):
        """Starts the server with settings such as fsync=off."""
        settings = [f"port={self.port}", f"listen_addresses={self.addresses}", "max_connections=200", *settings]
        options = " ".join([f"-k {self.folder}", *(f"-c {setting}" for setting in settings)])
        self.run("pg_ctl", "-D", self.data, "-l", self.folder / "log", "-w", "-o", options, "start")

    def stop(self, mode="fast"):
        self.run("pg_ctl", "-D", self.data, "-m", mode, "-w", "stop")

    def restart(self, *settings):
        self.stop()
        self.start(*settings)

    def query(self, sql, database="postgres"):
        """The rows of a statement, each as a list of texts."""
        text = self.run("psql", "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", *self.place, "-d", database, "-c", sql)
        return [line.split("|") for line in text.splitlines()]

    @property
    def place(self):
        """The options of PostgreSQL's programs that name the server and the owner."""
        return ["-h", self.folder, "-p", self.port, "-U", "owner"]

    def make_database(self, name):
        """Makes a database and returns its URI."""
        self.query(f"CREATE DATABASE {name}")
        return f"postgres://owner@127.0.0.1:{self.port}/{name}?sslmode=disable"
