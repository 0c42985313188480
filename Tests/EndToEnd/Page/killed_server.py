"""A server that the tests of the page kill at random moments."""

import atexit
import contextlib
import random
import signal
import socket
import subprocess
import tempfile
import threading

from browser import DEADLINE


def free_port():
    """A port that stays free while no server listens at it: no client is given one below 32,768 (Linux's default)."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as free, contextlib.suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port


class Server:
    """`longhand serve`, which is killed at random moments and started again at the same address."""

    def __init__(self, longhand, library):
        self.longhand, self.library = longhand, library
        self.port = free_port()
        self.kills = 0
        # How often it may still be killed now: after that, there is time to get on.
        self.budget = 0
        self.isOver = threading.Event()
        self.lock = threading.Lock()
        self.random = random.Random(21)
        self.log = tempfile.TemporaryFile("w+")
        self.start()
        # Also after a failure.
        atexit.register(lambda: self.process.kill())

    def start(self):
        self.process = subprocess.Popen(
            # With a token, a page must be signed in again: a server accepts no cookie of another one.
            [self.longhand, "serve", "--port", str(self.port), "--no-token", "--library", self.library],
            stdout=subprocess.PIPE, stderr=self.log, text=True, start_new_session=True)
        self.page = self.process.stdout.readline().strip()
        assert self.page, f"the server did not start: {self.errors()}"

    def errors(self):
        self.log.seek(0)
        return self.log.read()[-2000:]

    def watch(self):
        def run():
            while not self.isOver.wait(self.random.uniform(0.1, 1.5)):
                if self.budget == 0:
                    continue
                self.budget -= 1
                self.kill()

        self.thread = threading.Thread(target=run, daemon=True)
        self.thread.start()

    def end(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.kills += 1

    def kill(self):
        with self.lock:
            self.end()
            self.start()

    def rest(self):
        self.isOver.set()
        self.thread.join()

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=DEADLINE)
