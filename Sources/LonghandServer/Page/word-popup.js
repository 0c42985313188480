import { request, sessionPath } from "./api.js";
import { byId, element, playIcon } from "./element.js";
import { percent } from "./format.js";
import { letterOf } from "./keys.js";
import { joinedText, lowConfidence, withoutMarks } from "./segment-row.js";
import { addToVocabulary } from "./vocabulary.js";
import { wordAlternatives } from "./word-alternatives.js";

const margin = 8;

/** Marks the words that are reviewed, and no others. */
export function markReviewed(words) {
  for (const word of document.querySelectorAll(".word.reviewed")) word.classList.toggle("reviewed", words.includes(word));
  for (const word of words) word.classList.add("reviewed");
  byId("rows").classList.toggle("reviewing", words.length > 0);
}
// Of the alternatives that a digit takes.
const maxNumber = 5;

/**
 * The popup at a word: it plays the word, shows what else the recognizer offers there, and takes what a person writes instead.
 * After a correction it offers to undo it, to make it everywhere, and to remember the word.
 */
export class WordPopup {
  /** @param view the open session. */
  constructor(view, { failed, announcer }) {
    Object.assign(this, { view, failed, announcer, place: null });
    this.box = byId("word-popup");
    this.box.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointerdown", (event) => {
      if (this.isOpen && !this.box.contains(event.target) && !event.target.closest(".word")) this.close(false);
    });
    byId("scroller").addEventListener("scroll", () => { if (this.isOpen) this.put(); }, { passive: true });
    window.addEventListener("resize", () => { if (this.isOpen) this.put(); });
  }

  get isOpen() { return !this.box.hidden; }

  get row() { return this.view.segments?.rowOf(this.place.key); }

  /** Opens the popup at a word of a row. @param isTour whether the next unsure word follows. @param note what stands below it. */
  async open(row, clicked, { isTour = false, note = null } = {}) {
    const shift = await this.storeTyped(row, clicked);
    if (shift === null) return;
    const word = clicked + shift;
    const segment = await this.view.segments.load(row);
    if (!segment?.words[word]) return;
    const { draft } = this;
    const isKept = !isTour && draft?.session === this.view.id && draft.key === segment.key && draft.first === word;
    this.place = { session: this.view.id, key: segment.key, first: word, end: isKept ? draft.end : word + 1, isTour, note };
    this.view.navigation.makeCurrent(row, { takesFocus: false });
    this.show(segment);
  }

  /**
   * Stores what was typed at a word before another one is opened. Returns by how much that moves the other one, or null if it is
   * not stored.
   */
  async storeTyped(row, word) {
    const field = this.box.querySelector("#word-field");
    if (!this.isOpen || this.isStoring || !field || this.place.session !== this.view.id) return 0;
    const { key, first, end } = this.place;
    const isThere = this.view.segments.get(row)?.key === key;
    const isOther = !isThere || word < first || word >= end;
    if (!isOther || field.value.trim() === field.dataset.first) return 0;
    if (!(await this.correct(field.value, { isLeft: true }))) return null;
    return isThere && word >= end ? this.place.end - end : 0;
  }

  show(segment) {
    const { first, end } = this.place;
    const shown = segment.words.slice(first, end);
    const text = joinedText(shown.map((word) => word.text));
    this.segment = segment;
    const confidence = shown.length === 1 ? shown[0].confidence : null;
    const field = element("input", {
      id: "word-field", dir: "auto", value: text, autocomplete: "off", spellcheck: "true", maxlength: "500", "aria-label": "Your own words",
    });
    const offers = wordAlternatives(segment, first, end);
    const { isTour, note } = this.place;
    const list = offers.length === 0 ? null : element(
      "ol", { class: "word-offers", "aria-label": "The recognizer's alternatives" },
      ...offers.map((offer, index) => element("li", {}, element(
        "button", { class: "alternative", type: "button", click: () => this.correct(offer.text) },
        isTour && index < maxNumber ? element("kbd", { "aria-hidden": "true" }, `${index + 1}`) : null,
        element("span", { class: "alternative-text" }, offer.text),
        element("span", { class: "alternative-confidence" }, percent(offer.confidence))))));
    const isUnsure = confidence !== null && confidence < lowConfidence;
    this.box.replaceChildren(
      element(
        "div", { class: "word-head" },
        element("button", { class: "icon-button", type: "button", "aria-label": "Hear it", title: "Hear it (Shift Enter)", click: () => this.hear() }, playIcon()),
        element("strong", {}, text),
        confidence === null ? null : element("span", { class: "word-confidence" }, percent(confidence)),
        element("button", { class: "icon-button", type: "button", "aria-label": "Close", click: () => this.close() }, "×")),
      ...(list ? [list] : []),
      element(
        "form", { class: "word-form", submit: (event) => {
          event.preventDefault();
          this.correct(field.value);
        } },
        field,
        element("button", { class: "main-button", id: "word-save" }, isUnsure ? "It is right" : "Save")),
      element(
        "div", { class: "word-more" },
        end < segment.words.length ? element("button", { class: "plain-button", type: "button", id: "word-wider", click: () => this.widen() }, "With the next word") : null,
        element("button", { class: "plain-button", type: "button", id: "word-all", title: "Alt Enter", click: () => this.correct(field.value, { isEverywhere: true }) }, "Save everywhere"),
        element("button", { class: "plain-button", type: "button", id: "word-edit", click: () => this.view.navigation.edit(this.row, first) }, "Edit paragraph"),
        segment.alternatives.length > 1 ? element("button", { class: "plain-button", type: "button", id: "word-sentence", click: () => this.sentence() }, "Whole sentence") : null),
      ...(note ? [element("p", { class: "word-note" }, note)] : []));
    field.addEventListener("input", () => {
      byId("word-save").textContent = isUnsure && field.value.trim() === text ? "It is right" : "Save";
    });
    field.dataset.first = text;
    const { draft } = this;
    // While unsure words are gone through, Enter says that the word is right.
    if (!isTour && draft?.session === this.place.session && draft.key === segment.key && draft.first === first && draft.end === end && draft.old === text) {
      field.value = draft.text;
      field.dispatchEvent(new Event("input"));
    }
    this.appear(`Correct “${text}”`);
    if (isTour) {
      // Its keys are those of the tour; a letter begins to write.
      this.box.tabIndex = -1;
      this.box.focus({ preventScroll: true });
      this.hear();
    } else if (!matchMedia("(pointer: coarse)").matches) {
      field.focus();
      field.select();
    } else this.box.querySelector("button").focus();
  }

  /** Shows the popup at its word, below it, or above it where there is no room. */
  appear(label) {
    this.box.setAttribute("aria-label", label);
    this.box.hidden = false;
    this.put();
  }

  /** Marks the words that are reviewed, also after their row was drawn again. What still plays beside them has no mark. */
  mark() {
    const { first, end } = this.place ?? {};
    markReviewed(this.isOpen ? this.view.rows.element(this.row)?.words.slice(first, end).filter(Boolean) ?? [] : []);
  }

  put() {
    this.mark();
    const word = this.view.rows.element(this.row)?.words[this.place.first];
    const box = word?.getBoundingClientRect() ?? this.last;
    if (!box) return;
    this.last = box;
    const [width, height] = [this.box.offsetWidth, this.box.offsetHeight];
    const isAbove = box.bottom + margin + height > innerHeight && box.top - margin - height > 0;
    const top = isAbove ? box.top - margin - height : Math.min(box.bottom + margin, innerHeight - height - margin);
    this.box.style.left = `${Math.max(margin, Math.min(box.left, innerWidth - width - margin))}px`;
    this.box.style.top = `${Math.max(margin, top)}px`;
  }

  key(event) {
    if (this.place.isTour && event.target === this.box && this.tourKey(event)) return;
    if ((event.ctrlKey || event.metaKey) && letterOf(event) === "z" && !event.target.closest("input")) {
      this.close();
      this.view.actions.history(event.shiftKey ? "redo" : "undo");
    } else if (event.key === "Escape") this.close();
    else if (event.key === "Enter" && event.shiftKey) this.hear();
    else if (event.key === "Enter" && event.altKey && event.target.id === "word-field") this.correct(event.target.value, { isEverywhere: true });
    else if (this.isCommandAtWord(event, "Enter")) this.view.navigation.divide(this.row, this.place.first);
    else if (this.isCommandAtWord(event, "Backspace")) this.view.navigation.join(this.row);
    else if (["ArrowLeft", "ArrowRight"].includes(event.key) && this.box.querySelector("#word-undo") && !event.target.closest("input")) {
      this.step(event.key === "ArrowRight" ? 1 : -1).catch(this.failed);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") this.move(event.key === "ArrowDown" ? 1 : -1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Whether a key is pressed with Control where nothing is typed yet: it is about the paragraph then. */
  isCommandAtWord(event, key) {
    const field = this.box.querySelector("#word-field");
    return event.key === key && (event.ctrlKey || event.metaKey) && field && field.value.trim() === field.dataset.first;
  }

  /** While unsure words are gone through: confirms the word, takes an alternative, or begins to write. Returns whether it did. */
  tourKey(event) {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const field = byId("word-field");
    const isDigit = /^\d$/.test(key);
    const offer = isDigit && key <= maxNumber ? this.box.querySelectorAll(".word-offers button")[key - 1] : undefined;
    if (offer) offer.click();
    else if (isDigit) this.refuse(key);
    else if (letterOf(event) === "u" && event.shiftKey) this.view.unsure.next(-1);
    else if (letterOf(event) === "u" || (key === "Enter" && !event.shiftKey)) this.correct(field.value);
    else if (key === "ArrowRight" || key === "ArrowLeft") this.view.unsure.next(key === "ArrowRight" ? 1 : -1);
    else if (key.length === 1 && key !== " " || key === "Backspace") {
      field.focus();
      field.select();
      // The browser writes the letter into the field.
      event.stopPropagation();
      return true;
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  /** Says that a digit is no alternative here: it is not what was said either. */
  refuse(digit) {
    this.box.querySelector(".word-refused")?.remove();
    this.box.append(element("p", { class: "hint word-refused" }, `There is no alternative ${digit}. Backspace begins to write.`));
    this.view.announcer.say(`There is no alternative ${digit}`);
    this.put();
  }

  /** The arrow keys go through the alternatives, and the field after them. */
  move(by) {
    const stops = [...this.box.querySelectorAll(".word-offers button, input, .word-result button")];
    const index = stops.indexOf(document.activeElement);
    stops[(index + by + stops.length) % stops.length]?.focus();
  }

  /** After a correction, goes to the next or the previous word. */
  async step(by) {
    const { segments, speakers, rows } = this.view;
    const { row: here, place: { first, end } } = this;
    let word = by > 0 ? end : first - 1;
    for (let row = here; ; row += by) {
      const segment = await segments.load(row);
      if (!segment) return undefined;
      if (row !== here) word = by > 0 ? 0 : segment.words.length - 1;
      while (speakers.hides(segment.words[word])) word += by;
      if (!segment.words[word]) continue;
      if (row !== here) rows.reveal(row);
      return this.open(row, word);
    }
  }

  hear() {
    const { first, end } = this.place;
    const shown = this.segment.words.slice(first, end);
    this.view.player.playPart(Math.max(0, shown[0].start - 0.1), shown.at(-1).end + 0.15);
  }

  /** Takes the next word, too, after what was typed. */
  widen() {
    const typed = byId("word-field").value;
    const isTyped = typed.trim() !== byId("word-field").dataset.first;
    const next = this.segment.words[this.place.end].text;
    this.place.end += 1;
    this.show(this.segment);
    if (!isTyped) return;
    byId("word-field").value = joinedText([typed.trim(), next]);
    byId("word-field").dispatchEvent(new Event("input"));
  }

  sentence() {
    const { row } = this;
    this.close(false);
    if (!this.view.shown.open.has(this.place.key)) this.view.actions.toggle(row);
    this.view.navigation.makeCurrent(row);
  }

  close(takesFocus = true) {
    if (!this.isOpen) return;
    this.keep();
    this.box.hidden = true;
    this.box.replaceChildren();
    this.mark();
    if (!takesFocus || !this.place) return;
    const { row } = this;
    const word = this.view.rows.element(row)?.words[this.place.first];
    if (word) this.view.actions.focusWord(row, word);
    else byId("scroller").focus({ preventScroll: true });
  }

  /** Keeps what was typed and not stored: it is there again when the popup is opened at the same words. */
  keep() {
    const field = this.box.querySelector("#word-field");
    if (!field || !this.place) return;
    const old = field.dataset.first;
    this.draft = field.value.trim() === old || this.isStoring ? null : { ...this.place, old, text: field.value };
  }

  /**
   * Stores a text. Returns whether it is stored.
   *
   * @param how.isLeft whether another word is opened next; `isEverywhere` whether the word is changed in the whole session.
   */
  async correct(text, how = {}) {
    if (this.isStoring) return false;
    this.isStoring = true;
    try {
      return await this.store(text, how);
    } finally {
      this.isStoring = false;
    }
  }

  async store(text, { isLeft = false, isEverywhere = false }) {
    const { session, key, first, end, isTour } = this.place;
    const before = this.segment;
    const old = joinedText(before.words.slice(first, end).map((word) => word.text));
    const new_ = text.trim().replace(/\s+/g, " ");
    try {
      const segment = await request(sessionPath(session, `segments/${key}/words`), {
        method: "PUT", body: { first, end, text: new_, revision: before.revision },
      });
      if (session !== this.view.id) return false;
      this.view.actions.accept(segment);
      this.place.end = first + new_.split(" ").filter(Boolean).length;
      this.announcer.say(new_ === old ? `${old} is right` : `Now: ${segment.formatted}`);
      if (isLeft) return true;
      if (isTour) await this.view.unsure.next(1);
      else if (new_ === old) this.close();
      // Not waited for: a key for the next word counts at once.
      if (new_ !== old) {
        this.offer(old, new_, { before, after: segment, session, isTour }).then(() => {
          if (isEverywhere) this.box.querySelector("#word-everywhere")?.click();
        }).catch(this.failed);
      }
      return true;
    } catch (error) {
      this.failed(error);
      if (error.status === 409 && session === this.view.id) await this.showAnew(text);
      return false;
    }
  }

  /** Shows the words as they are now, and what the person wrote instead: they were changed elsewhere. */
  async showAnew(text) {
    const { key, first } = this.place;
    await this.view.reload([key]);
    const segment = this.view.segments.get(this.row);
    if (!this.isOpen || !segment?.words[first]) return this.close();
    this.place.end = Math.min(this.place.end, segment.words.length);
    this.show(segment);
    byId("word-field").value = text;
  }

  /** After a correction: undo, everywhere, remember. While unsure words are gone through, below the next one. */
  async offer(old, text, { before, after, session, isTour }) {
    const { place } = this;
    const { count, places } = await request(`api/replacements?${new URLSearchParams({ text: old, session })}`)
      .catch(() => ({ count: 0 }));
    if (session !== this.view.id || !this.isOpen || place !== this.place) return;
    const done = (button, label) => {
      button.disabled = true;
      button.textContent = label;
      (isTour ? this.box : this.next).focus();
    };
    this.next = isTour ? null : element("button", {
      class: "main-button", type: "button", id: "word-next", click: () => this.close(),
    }, "Done");
    const result = [
      element("p", { class: "word-result-text" }, "“", element("s", {}, old), "” is now “", element("strong", {}, text || "nothing"), "”."),
      element(
        "div", { class: "word-result" },
        element("button", { class: "quiet-button", type: "button", id: "word-undo", click: async () => {
          // What was changed in the segment since then is not taken back.
          await this.view.actions.restore(after, before.revision);
          this.close();
        } }, "Undo"),
        count > 0 ? element("button", { class: "quiet-button", type: "button", id: "word-everywhere", click: async ({ target }) => {
          try {
            const { replacements } = await request("api/replacements", { method: "POST", body: { text: withoutMarks(text) || text, places } });
            this.view.reload(replacements.map(({ segment }) => segment));
            done(target, `Changed in ${replacements.length === 1 ? "one more row" : `${replacements.length} rows`}`);
          } catch (error) {
            this.failed(error);
          }
        } }, count === 1 ? "Change 1 more" : `Change ${count} more`) : null,
        text === "" ? null : element("button", { class: "quiet-button", type: "button", id: "word-remember", click: async ({ target }) => {
          try {
            const term = withoutMarks(text) || text;
            await addToVocabulary({ session, text: term, recognized: withoutMarks(old) || old });
            done(target, "In the vocabulary");
            this.announcer.say(`${term} is expected from now on`);
          } catch (error) {
            this.failed(error);
          }
        } }, "Add to vocabulary"),
        this.next),
    ];
    if (isTour) {
      this.box.append(...result);
      return this.put();
    }
    this.box.replaceChildren(...result);
    this.appear("What was corrected");
    this.next.focus();
  }
}
