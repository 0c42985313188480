"""An OpenAI-compatible server on the loopback address that answers as a test demands.

Usage: server.py FOLDER [ADDRESS]. Writes its port to standard output, a byte for each connection to
FOLDER/connections, and each request as a line of FOLDER/requests.jsonl:
{"path", "headers", "body"}. The n-th request gets the n-th answer of FOLDER/answers.json, the last one ever after:
- status: 200. headers: further ones. body: sent as it is, with its length.
- events: server-sent events in chunks; objects are sent as JSON, texts as they are, and then [DONE] unless "end" is
  something else: "silent" (the chunks end), "die" (the connection ends), "hang" (nothing more is said).
- endless: so many bytes in events, without an end.
- split: the bytes of the events are sent so many at a time.
- gate: before the n-th event waits until FOLDER/go has so many bytes.
"""

import http.server
import json
import os
import socketserver
import sys
import threading
import time

FOLDER = sys.argv[1]
lock = threading.Lock()
count = 0


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.do_POST()

    def do_POST(self):
        global count
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        with lock:
            with open(os.path.join(FOLDER, "answers.json")) as file:
                answers = json.load(file)
            answer = answers[min(count, len(answers) - 1)]
            count += 1
            with open(os.path.join(FOLDER, "requests.jsonl"), "a") as log:
                log.write(json.dumps({"path": self.path, "headers": dict(self.headers), "body": body}) + "\n")
        hangs = answer.get("end") == "hang"
        try:
            self.answer(answer)
            if hangs:
                # Until the client goes away.
                self.connection.recv(1)
        finally:
            # A client can also go away before its answer, so that writing it fails.
            if hangs:
                with open(os.path.join(FOLDER, "gone"), "w"):
                    pass

    def answer(self, answer):
        events = answer.get("events")
        self.send_response(answer.get("status", 200))
        for name, value in answer.get("headers", {}).items():
            self.send_header(name, value)
        if events is None:
            data = answer.get("body", "").encode()
            if "Content-Type" not in answer.get("headers", {}):
                self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
            return
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        end = answer.get("end", "done")
        for index, event in enumerate(events):
            if "gate" in answer:
                self.wait(index)
            self.send(event, answer.get("split"))
        sent = 0
        while sent < answer.get("endless", 0):
            self.send(delta("x" * 65536), None)
            sent += 65536
        if end == "done":
            self.send("[DONE]", answer.get("split"))
        if end in ("die", "hang"):
            self.close_connection = True
            return
        self.wfile.write(b"0\r\n\r\n")
        self.wfile.flush()

    def wait(self, index):
        path = os.path.join(FOLDER, "go")
        while index > (os.path.getsize(path) if os.path.exists(path) else 0):
            time.sleep(0.002)

    def send(self, event, split):
        text = event if isinstance(event, str) else json.dumps(event, ensure_ascii=False)
        data = f"data: {text}\n\n".encode()
        size = split or len(data)
        for start in range(0, len(data), size):
            piece = data[start : start + size]
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            self.wfile.flush()


def delta(text):
    return {"choices": [{"index": 0, "delta": {"content": text}}]}


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    request_queue_size = 128

    def get_request(self):
        connection = super().get_request()
        with open(os.path.join(FOLDER, "connections"), "a") as log:
            log.write(".")
        return connection

    def handle_error(self, *_):
        pass


server = Server((sys.argv[2] if len(sys.argv) > 2 else "127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
server.serve_forever()
