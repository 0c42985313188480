"""Records with the browser's microphone, over broken connections, and until the tab is killed.

    microphone.py PAGE SOUND SECONDS SCREENSHOTS

PAGE is the page's address with the token, SOUND a file of so many SECONDS that the browser's microphone plays again and again.
"""

import array
import io
import json
import sys
import time
import urllib.request
import wave

from breaking_proxy import BreakingProxy
from browser import Browser, eventually
from checks import Checks
from person import accessible, rows, session

page, sound, length, screenshots = sys.argv[1:]
length = float(length)
base, _, token = page.partition("?token=")

MICROPHONE = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
              f"--use-file-for-fake-audio-capture={sound}"]

# The server takes a while to stop; what is asked of the recording meanwhile is counted.
SLOW_STOP = """
const fetched = window.fetch;
let stops = false;
window.looks = [];
window.fetch = async (path, options) => {
  if (stops && String(path).includes('recording/audio/')) window.looks.push([options, path]);
  if (!String(path).endsWith('recording/stop')) return fetched(path, options);
  stops = true;
  await new Promise((resolve) => setTimeout(resolve, 5000));
  return fetched(path, options);
};
"""


# Keeps what the page opens of the microphone.
KEEP_TRACKS = """
const opened = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
window.tracks = [];
navigator.mediaDevices.getUserMedia = async (wanted) => {
  const stream = await opened(wanted);
  window.tracks.push(...stream.getTracks());
  return stream;
};
"""

# The server does not know the stream any more, and once it has no room for another session.
LOST_STREAM = """
const sent = window.fetch;
let lost = null;
let full = 3;
window.fetch = async (path, options) => {
  const refusal = (status, code) => new Response(JSON.stringify({error: {code, message: code}}), {status});
  const [, stream] = /recording\\/audio\\/([^?]+)/.exec(path) ?? [];
  if (stream) lost ??= stream;
  if (stream && stream === lost) return refusal(404, 'no_stream');
  if (path === 'api/recording' && options?.method === 'POST' && full > 0) {
    full -= 1;
    return refusal(507, 'disk_full');
  }
  return sent(path, options);
};
"""

# How the page adds files.
KEEP_UPLOADS = """
const asking = window.fetch;
window.uploads = [];
window.fetch = async (path, options) => {
  if (path === 'api/uploads' && options?.method === 'POST') window.uploads.push(options.body);
  return asking(path, options);
};
"""

# Keeps the browser's audio that the page opens.
KEEP_CONTEXTS = """
const Known = window.AudioContext;
window.contexts = [];
window.AudioContext = class extends Known {
  constructor(...given) {
    super(...given);
    window.contexts.push(this);
  }
};
"""

# A connection on which only small requests arrive in time.
SLOW_CONNECTION = """
const { PieceSender } = await import("./page/piece-sender.js");
const quick = window.fetch;
let received = 0;
window.fetch = async (path, options) => {
  if (!String(path).includes("recording/audio/")) return quick(path, options);
  if (options.body.size > 100_000) throw new DOMException("It takes too long.", "TimeoutError");
  received += options.body.size;
  return new Response(JSON.stringify({ received, state: "recording" }));
};
const sender = new PieceSender("none", 16000, { changed: () => {} });
for (let number = 0; number < 60; number += 1) sender.add(new Int16Array(6400).buffer);
while (!sender.isIdle) await new Promise((done) => setTimeout(done, 50));
sender.close();
window.fetch = quick;
return received;
"""


def asked(path, body=None):
    """Asks the server as another client does."""
    data = None if body is None else json.dumps(body).encode()
    urllib.request.urlopen(urllib.request.Request(base + path, data=data, method="POST", headers={
        "Authorization": f"Bearer {token}", "Content-Type": "application/json"}))


def fetched(path):
    request = urllib.request.Request(base + path, headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request) as answer:
        return answer.read()


