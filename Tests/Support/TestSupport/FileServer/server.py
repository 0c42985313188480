"""A file server on the loopback address that knows Range, and fails on demand.

Usage: server.py ROOT LOG. Writes its port to standard output. Before each answer it reads ROOT/faults.json:
{"/en-us/en-us.lm.bin": {"status": 404, "cut": [1000, 2000], "ignoreRange": true, "hold": 70000}}
- status: answer with this and nothing else.
- cut: the n-th answer with this file breaks off after so many bytes; those after the last are whole.
- ignoreRange: answer 200 with the whole file.
- hold: wait after so many bytes until ROOT/release exists.
- chunked: the response has no length.
- extra: so many bytes more than the file has.
- redirect: answer 302 with this address.
- pace: wait so many seconds after every 4096 bytes.
"""

import http.server
import json
import os
import re
import socketserver
import sys
import threading
import time

ROOT, LOG = sys.argv[1], sys.argv[2]
served = {}
lock = threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        wanted = self.headers.get("Range")
        with lock:
            with open(LOG, "a") as log:
                log.write(f"{self.path} {wanted or '-'}\n")
            number = served.get(self.path, 0)
            served[self.path] = number + 1
        try:
            with open(os.path.join(ROOT, "faults.json")) as file:
                fault = json.load(file).get(self.path, {})
        except FileNotFoundError:
            fault = {}
        if "redirect" in fault:
            return self.answer(302, 0, {"Location": fault["redirect"]})
        path = os.path.join(ROOT, self.path.lstrip("/"))
        if "status" in fault or not os.path.isfile(path):
            return self.answer(fault.get("status", 404), 0)
        with open(path, "rb") as file:
            data = file.read() + b"x" * fault.get("extra", 0)
        match = re.fullmatch(r"bytes=(\d+)-", wanted or "")
        headers, status = {}, 200
        if match and not fault.get("ignoreRange"):
            start = int(match.group(1))
            if start >= len(data):
                return self.answer(416, 0)
            headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
            data, status = data[start:], 206
        self.answer(status, None if fault.get("chunked") else len(data), headers)
        cuts = fault.get("cut", [])
        if number < len(cuts):
            data, self.close_connection = data[: cuts[number]], True
        if "pace" in fault:
            for start in range(0, len(data), 4096):
                self.wfile.write(data[start : start + 4096])
                time.sleep(fault["pace"])
            return
        hold = fault.get("hold", len(data))
        self.wfile.write(data[:hold])
        self.wfile.flush()
        while hold < len(data) and not os.path.exists(os.path.join(ROOT, "release")):
            time.sleep(0.01)
        self.wfile.write(data[hold:])

    def answer(self, status, length, headers={}):
        self.send_response(status)
        if length is None:
            self.send_header("Connection", "close")
            self.close_connection = True
        else:
            self.send_header("Content-Length", str(length))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
server.serve_forever()
