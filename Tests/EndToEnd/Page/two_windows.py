"""Two windows with the same session: what one changes, the other shows, and no change meets another segment than it names.

    two_windows.py PAGE SESSION SCREENSHOTS

SESSION is the ID of a complete session of at least 12 segments, each a paragraph.
"""

import functools
import sys

from browser import Browser, Keys, eventually
from checks import Checks
from person import accessible, command, focused

page, place, screenshots = sys.argv[1:]
NAMES = "zero one two three four five six seven eight nine ten eleven".split()
# A page whose events can be cut off without a sign of it.
CUTTABLE = """
const Source = window.EventSource;
window.sources = [];
window.EventSource = class extends Source {
  constructor(address) {
    super(address);
    window.sources.push(this);
  }
};
"""


def segments(browser):
    return browser.json(f"api/sessions/{place}/segments")["segments"]


def stored(browser):
    return [one["text"] for one in segments(browser) if one["text"]]


def send(browser, method, path, body):
    """A request of another program, with its status."""
    return browser.run_async(
        "const [method, path, body] = given; return (await fetch(path, {method, body: JSON.stringify(body),"
        "headers: {'Content-Type': 'application/json'}})).status;", method, f"api/sessions/{place}/{path}", body)


def shown(browser):
    """The texts of the paragraphs that are shown, without what is for screen readers alone."""
    return browser.run(
        """
        return [...document.querySelectorAll('#rows .part')].map((part) => {
          const text = part.cloneNode(true);
          for (const hidden of text.querySelectorAll('.visually-hidden')) hidden.remove();
          return text.textContent;
        });
        """)


def row(browser, text):
    """The row of the segment that begins with a text."""
    return next(index for index, one in enumerate(segments(browser)) if one["text"].startswith(text))


def field(browser):
    return browser.run("return document.querySelector('.text-field')?.value ?? null;")


def edit(browser, text):
    """Edits the paragraph that begins with a text, by a double click."""
    number = row(browser, text)
    browser.run(
        "const part = document.querySelector(`#rows .part[data-row='${arguments[0]}'] .word`);"
        "part.scrollIntoView({block: 'center'});"
        "part.dispatchEvent(new MouseEvent('dblclick', {bubbles: true, cancelable: true}));", number)
    eventually(lambda: field(browser) is not None, "the field")


def end(browser):
    browser.press(Keys.ESCAPE)
    eventually(lambda: field(browser) is None, "the end of the edit")


def divide(browser, text, words):
    """Divides the paragraph that begins with a text, behind so many words."""
    edit(browser, text)
    at = len(" ".join(field(browser).split(" ")[:words])) + 1
    browser.press(*[Keys.ARROW_RIGHT] * at, Keys.ENTER)
    end(browser)


def correct(browser, text, new):
    """Corrects the first word of the segment that is shown with a text, by mouse and keys."""
    browser.run(
        "const part = document.querySelectorAll('#rows .part')[arguments[0]];"
        "part.scrollIntoView({block: 'center'}); part.querySelector('.word').click();",
        next(index for index, one in enumerate(shown(browser)) if one.startswith(text)))
    eventually(lambda: focused(browser) == "word-field", "the field")
    browser.press(new, Keys.ENTER)


def cut(browser):
    """Cuts the events off: the page does not notice."""
    browser.run("for (const source of window.sources) source.close();")


def open_session(browser):
    browser.open("about:blank")
    browser.open(f"{page}#/session/{place}")
    eventually(lambda: len(shown(browser)) >= 8, "the text")


def expect(browser, texts):
    eventually(lambda: stored(browser) == texts, f"{texts}")


