"""Reads a session with tens of thousands of rows, to which rows are added while connections break.

    many.py PAGE SESSION ROWS MORE SIGNAL SCREENSHOTS

Row N of SESSION says "row N …". There are ROWS of them, by two speakers; when the file SIGNAL exists, the test adds MORE, whose
speakers are not known yet.
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


# Records the events before the page receives them.
LISTEN = """
    window.received = [];
    const Native = EventSource;
    window.EventSource = class extends Native {
      addEventListener(kind, listener) {
        super.addEventListener(kind, kind !== 'segment' ? listener : (event) => {
          window.received.push([Number(event.lastEventId), JSON.parse(event.data).id]);
          listener(event);
        });
      }
    };"""


def shown(browser):
    return browser.run(SHOWN)


def consistent(rows):
    """Checks that the rows are consecutive, have their own text, and are below each other. Whether all are filled."""
    assert 0 < len(rows) < 150, f"{len(rows)} rows in the document"
    for (row, text, top), (after, _, below) in zip(rows, rows[1:]):
        assert after == row + 1 and below > top, (row, after, top, below)
        assert text is None or text.lower().replace(",", "").startswith(f"row {row} "), (row, text)
    return all(text for _, text, _ in rows)


def filled(browser):
    """The rows, once all of them are filled and painted."""
    def whole():
        rows = shown(browser)
        return rows if rows and consistent(rows) else None

    eventually(whole, "all rows read")
    browser.frames()
    return eventually(whole, "all rows read")


def in_view(browser):
    """The visible rows."""
    return browser.run(
        """const frame = document.getElementById('scroller').getBoundingClientRect();
        return [...document.querySelectorAll('#rows > li')].filter((row) => {
          const box = row.getBoundingClientRect();
          return box.bottom > frame.top + 1 && box.top < frame.bottom - 1;
        }).map((row) => Number(row.dataset.row));""")


with Browser(screenshots) as browser:
    check = Checks(browser.picture)
    browser.before_page(LISTEN)
    proxy = BreakingProxy(page)
    with check("a long session opens at the row in the address"):
        browser.open(f"{proxy.address}#/session/{session}/{count // 2}")
        eventually(lambda: in_view(browser)[:1] == [count // 2], "the row at the top")
        filled(browser)
        assert in_view(browser)[0] == count // 2
    with check("it shows the right rows at every position"):
        places = [0, count - 1, 777, count // 3, *random.Random(7).sample(range(count), 6)]
        for place in places:
            browser.run("location.hash = arguments[0];", f"#/session/{session}/{place}")
            eventually(lambda: place in in_view(browser), f"row {place}")
            filled(browser)
            assert place in in_view(browser), (place, in_view(browser))
    with check("visible rows do not move while rows above them are measured"):
        browser.run("location.hash = arguments[0];", f"#/session/{session}/{count // 2 + 50}")
        filled(browser)
        where = "return document.querySelector(`li[data-row='${arguments[0]}']`).getBoundingClientRect().top;"
        before = browser.run(where, count // 2 + 50)
        time.sleep(0.5)
        assert abs(browser.run(where, count // 2 + 50) - before) < 2
    with check("scrolling shows every row, one after the other"):
        browser.run("document.getElementById('scroller').scrollBy(0, -3000);")
        seen = []
        for _ in range(40):
            filled(browser)
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
        filled(browser)
    with check("no row is lost or added twice while connections break"):
        browser.press("l")
        eventually(lambda: count - 1 in in_view(browser), "the end")
        browser.run("window.received.length = 0;")
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
        received = browser.run("return window.received;")
        assert [row for _, row in received] == list(range(count, count + more)), received
        assert all(number < after for (number, _), (after, _) in zip(received, received[1:])), received
        eventually(lambda: count + more - 1 in in_view(browser), "the last row in view")
        filled(browser)
        assert not browser.shows("#back-to-live")
    with check("scrolling back shows every new row once"):
        found = {}
        browser.run("location.hash = arguments[0];", f"#/session/{session}/{count - 5}")
        eventually(lambda: count - 5 in in_view(browser), "the old end")
        for _ in range(200):
            for row, text, _top in filled(browser):
                assert found.setdefault(row, text) == text
            if count + more - 1 in found:
                break
            browser.run("document.getElementById('scroller').scrollBy(0, 500);")
            browser.frames()
        assert all(row in found for row in range(count - 5, count + more))
    with check("a speaker who is not heard yet is not called unknown"):
        says = "return document.querySelector(`li[data-row='${arguments[0]}'] .said-by`)?.textContent;"
        browser.run("location.hash = arguments[0];", f"#/session/{session}/{count - 2}")
        eventually(lambda: count - 1 in in_view(browser) and count in in_view(browser), "the old end")
        filled(browser)
        assert (browser.run(says, count - 1), browser.run(says, count)) == (f"S{(count - 1) // 3 % 2 + 1}", None)
        browser.picture("many-wide-light")
    check.end()
