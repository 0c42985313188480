"""Measures the page with a session of tens of thousands of rows, and with QUERY the search in the library too. Prints the
figures, one a line.

    figures.py PAGE SESSION ROWS MORE SIGNAL SCREENSHOTS QUERY…

SESSION has ROWS rows. When the file SIGNAL exists, MORE are added one by one, and the time of each commit, in seconds since
1970, is written to SIGNAL.commits. Each QUERY is typed into the search.
"""

import pathlib
import sys

from browser import Browser, Keys, eventually

page, session, count, more, signal, screenshots, *queries = sys.argv[1:]
count, more = int(count), int(more)

# Records when the first row is visible.
FIRST_ROW = """
    new MutationObserver((changes, observer) => {
      if (!document.querySelector('#rows li .text')) return;
      observer.disconnect();
      requestAnimationFrame(() => { window.rowsShown = performance.now(); });
    }).observe(document, {childList: true, subtree: true});"""

WATCH = """
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const task of list.getEntries()) window.longTasks.push(task.duration);
    }).observe({type: 'longtask'});"""

# Records when the text of each new row is visible, by the clock that the writer uses.
ARRIVALS = """
    const [first] = arguments;
    window.arrivals = {};
    new MutationObserver(() => {
      // A row that goes on with a paragraph shows its text in the row where that begins.
      for (const part of document.querySelectorAll('#rows .part')) {
        const row = Number(part.dataset.row);
        if (row >= first) window.arrivals[row] ??= (performance.timeOrigin + performance.now()) / 1000;
      }
    }).observe(document.getElementById('rows'), {childList: true, subtree: true});"""

SCROLL = """
    const scroller = document.getElementById('scroller');
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    let longest = 0;
    let last = performance.now();
    const step = async () => {
      await frame();
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    };
    // Reading speed, a fling, and jumps over the whole length.
    for (const [distance, steps] of [[120, 250], [2400, 250], [scroller.scrollHeight / 100, 100]]) {
      scroller.scrollTop = 0;
      await step();
      last = performance.now();
      for (let index = 0; index < steps; index += 1) {
        scroller.scrollTop += distance;
        await step();
      }
    }
    return longest;"""


# Types the letters from one place on, 80 ms apart, and waits after the last one until its results have been painted.
TYPE = """
    const field = document.getElementById('query');
    const state = document.getElementById('search-state');
    const [query, first] = given;
    const type = (text) => {
      field.value = text;
      field.dispatchEvent(new InputEvent('input', {bubbles: true}));
    };
    for (let end = first; end < query.length; end += 1) {
      type(query.slice(0, end));
      await new Promise((resolve) => setTimeout(resolve, 80));
    }
    const start = performance.now();
    const answered = new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (!/result/i.test(state.textContent)) return;
        observer.disconnect();
        resolve();
      });
      observer.observe(state, {childList: true});
    });
    type(query);
    await answered;
    await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - start;"""


def memory(browser):
    """Bytes that belong to the page's process alone."""
    def children(pid):
        for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
            for child in task.read_text().split():
                yield child
                yield from children(child)

    sizes = []
    for pid in children(browser.driver.service.process.pid):
        process = pathlib.Path(f"/proc/{pid}")
        if b"--type=renderer" in (process / "cmdline").read_bytes():
            lines = (process / "smaps_rollup").read_text().splitlines()
            sizes.append(sum(int(line.split()[1]) for line in lines if line.startswith("Private_")))
    return 1024 * max(sizes)


def heap(browser):
    """Bytes in use after a garbage collection."""
    for _ in range(3):
        browser.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    return browser.driver.execute_cdp_cmd("Runtime.getHeapUsage", {})["usedSize"]


def processor_time(browser):
    """Seconds of processor time that the page's main thread has taken."""
    metrics = browser.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


def figure(name, value, unit):
    print(f"figure: {name}: {value:.0f} {unit}", flush=True)


def search(browser):
    """Measures the search in the library."""
    browser.open(page)
    eventually(lambda: browser.texts("#sessions a"), "the list")
    browser.open("about:blank")
    browser.open(page)
    eventually(lambda: browser.texts("#sessions a"), "the list")
    figure("first paint of the library", browser.run("return performance.getEntriesByName('first-contentful-paint')[0].startTime;"), "ms")
    # Each letter after the results of the one before; and words typed at the speed of a quick typist.
    letters = [browser.run_async(TYPE, query[:end + 1], end + 1) for query in queries for end in range(len(query))]
    words = [browser.run_async(TYPE, query, 1) for query in queries]
    for what, times in [("from a letter in the search to its results", letters), ("from a typed word to its results", words)]:
        times.sort()
        figure(f"{what}, median", times[len(times) // 2], "ms")
        figure(f"{what}, 95th percentile", times[len(times) * 95 // 100], "ms")
        figure(f"{what}, longest", times[-1], "ms")


with Browser(screenshots) as browser:
    browser.before_page(FIRST_ROW)
    if queries:
        search(browser)
    address = f"{page}#/session/{session}/0"
    for visit in ("first", "second"):
        browser.open("about:blank")
        browser.open(address)
        eventually(lambda: browser.text("#rows li .text"), "rows")
        paint = browser.run("return performance.getEntriesByName('first-contentful-paint')[0].startTime;")
        rows = eventually(lambda: browser.run("return window.rowsShown;"), "the time of the first row")
        figure(f"first paint, {visit} visit", paint, "ms")
        figure(f"rows shown, {visit} visit", rows, "ms")
    browser.run(WATCH)
    browser.driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    before = processor_time(browser)
    longest = browser.run_async(SCROLL)
    tasks = browser.run("return window.longTasks;")
    figure("processor time of the page while scrolling", 1000 * (processor_time(browser) - before), "ms")
    figure("longest frame while scrolling", longest, "ms")
    figure("tasks over 50 ms while scrolling", len(tasks), "tasks")
    figure("longest such task", max(tasks, default=0), "ms")
    browser.press(Keys.END)
    eventually(lambda: browser.run("return !!document.querySelector(`li[data-row='${arguments[0]}']`);", count - 1), "the end")
    before = heap(browser)
    browser.run("window.longTasks.length = 0;")
    browser.run(ARRIVALS, count)
    pathlib.Path(signal).touch()
    eventually(
        lambda: browser.run("return !!document.querySelector(`li[data-row='${arguments[0]}']`);", count + more - 1),
        "all that streams in", deadline=1200)
    figure("memory of the page", memory(browser), "bytes")
    tasks = browser.run("return window.longTasks;")
    figure("heap growth while they came", heap(browser) - before, "bytes")
    figure("longest task over 50 ms while they came", max(tasks, default=0), "ms")
    commits = [float(time) for time in pathlib.Path(f"{signal}.commits").read_text().split()]
    arrivals = browser.run("return window.arrivals;")
    delays = sorted(1000 * (arrivals[str(count + place)] - time) for place, time in enumerate(commits))
    figure("from commit to the page's text, median", delays[len(delays) // 2], "ms")
    figure("from commit to the page's text, 95th percentile", delays[len(delays) * 95 // 100], "ms")
    figure("from commit to the page's text, longest", delays[-1], "ms")
    # The session has no audio to draw.
    complaints = [text for text in browser.complaints() if "/waveform" not in text]
    assert not complaints, complaints
