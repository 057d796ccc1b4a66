"""A program at a pseudoterminal, which a script reads and types at."""
import codecs
import os
import pty
import select
import signal
import time

from programs import LIMIT


class Pseudoterminal:
    def __init__(self, arguments, folder, environment):
        self.arguments = arguments
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            try:
                os.chdir(folder)
                os.execvpe(arguments[0], arguments, dict(environment, TERM="xterm"))
            finally:
                os._exit(127)
        self.shown, self.place = "", 0
        self.decoder = codecs.getincrementaldecoder("utf-8")()  # A read may end within a character.

    def wait(self, text, limit=LIMIT):
        """Waits until a text is shown after the one before, at most for a number of seconds, and returns what was shown."""
        deadline = time.monotonic() + limit
        while text not in self.shown[self.place:]:
            if time.monotonic() > deadline or not self.read():
                self.fail(f"{text!r} is not shown")
        end = self.shown.index(text, self.place) + len(text)
        part, self.place = self.shown[self.place:end], end
        return part

    def read(self):
        """Reads for a second at most, and returns whether the program still has the terminal."""
        ready, _, _ = select.select([self.terminal], [], [], 1)
        if not ready:
            return True
        try:
            self.shown += self.decoder.decode(os.read(self.terminal, 65536))
            return True
        except OSError:  # Linux reports the end of a program at a terminal in this way.
            return False

    def type(self, text):
        os.write(self.terminal, text.encode() + b"\n")

    def interrupt(self):
        os.write(self.terminal, b"\x03")

    def end(self, limit=LIMIT):
        """Waits for the end, at most for a number of seconds, and returns the exit status and what was shown after the last text."""
        deadline = time.monotonic() + limit
        while self.read():
            if time.monotonic() > deadline:
                self.fail(f"does not end within {limit} seconds")
        # A program can go on after it has closed the terminal.
        while os.waitid(os.P_PID, self.process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            if time.monotonic() > deadline:
                self.fail(f"does not end within {limit} seconds")
            time.sleep(0.05)
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1]), self.shown[self.place:]

    def fail(self, text):
        """Kills the program with what it has started, and ends the script."""
        os.killpg(self.process, signal.SIGKILL)  # The program leads a session.
        os.waitpid(self.process, 0)
        raise SystemExit(f"{' '.join(self.arguments)}: {text}; what was shown: {self.shown!r}")
