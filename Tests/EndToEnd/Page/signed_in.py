"""A browser that was signed in stays signed in when the server is started again, and gives a program in its place nothing.

    signed_in.py LONGHAND LIBRARY SCREENSHOTS
"""

import contextlib
import http.server
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import urllib.request

from browser import Browser, eventually
from checks import Checks
from killed_server import free_port

longhand, library, screenshots = sys.argv[1:]
PORT = free_port()
HOME = f"http://127.0.0.1:{PORT}/"
CONFIGURATION = pathlib.Path(library).parent / "configuration"


class Server:
    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [longhand, "serve", "--port", str(PORT), "--library", library, *arguments],
            stdout=subprocess.PIPE, text=True, env=os.environ | {"XDG_CONFIG_HOME": str(CONFIGURATION)})
        self.page = self.process.stdout.readline().strip()

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


class Impostor(http.server.BaseHTTPRequestHandler):
    """Another program at the server's port: it keeps what the browser sends, and lets the browser sign what it likes."""
    received = []

    def do_GET(self):
        Impostor.received.append((self.path, self.headers.get("Cookie", "")))
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>impostor</title>")

    def log_message(self, *_):
        pass


class ImpostorServer(http.server.ThreadingHTTPServer):
    """Its threads would answer on connections that the browser has in reserve, also when the port is the next server's."""
    def __init__(self):
        super().__init__(("127.0.0.1", PORT), Impostor)
        self.connections = []

    def process_request(self, request, address):
        self.connections.append(request)
        super().process_request(request, address)

    def end(self):
        self.shutdown()
        self.server_close()
        for connection in self.connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


def is_in(browser):
    return browser.shows("#record")


MICROPHONE = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]

with Browser(screenshots, arguments=MICROPHONE) as browser:
    check = Checks(browser.picture)
    server = Server()
    with check("a browser that was signed in is asked for nothing after the server was started again"):
        assert (CONFIGURATION / "longhand" / "token").stat().st_mode & 0o777 == 0o600
        assert (CONFIGURATION / "longhand").stat().st_mode & 0o777 == 0o700
        browser.open(HOME)
        assert browser.shows("#token"), "a browser that was never signed in is asked for the token"
        browser.open(server.page)
        eventually(lambda: is_in(browser), "the page")
        eventually(lambda: browser.run_async(
            "return await new Promise((r) => { const o = indexedDB.open('longhand-sign-in', 1);"
            "o.onupgradeneeded = () => o.result.createObjectStore('keys');"
            "o.onsuccess = () => { const g = o.result.transaction('keys').objectStore('keys').count();"
            "g.onsuccess = () => { o.result.close(); r(g.result); }; }; });") == 1, "the key")
        bookmark = browser.run("return location.href;") + "#/none"
        first = server.page
        server.stop()
        server = Server()
        assert server.page == first, "the token stays"
        browser.open(HOME)
        eventually(lambda: is_in(browser), "the page at the plain address")
        assert browser.run("return location.href;").split("#")[0] != bookmark.split("#")[0]
        browser.open("about:blank")
        browser.open(bookmark)
        eventually(lambda: is_in(browser), "the page at yesterday's address")
        assert browser.run("return location.hash;") == "#/none"
    with check("the key cannot be read, also not by the page"):
        assert browser.run_async(
            "const key = await new Promise((r) => { const o = indexedDB.open('longhand-sign-in', 1);"
            "o.onsuccess = () => { const g = o.result.transaction('keys').objectStore('keys').get('key');"
            "g.onsuccess = () => { o.result.close(); r(g.result); }; }; });"
            "return await crypto.subtle.exportKey('raw', key).then(() => 'read', () => 'refused');") == "refused"
    with check("a program at the port of a stopped server gets nothing that the next one accepts"):
        path = browser.run("return location.pathname;")
        server.stop()
        impostor = ImpostorServer()
        threading.Thread(target=impostor.serve_forever, daemon=True).start()
        browser.open(HOME + path.lstrip("/"))
        # Its scripts run in the origin of the page. They can use the key, but know no challenge of the next server.
        proof = browser.run_async(
            "const key = await new Promise((r) => { const o = indexedDB.open('longhand-sign-in', 1);"
            "o.onsuccess = () => { const g = o.result.transaction('keys').objectStore('keys').get('key');"
            "g.onsuccess = () => { o.result.close(); r(g.result); }; }; });"
            "const b = new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode('mine')));"
            "return [...b].map((x) => x.toString(16).padStart(2, '0')).join('');")
        impostor.end()
        cookies = [cookie for _, cookie in Impostor.received if cookie]
        assert cookies, "the browser sends the cookie of the stopped server"
        server = Server()

        def status(target, method="GET", body=None, **headers):
            request = urllib.request.Request(HOME + target, method=method, data=body, headers=headers)
            try:
                with urllib.request.urlopen(request) as answer:
                    return answer.status
            except urllib.error.HTTPError as error:
                return error.code

        assert status("api/sessions", Cookie=cookies[0]) == 401
        assert status(path.lstrip("/") + "api/sessions", Cookie=cookies[0]) == 401
        for wrong in [proof, "", "00" * 32]:
            assert status("sign-in", "POST", f'{{"proof": "{wrong}"}}'.encode(), **{"Content-Type": "application/json"}) == 401
    with check("what a killed server did not get of a recording is added to the next one"):
        browser.open(HOME)
        eventually(lambda: is_in(browser), "the page")
        browser.click("#record")
        eventually(lambda: browser.shows("#record-dialog[open]"), "the dialog")
        browser.run("const s = document.getElementById('source'); s.value = 'browser'; s.dispatchEvent(new Event('change'));")
        browser.click("#start")
        eventually(lambda: browser.text("#recorded") >= "0:03", "some seconds")
        server.process.kill()
        server.process.wait()
        eventually(lambda: browser.text("#lag").startswith("4 s not"), "some seconds more")
        server = Server()
        eventually(lambda: any("Rest of a recording" in name for name in browser.texts("#sessions .session-name")), "the rest")
    with check("at localhost, which has two addresses, a browser is asked again"):
        browser.open(f"http://localhost:{PORT}/?{server.page.split('?')[1]}")
        eventually(lambda: is_in(browser), "the page")
        assert browser.json("api/browser-key") == {"key": None}
    with check("a new token signs every browser out"):
        server.stop()
        server = Server("--new-token")
        assert server.page != first
        browser.open(HOME)
        browser.frames()
        eventually(lambda: browser.shows("#token"), "the sign-in page")
        assert not is_in(browser)
        accepted = browser.violations()
        assert not accepted, accepted
    server.stop()
    check.end()
