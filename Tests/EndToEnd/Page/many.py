"""Looks at a session of tens of thousands of rows, to which rows are added while connections break.

    many.py PAGE SESSION ROWS MORE SIGNAL SCREENSHOTS

Row N of SESSION says "row N …". There are ROWS of them; when the file SIGNAL is there, somebody adds MORE.
"""

import pathlib
import random
import sys
import time

from breaking_proxy import BreakingProxy
from browser import Browser, eventually
from checks import Checks

page, session, count, more, signal, screenshots = sys.argv[1:]
count, more = int(count), int(more)

SHOWN = """return [...document.querySelectorAll('#rows > li')].map(
  (row) => [Number(row.dataset.row), row.querySelector('.text')?.textContent ?? null, row.offsetTop]);"""


# Notes what the events tell, before the page does.
LISTEN = """
    window.told = [];
    const Native = EventSource;
    window.EventSource = class extends Native {
      addEventListener(kind, listener) {
        super.addEventListener(kind, kind !== 'segment' ? listener : (event) => {
          window.told.push([Number(event.lastEventId), JSON.parse(event.data).id]);
          listener(event);
        });
      }
    };"""


def shown(browser):
    return browser.run(SHOWN)


def consistent(rows):
    """Whether these are rows that follow each other, each with its own text, each below the one before."""
    assert 0 < len(rows) < 150, f"{len(rows)} rows in the document"
    for (row, text, top), (after, _, below) in zip(rows, rows[1:]):
        assert after == row + 1 and below > top, (row, after, top, below)
        assert text is None or text.startswith(f"row {row} "), (row, text)
    return all(text for _, text, _ in rows)


def settled(browser):
    """The rows, once all of them have been read and a picture was made of them."""
    def whole():
        rows = shown(browser)
        return rows if rows and consistent(rows) else None

    eventually(whole, "all rows read")
    browser.frames()
    return eventually(whole, "all rows read")


def in_view(browser):
    """The rows that can be seen."""
    return browser.run(
        """const frame = document.getElementById('scroller').getBoundingClientRect();
        return [...document.querySelectorAll('#rows > li')].filter((row) => {
          const box = row.getBoundingClientRect();
          return box.bottom > frame.top + 1 && box.top < frame.bottom - 1;
        }).map((row) => Number(row.dataset.row));""")


with Browser(screenshots) as browser:
    check = Checks(browser.picture)
    browser.before_page(LISTEN)
    proxy = BreakingProxy(int(page.rstrip("/").rsplit(":", 1)[1]))
    with check("a long session opens at the row that the address names"):
        browser.open(f"{proxy.address}#/session/{session}/{count // 2}")
        eventually(lambda: count // 2 in in_view(browser), "the row")
        assert in_view(browser)[0] == count // 2
        settled(browser)
    with check("it shows the right rows wherever one goes"):
        places = [0, count - 1, 777, count // 3, *random.Random(7).sample(range(count), 6)]
        for place in places:
            browser.run("location.hash = arguments[0];", f"#/session/{session}/{place}")
            eventually(lambda: place in in_view(browser), f"row {place}")
            settled(browser)
            assert place in in_view(browser), (place, in_view(browser))
    with check("what is read does not move while rows above it are measured"):
        browser.run("location.hash = arguments[0];", f"#/session/{session}/{count // 2 + 50}")
        settled(browser)
        where = "return document.querySelector(`li[data-row='${arguments[0]}']`).getBoundingClientRect().top;"
        before = browser.run(where, count // 2 + 50)
        time.sleep(0.5)
        assert abs(browser.run(where, count // 2 + 50) - before) < 2
    with check("scrolling shows every row, one after the other"):
        browser.run("document.getElementById('scroller').scrollBy(0, -3000);")
        seen = []
        for _ in range(40):
            settled(browser)
            seen += [row for row in in_view(browser) if not seen or row > seen[-1]]
            browser.run("document.getElementById('scroller').scrollBy(0, 400);")
            browser.frames()
        assert seen == list(range(seen[0], seen[-1] + 1)) and len(seen) > 100, (seen[0], seen[-1], len(seen))
    with check("a click on the timeline goes to its time"):
        browser.click("#timeline")
        middle = browser.run("return document.getElementById('timeline').ariaValueNow;")
        eventually(lambda: any(
            abs(browser.json(f"/api/sessions/{session}/segments/{row}")["start"] - float(middle)) < 60
            for row in in_view(browser)[:1]), "a row of that time")
        settled(browser)
    with check("nothing is lost or comes twice while rows come and connections break"):
        browser.press("l")
        eventually(lambda: count - 1 in in_view(browser), "the end")
        browser.run("window.told.length = 0;")
        pathlib.Path(signal).touch()
        rows = lambda: browser.run(  # noqa: E731
            "return Math.max(...[...document.querySelectorAll('#rows > li')].map((r) => Number(r.dataset.row))) + 1;")
        while rows() < count + more and proxy.breaks < 12:
            time.sleep(0.7)
            proxy.cut()
            eventually(lambda: browser.shows("#connection"), "it says that it reconnects", deadline=60)
            eventually(lambda: not browser.shows("#connection"), "it is connected again", deadline=60)
        assert proxy.breaks >= 3, "hardly anything broke"
        eventually(lambda: rows() == count + more, "all rows")
        told = browser.run("return window.told;")
        assert [row for _, row in told] == list(range(count, count + more)), told
        assert all(number < after for (number, _), (after, _) in zip(told, told[1:])), told
        eventually(lambda: count + more - 1 in in_view(browser), "the last row in view")
        settled(browser)
        assert not browser.shows("#back-to-live")
    with check("every new row is there, once, for who scrolls back"):
        found = {}
        browser.run("location.hash = arguments[0];", f"#/session/{session}/{count - 5}")
        eventually(lambda: count - 5 in in_view(browser), "the old end")
        for _ in range(200):
            for row, text, _top in settled(browser):
                assert found.setdefault(row, text) == text
            if count + more - 1 in found:
                break
            browser.run("document.getElementById('scroller').scrollBy(0, 500);")
            browser.frames()
        assert all(row in found for row in range(count - 5, count + more))
        browser.picture("many-wide-light")
    check.end()
