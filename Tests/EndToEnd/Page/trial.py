"""Lets voices say the terms of a vocabulary.

    trial.py PAGE FLITE SCREENSHOTS

FLITE is where the program with the voices is to be; it is not there yet.
"""

import functools
import os
import shutil
import sys

from browser import Browser, Keys, eventually
from checks import Checks
from person import accessible

page, flite, screenshots = sys.argv[1:]
TERMS = ["Winawer", "breakfast", "Benoni", "Najdorf"]


def results(browser):
    """What is written under each row; None if there is nothing."""
    return browser.run("return [...document.querySelectorAll('#vocabulary-rows tr')].slice(0, -1)"
                       ".map((row) => row.querySelector('.trial')?.textContent ?? null);")


def is_running(browser):
    return browser.shows("#vocabulary-trial-stop")


def write(browser):
    browser.press("v")
    eventually(lambda: browser.shows("#vocabulary-dialog[open]"), "the dialog")
    browser.click("#vocabulary-rows tr:last-child [data-column=term]")
    for term in TERMS:
        browser.press(term, Keys.ENTER)


def missing(browser, check):
    with check("without flite, the page says what is missing and how to get it, and loses nothing"):
        browser.open(page)
        eventually(lambda: browser.shows("#welcome-add"), "the page")
        write(browser)
        browser.click("#vocabulary-try")
        eventually(lambda: "flite" in browser.text("#vocabulary-error"), "the reason")
        assert "sudo apt install flite" in browser.text("#vocabulary-error"), browser.text("#vocabulary-error")
        assert browser.json("api/vocabulary")["terms"] == TERMS
        assert not browser.shows("#vocabulary-trial")
        # The refused request is in the log.
        assert all("409" in line for line in browser.complaints())


def stopped(browser, check):
    with check("a trial shows its progress, and stops when it is asked to"):
        os.symlink(shutil.which("flite"), flite)
        browser.click("#vocabulary-try")
        eventually(lambda: is_running(browser), "it runs")
        assert browser.text("#vocabulary-error") == "", browser.text("#vocabulary-error")
        eventually(lambda: results(browser)[0], "what became of the first term")
        assert browser.shows("#vocabulary-progress")
        assert browser.run("return document.getElementById('vocabulary-progress').value;") >= 25
        accessible(browser, "trial-runs")
        browser.click("#vocabulary-trial-stop")
        eventually(lambda: not is_running(browser), "it has stopped")
        count = sum(one is not None for one in results(browser))
        assert browser.text("#vocabulary-trial-state") == f"Stopped after {count} of 4 terms.", browser.text("#vocabulary-trial-state")
        assert count < 4, results(browser)


def tried(browser, check):
    with check("each term has its result beside it, also after the dialog was closed meanwhile"):
        browser.click("#vocabulary-try")
        eventually(lambda: is_running(browser), "it runs")
        browser.press(Keys.ESCAPE)
        eventually(lambda: not browser.shows("#vocabulary-dialog[open]"), "it is closed")
        browser.press("v")
        eventually(lambda: browser.shows("#vocabulary-dialog[open]"), "the dialog")
        eventually(lambda: browser.shows("#vocabulary-trial") and not is_running(browser), "it is done")
        known = browser.json("api/vocabularies/library/trial")
        assert known["state"] == "done" and known["percent"] == 100, known
        assert [one["term"] for one in known["terms"]] == TERMS, known
        for one, shown in zip(known["terms"], results(browser)):
            assert shown.startswith(f"Found in {one['found']} of 4 voices"), (one, shown)
            assert all(text in shown for text in one["heard"]), (one, shown)
            assert ("it is not needed" in shown) == (one["foundWithout"] == 4), (one, shown)
        most = sum(one["found"] > 2 for one in known["terms"])
        assert browser.text("#vocabulary-trial-state") == f"Found in most voices: {most} of 4 terms."
        accessible(browser, "trial-done", smallest=320)
        browser.picture("trial-done")


with Browser(screenshots) as browser:
    check = Checks(functools.partial(browser.picture))
    missing(browser, check)
    stopped(browser, check)
    tried(browser, check)
    with check("the page has logged no error"):
        complaints = browser.complaints()
        assert not complaints, "\n".join(complaints)
    check.end()