def audio(identifier):
    """The samples of a session at 16 kHz."""
    with wave.open(io.BytesIO(fetched(f"api/sessions/{identifier}/audio"))) as file:
        assert (file.getframerate(), file.getnchannels()) == (16000, 1)
        return array.array("h", file.readframes(file.getnframes()))


def loud(samples, step=160):
    """Which hundredths of a second are loud."""
    return [max(map(abs, samples[at:at + step])) > 1500 for at in range(0, len(samples) - step, step)]


def bursts(samples):
    """The times at which sound begins after silence, in seconds: once in each round of SOUND, which begins with a click."""
    # A recording may begin within a round.
    found, quiet = [], 0
    for index, is_loud in enumerate(loud(samples)):
        if is_loud and quiet >= 60:
            found.append(index / 100)
        quiet = 0 if is_loud else quiet + 1
    return found


def pictures(browser, name):
    """Of a wide window in light colours and a phone's in dark ones."""
    for scheme, width in [("light", 1400), ("dark", 390)]:
        browser.size(width, 800)
        browser.colours(scheme)
        browser.frames()
        browser.picture(f"{name}-{scheme}-{width}")
    browser.size(1280, 800)
    browser.colours("light")


def record(browser):
    """Starts a recording, and returns its session."""
    before = session(browser)
    browser.click("#record")
    eventually(lambda: browser.shows("#record-dialog[open]"), "the dialog")
    browser.run("const s = document.getElementById('source'); s.value = 'browser'; s.dispatchEvent(new Event('change'));")
    eventually(lambda: browser.run(
        "return Number(document.querySelector('#levels [role=meter]')?.ariaValueNow ?? -60) > -45;"), "a level")
    browser.click("#start")
    eventually(lambda: browser.shows("#recording") and session(browser) not in (before, None), "it records")
    eventually(lambda: recorded(browser) < 2, "its time")
    return session(browser)


def recorded(browser):
    """The seconds that the page says are recorded."""
    minutes, seconds = browser.text("#recorded").split(":")
    return 60 * int(minutes) + int(seconds)


def state():
    return json.loads(fetched("api/recording"))["state"]


def whole(samples, seconds):
    """Checks that the sound was recorded for some time, without a hole and without a repetition."""
    assert len(samples) / 16000 >= seconds, (len(samples) / 16000, seconds)
    times = bursts(samples)
    rounds = [after - before for before, after in zip(times, times[1:])]
    assert rounds and all(abs(gap - length) < 0.1 for gap in rounds), (times, length)