def words(one, other, check):
    with check("a window shows by itself what another one divides and corrects"):
        before = stored(one)
        divide(one, "Sentence zero", 2)
        texts = ["Sentence zero", "has some words", *before[1:]]
        expect(one, texts)
        eventually(lambda: shown(other)[:2] == texts[:2], "the division in the other window", 10)
        eventually(lambda: len(shown(other)) == len(shown(one)), "as many paragraphs")
        correct(one, "Sentence one", "Phrase")
        eventually(lambda: shown(other)[2].startswith("Phrase one"), "the correction", 10)
        one.press(Keys.ESCAPE)
    with check("a correction meets the segment that is shown, after a division before it"):
        before = stored(other)
        correct(other, "Sentence ten", "ZEBRA")
        expect(other, [text.replace("Sentence ten", "ZEBRA ten") for text in before])
        other.press(Keys.ESCAPE)
        eventually(lambda: any(text.startswith("ZEBRA ten") for text in shown(one)), "it in the first window", 10)
    with check("without events too"):
        before = stored(one)
        cut(other)
        divide(one, "Sentence two", 2)
        at = before.index("Sentence two has some words")
        texts = [*before[:at], "Sentence two", "has some words", *before[at + 1:]]
        expect(one, texts)
        assert "Sentence two has some words" in shown(other)
        correct(other, "Sentence nine", "GIRAFFE")
        expect(other, [text.replace("Sentence nine", "GIRAFFE nine") for text in texts])
        other.press(Keys.ESCAPE)
    with check("what was changed elsewhere is refused with a notice, and nothing is changed"):
        correct(one, "Sentence eight", "Phrase")
        eventually(lambda: any(text.startswith("Phrase eight") for text in stored(one)), "the correction")
        one.press(Keys.ESCAPE)
        before = stored(one)
        correct(other, "Sentence eight", "MINE")
        eventually(lambda: other.text("#notices"), "a notice")
        other.picture("two-windows-refused")
        assert stored(one) == before, stored(one)
        eventually(lambda: any(text.startswith("Phrase eight") for text in shown(other)), "the present text")
        other.press(Keys.ESCAPE)


def replace(one, other, check):
    def find(text):
        other.run("document.getElementById('scroller').focus();")
        other.press("f", shift=True)
        eventually(lambda: other.shows("#replace-dialog"), "the dialog")
        other.run("const field = document.getElementById('replace-find'); field.value = ''; field.focus();")
        other.press(text)
        eventually(lambda: other.text("#replace-state").startswith("1 of 1"), "the place")
        other.click("#replace-with")

    with check("a place that was found before a division is the one that is replaced"):
        open_session(other)
        before = stored(one)
        find("sentence seven")
        divide(one, "Sentence three", 2)
        at = before.index("Sentence three has some words")
        texts = [*before[:at], "Sentence three", "has some words", *before[at + 1:]]
        expect(one, texts)
        other.press("Chapter seven", Keys.ENTER)
        expect(other, [text.replace("Sentence seven", "Chapter seven") for text in texts])
        eventually(lambda: any(text.startswith("Chapter seven") for text in shown(one)), "it in the first window", 10)
    with check("a place that was changed since it was found is not replaced"):
        find("sentence six")
        correct(one, "Sentence six", "Phrase")
        eventually(lambda: any(text.startswith("Phrase six") for text in stored(one)), "the correction")
        one.press(Keys.ESCAPE)
        before = stored(one)
        other.press("Chapter six", Keys.ENTER)
        eventually(lambda: other.text("#replace-error"), "the error")
        assert stored(one) == before, stored(one)
        other.press(Keys.ESCAPE)


