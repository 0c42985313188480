"""A proxy to the server whose connections a test can break."""

import contextlib
import socket
import threading
import urllib.parse


class BreakingProxy:
    """Forwards bytes, and replaces its own port in requests with the server's, so that `Host` and `Origin` are right.
    Both ports have five digits, so that no length changes."""

    def __init__(self, page):
        """`page` is the page's address, with the token."""
        self.port = urllib.parse.urlsplit(page).port
        self.page = page
        self.open = set()
        self.lock = threading.Lock()
        self.breaks = 0
        self.is_away = False
        self.listener = self.listening()
        self.own = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    @staticmethod
    def listening():
        while True:
            listener = socket.create_server(("127.0.0.1", 0))
            if listener.getsockname()[1] > 9999:
                return listener
            listener.close()

    @property
    def address(self):
        return self.page.replace(f":{self.port}/", f":{self.own}/")

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            if self.is_away:
                client.close()
                continue
            try:
                server = socket.create_connection(("127.0.0.1", self.port))
            except OSError:
                client.close()
                continue
            with self.lock:
                self.open |= {client, server}
            threading.Thread(target=self.copy, args=(client, server, True), daemon=True).start()
            threading.Thread(target=self.copy, args=(server, client, False), daemon=True).start()

    def copy(self, source, sink, is_request):
        old, new = f"127.0.0.1:{self.own}".encode(), f"127.0.0.1:{self.port}".encode()
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data.replace(old, new) if is_request else data)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            with self.lock:
                self.open.discard(end)

    def cut(self):
        """Breaks every open connection."""
        with self.lock:
            cut, self.open = self.open, set()
        for end in cut:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self.breaks += 1

    @contextlib.contextmanager
    def away(self):
        """Refuses all connections during the block."""
        self.is_away = True
        self.cut()
        try:
            yield
        finally:
            self.is_away = False