with Browser(screenshots, arguments=MICROPHONE) as browser:
    check = Checks(browser.picture)
    proxy = BreakingProxy(page)
    with check("the dialog offers the browser's microphone first, and shows its level"):
        browser.open(proxy.address)
        eventually(lambda: browser.shows("#welcome"), "the welcome")
        browser.click("#record")
        eventually(lambda: browser.shows("#record-dialog[open]"), "the dialog")
        assert browser.texts("#source > option") == ["This browser's microphone"], browser.texts("#source > option")
        assert browser.text("#source-hint") == ""
        eventually(lambda: browser.run(
            "return Number(document.querySelector('#levels [role=meter]').ariaValueNow) > -45;"), "a level")
        names = browser.texts("#microphone option")
        assert len(names) > 1 and browser.shows("#microphones"), names
        chosen = browser.run("const s = document.getElementById('microphone'); s.value = s.options[2].value;"
                             " s.dispatchEvent(new Event('change')); return s.value;")
        eventually(lambda: browser.run(
            "return Number(document.querySelector('#levels [role=meter]').ariaValueNow) > -45;"), "its level")
        pictures(browser, "microphone-dialog")
        browser.run("document.querySelector('#record-dialog [value=cancel]').click();")
        browser.click("#record")
        eventually(lambda: browser.run("return document.getElementById('microphone').value;") == chosen, "it is kept")
        accessible(browser, "microphone")
        browser.run("document.querySelector('#record-dialog [value=cancel]').click();")
    with check("nothing is lost while connections break"):
        first = record(browser)
        start = time.monotonic()
        for number in range(3):
            eventually(lambda: recorded(browser) > 3 * (number + 1), "some seconds")
            proxy.cut()
        with proxy.away():
            eventually(lambda: "not sent" in browser.text("#lag"), "it says what is not sent")
            pictures(browser, "microphone-away")
            eventually(lambda: state() == "disconnected", "the server misses it")
        eventually(lambda: state() == "recording" and "not sent" not in browser.text("#lag"), "all is sent")
        seconds = time.monotonic() - start
        browser.click("#stop")
        eventually(lambda: browser.shows("#record"), "the end")
        whole(audio(first), seconds - 0.5)
        eventually(lambda: "young man" in " ".join(rows(browser)).lower(), "what was said")
    with check("a pause is silent, and what was said before it is there"):
        paused = record(browser)
        eventually(lambda: recorded(browser) >= 4, "some seconds")
        before = recorded(browser)
        with proxy.away():
            browser.click("#pause")
            eventually(lambda: browser.text("#recording-state") == "Paused", "the pause")
            assert state() in ("recording", "disconnected")
            start = time.monotonic()
            # The pause began before the server knows it.
            time.sleep(4)
        eventually(lambda: state() == "paused", "the server knows it")
        time.sleep(3)
        silent = time.monotonic() - start
        browser.click("#pause")
        eventually(lambda: state() == "recording", "it goes on")
        time.sleep(3)
        browser.run(SLOW_STOP)
        browser.click("#stop")
        eventually(lambda: browser.shows("#record"), "the end")
        looks = browser.run("return window.looks.map(JSON.stringify);")
        assert not looks, looks
        about = json.loads(fetched(f"api/sessions/{paused}"))
        samples = audio(paused)
        gap = about["coverage"]["gaps"]
        assert silent - 1 < gap < silent + 4, (silent, about["coverage"])
        assert len(samples) / 16000 - gap > before + 2.5, (len(samples) / 16000, gap, before)
    with check("the pause of another window stops the microphone, and its end starts it"):
        other = record(browser)
        eventually(lambda: recorded(browser) >= 2, "some seconds")
        asked("api/recording/pause")
        eventually(lambda: browser.text("#recording-state") == "Paused", "it pauses")
        asked("api/recording/resume")
        eventually(lambda: browser.text("#recording-state") == "Recording" and state() == "recording", "it goes on")
        asked("api/recording/stop")
        eventually(lambda: browser.shows("#record"), "the end")
        assert not browser.texts("#uploads li")
    with check("a paused page closes its microphone when another window stops the recording"):
        browser.run(KEEP_TRACKS)
        record(browser)
        eventually(lambda: recorded(browser) >= 2, "some seconds")
        browser.click("#pause")
        eventually(lambda: state() == "paused", "it pauses")
        asked("api/recording/stop")
        eventually(lambda: browser.shows("#record"), "the end")
        eventually(lambda: browser.run(
            "return window.tracks.length > 0 && window.tracks.every((track) => track.readyState === 'ended');"),
            "the microphone is closed")
        # The recording of another client, whose state is its own.
        asked("api/recording", {"sources": ["browser"], "sampleRate": 16000, "locale": "en-US"})
        eventually(lambda: browser.text("#recording-state") == "Disconnected", "the state of the other recording")
        asked("api/recording/stop")
        eventually(lambda: browser.shows("#record"), "the end of the other recording")
    with check("the time in which the system stops the browser's audio is a gap"):
        browser.run(KEEP_CONTEXTS)
        stopped = record(browser)
        eventually(lambda: recorded(browser) >= 2, "some seconds")
        browser.run_async("await window.contexts.at(-1).suspend();")
        time.sleep(3)
        browser.run_async("await window.contexts.at(-1).resume();")
        eventually(lambda: "The system stopped the microphone" in browser.text("#notices"), "the page says so")
        time.sleep(1)
        browser.click("#stop")
        eventually(lambda: browser.shows("#record"), "the end")
        gap = json.loads(fetched(f"api/sessions/{stopped}"))["coverage"]["gaps"]
        assert 2.5 < gap < 8, gap
        assert len(audio(stopped)) / 16000 > gap + 2.5, len(audio(stopped)) / 16000
    with check("what waits is sent in small parts while the connection is slow"):
        assert browser.run_async(SLOW_CONNECTION) == 60 * 12800
    with check("what another window's stop left with the page is added with the choice of its recording"):
        browser.run(KEEP_UPLOADS)
        record(browser)
        eventually(lambda: recorded(browser) >= 2, "some seconds")
        with proxy.away():
            eventually(lambda: "not sent" in browser.text("#lag"), "something is not sent")
            asked("api/recording/stop")
        eventually(lambda: browser.run("return window.uploads.length > 0;"), "it is added")
        added = json.loads(browser.run("return window.uploads[0];"))
        chosen = json.loads(browser.run("return localStorage.getItem('longhand.transcription');"))
        assert chosen and {name: added.get(name) for name in chosen} == chosen, (added, chosen)
        eventually(lambda: browser.shows("#record") and not browser.texts("#uploads li"), "it is in the library")
    with check("a recording that has ended goes on in another session, as soon as the server takes one"):
        ended = record(browser)
        eventually(lambda: recorded(browser) >= 2, "some seconds")
        browser.run(LOST_STREAM)
        start = time.monotonic()
        asked("api/recording/stop")
        eventually(lambda: session(browser) != ended and state() == "recording", "another session")
        another = session(browser)
        eventually(lambda: recorded(browser) >= length and "not sent" not in browser.text("#lag"), "all is sent")
        seconds = time.monotonic() - start
        browser.click("#stop")
        eventually(lambda: browser.shows("#record"), "the end")
        assert len(audio(another)) / 16000 >= seconds - 1.5, (len(audio(another)) / 16000, seconds)
        assert not browser.texts("#uploads li")
    with check("of a killed tab, less than a second is lost, and another one goes on"):
        killed = record(browser)
        start = time.monotonic()
        eventually(lambda: recorded(browser) >= 3.5 * length, "three rounds")
        seconds = time.monotonic() - start
        tab = browser.driver.current_window_handle
        browser.driver.switch_to.new_window("tab")
        fresh = browser.driver.current_window_handle
        browser.driver.switch_to.window(tab)
        try:
            browser.driver.set_page_load_timeout(5)
            browser.driver.get("chrome://crash")
        except Exception:
            pass
        browser.driver.switch_to.window(fresh)
        browser.open(page)
        eventually(lambda: browser.text("#recording-state") == "Disconnected", "it says so")
        pictures(browser, "microphone-disconnected")
        kept = len(audio(killed)) / 16000
        assert kept > seconds - 1, (kept, seconds)
        whole(audio(killed), kept)
        browser.click("#pause")
        eventually(lambda: state() == "recording" and recorded(browser) > kept + 8, "it goes on")
        browser.click("#stop")
        eventually(lambda: browser.shows("#record"), "the end")
        assert len(audio(killed)) / 16000 > kept + 8
    with check("a page of another computer says why it cannot use the microphone"):
        browser.before_page("Object.defineProperty(window, 'isSecureContext', {value: false});")
        browser.open(page)
        eventually(lambda: browser.shows("#record"), "the page")
        browser.click("#record")
        eventually(lambda: browser.shows("#notices .notice") or browser.shows("#record-dialog[open]"), "an answer")
        said = browser.text("#source-hint") + browser.text("#notices")
        assert "https://" in said, said
    check.end()
