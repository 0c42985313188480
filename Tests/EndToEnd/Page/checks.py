"""Runs all checks one after the other, and prints at the end which failed."""

import contextlib
import sys
import time
import traceback


class Checks:
    def __init__(self, picture):
        self.picture = picture
        self.passed = 0
        self.failed = []
        self.start = time.monotonic()

    @contextlib.contextmanager
    def __call__(self, what):
        start = time.monotonic()
        try:
            yield
            self.passed += 1
            print(f"passed: {what} ({time.monotonic() - start:.1f} s)", flush=True)
        except Exception as error:
            self.failed.append(what)
            # The cause is in the first line: a log may show no more of it.
            print(f"FAILED: {what}: {error!r}\n{traceback.format_exc()}", flush=True)
            with contextlib.suppress(Exception):
                self.picture("failed-" + "".join(c if c.isalnum() else "-" for c in what)[:60])

    def end(self):
        """Ends the program with status 0 if all checks passed, else 1."""
        print(f"checks: {self.passed} passed, {len(self.failed)} failed, {time.monotonic() - self.start:.0f} s")
        sys.exit(1 if self.failed else 0)