def typing(one, other, check):
    with check("what is being typed survives a division above it"):
        edit(other, "Sentence five")
        other.press("Typed ")
        before = stored(one)
        divide(one, "Sentence four", 2)
        eventually(lambda: "has some words" in shown(other) and len(shown(other)) > 3, "the division", 10)
        assert field(other) == "Typed Sentence five has some words", field(other)
        other.press("here ")
        end(other)
        at = before.index("Sentence four has some words")
        texts = [*before[:at], "Sentence four", "has some words", *before[at + 1:]]
        expect(other, [text.replace("Sentence five", "Typed here Sentence five") for text in texts])
    with check("what is being typed survives an edit of the same paragraph, and overwrites it on demand alone"):
        edit(other, "Typed here")
        other.press("Mine ")
        theirs = next(one for one in segments(one) if one["text"].startswith("Typed here"))
        named = {"key": theirs["key"], "revision": theirs["revision"]}
        assert send(one, "PUT", "text", {"segments": [named], "paragraphs": ["Theirs is this."]}) == 200
        eventually(lambda: "changed elsewhere" in other.text(".text-state"), "the notice", 10)
        assert "Theirs is this." in other.text(".text-elsewhere"), other.text(".text-state")
        assert field(other) == "Mine Typed here Sentence five has some words", field(other)
        accessible(other, "two-windows-conflict")
        other.picture("two-windows-conflict")
        other.press("still ")
        other.press(Keys.ESCAPE)
        assert field(other) == "Mine still Typed here Sentence five has some words", field(other)
        assert "Theirs is this." in stored(one), stored(one)
        other.find(".text-state button").click()
        eventually(lambda: "Mine still Typed here Sentence five has some words" in stored(one), "mine")
        assert "Theirs is this." not in stored(one), stored(one)
        end(other)
        eventually(lambda: "Mine still Typed here Sentence five has some words" in shown(one), "it in the first window", 10)
    with check("the other text can be taken instead"):
        edit(other, "Mine still")
        other.press("No ")
        theirs = next(one for one in segments(one) if one["text"].startswith("Mine still"))
        named = {"key": theirs["key"], "revision": theirs["revision"]}
        assert send(one, "PUT", "text", {"segments": [named], "paragraphs": ["Theirs again."]}) == 200
        eventually(lambda: "changed elsewhere" in other.text(".text-state"), "the notice", 10)
        other.driver.find_elements("css selector", ".text-state button")[1].click()
        assert field(other) == "Theirs again.", field(other)
        end(other)
        assert "Theirs again." in stored(one), stored(one)
    with check("a paragraph that is open without a change shows what others write"):
        edit(other, "Theirs again")
        theirs = next(one for one in segments(one) if one["text"].startswith("Theirs again"))
        named = {"key": theirs["key"], "revision": theirs["revision"]}
        assert send(one, "PUT", "text", {"segments": [named], "paragraphs": ["And theirs last."]}) == 200
        eventually(lambda: field(other) == "And theirs last.", "the other text", 10)
        end(other)
    with check("a step back takes back the last change, whoever made it, and one that is not known is refused"):
        before = stored(one)
        correct(one, "ZEBRA", "Sentence")
        eventually(lambda: any(text.startswith("Sentence ten") for text in shown(other)), "the correction", 10)
        one.press(Keys.ESCAPE)
        other.run("document.getElementById('scroller').focus();")
        command(other, "z")
        expect(other, before)
        eventually(lambda: any(text.startswith("ZEBRA ten") for text in shown(one)), "the step back", 10)
        cut(other)
        correct(one, "ZEBRA", "Sentence")
        eventually(lambda: any(text.startswith("Sentence ten") for text in stored(one)), "the correction")
        one.press(Keys.ESCAPE)
        changed = stored(one)
        other.run("document.getElementById('notices').replaceChildren();")
        command(other, "z", shift=True)
        eventually(lambda: other.text("#notices"), "a notice")
        assert stored(one) == changed, stored(one)


with Browser(screenshots) as one, Browser(screenshots) as other:
    check = Checks(functools.partial(other.picture))
    for browser in (one, other):
        browser.before_page(CUTTABLE)
    one.open(page)
    for name, segment in zip(NAMES, segments(one)):
        named = {"key": segment["key"], "revision": segment["revision"]}
        text = f"Sentence {name} has some words"
        assert send(one, "PUT", "text", {"segments": [named], "paragraphs": [text]}) == 200
    open_session(one)
    open_session(other)
    words(one, other, check)
    replace(one, other, check)
    one.picture("two-windows-one")
    other.picture("two-windows-other")
    typing(one, other, check)
    with check("the pages have logged no error"):
        complaints = [line for browser in (one, other) for line in browser.complaints() if "409 (Conflict)" not in line]
        assert not complaints, "\n".join(complaints)
    check.end()
