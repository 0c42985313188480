import { byId, element, playIcon } from "./element.js";
import { percent } from "./format.js";
import { letterOf } from "./keys.js";
import { voices } from "./segment-row.js";
import { markReviewed } from "./word-popup.js";

const margin = 8;
// Of the speakers that a digit takes.
const maxNumber = 9;

/** The popup at the speaker of a row, or at the words of an unsure speaker: who said it. */
export class SpeakerPopup {
  /** @param view the open session. */
  constructor(view) {
    this.view = view;
    this.box = byId("speaker-popup");
    // The key of the first segment of what is asked about.
    this.segment = null;
    // The words that are asked about, while unsure places are gone through.
    this.turn = null;
    this.box.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointerdown", (event) => {
      if (this.isOpen && !this.box.contains(event.target)) this.close(false);
    });
    byId("scroller").addEventListener("scroll", () => { if (this.isOpen) this.put(); }, { passive: true });
    window.addEventListener("resize", () => { if (this.isOpen) this.put(); });
  }

  get isOpen() { return !this.box.hidden; }

  /** Rows before it may be divided or joined meanwhile. */
  get row() { return this.view.segments?.rowOf(this.segment); }

  /** Opens the popup at the speaker of a row. */
  open(row) {
    const segment = this.view.segments?.get(row);
    if (!segment) return;
    this.turn = null;
    // Whom the badge names.
    this.show(row, { speaker: voices(segment)[0].speaker }, []);
    (this.box.querySelector("[aria-pressed=true]") ?? byId("new-speaker")).focus();
  }

  /** Asks who said the words of an unsure speaker, and plays them. @param place where, as the server says. @param note what stands below. */
  async ask(place, note) {
    const segment = await this.view.segments.load(place.number);
    if (!segment) return;
    this.turn = {
      key: segment.key, revision: segment.revision, first: place.word, end: place.end, start: place.start, stop: place.stop, speaker: place.speaker,
      confidence: place.speakerConfidence,
    };
    this.show(place.number, { speaker: place.speaker }, [
      element(
        "div", { class: "word-more" },
        element("button", { class: "plain-button", type: "button", id: "speaker-leave", click: () => this.view.unsure.next(1) },
          element("kbd", { "aria-hidden": "true" }, "→"), " Leave it")),
      element("p", { class: "word-note" }, note),
    ]);
    // Its keys are those of the way; n begins to write a name.
    this.box.tabIndex = -1;
    this.box.focus({ preventScroll: true });
    this.hear();
  }

  show(row, segment, more) {
    this.segment = this.view.segments.get(row).key;
    this.view.navigation.makeCurrent(row, { isShown: true, takesFocus: false });
    const { all } = this.view.speakers;
    const { turn } = this;
    const field = element("input", {
      id: "new-speaker", autocomplete: "off", maxlength: "100", placeholder: turn ? "Another name (n)" : "Another name", "aria-label": "Another name",
    });
    this.box.replaceChildren(
      turn ? element(
        "div", { class: "word-head" },
        element("button", { class: "icon-button", type: "button", "aria-label": "Hear it", title: "Hear it (Shift Enter)", click: () => this.hear() }, playIcon()),
        element("strong", {}, "Who said this?"),
        element("button", { class: "icon-button", type: "button", "aria-label": "Close", click: () => this.close() }, "×"))
        : element("p", { class: "word-result-text" }, "Who says this?"),
      element("ul", { class: "word-offers" }, ...all.map((speaker, index) => element("li", {}, element("button", {
        class: `alternative speaker-choice colour-${speaker.colour}`, type: "button",
        "aria-pressed": String(speaker.id === segment.speaker), click: () => this.choose(speaker.id),
      },
      turn && index < maxNumber ? element("kbd", { "aria-hidden": "true" }, `${index + 1}`) : null,
      element("span", { class: "badge", "aria-hidden": "true" }, speaker.label),
      element("span", { class: "alternative-text" }, speaker.name),
      turn && speaker.id === turn.speaker ? element("span", { class: "alternative-confidence" }, percent(turn.confidence)) : null)))),
      element(
        "form", { class: "word-form", submit: (event) => {
          event.preventDefault();
          if (field.value.trim() !== "") this.choose(field.value.trim());
        } }, field, element("button", { class: "main-button" }, "Save")),
      ...more);
    this.box.hidden = false;
    this.put();
  }

  /** The words that are asked about; none for a row. */
  get words() {
    const { turn, row } = this;
    return turn ? this.view.rows.element(row)?.words.slice(turn.first, turn.end).filter(Boolean) ?? [] : [];
  }

  mark() { markReviewed(this.isOpen ? this.words : []); }

  put() {
    const { words } = this;
    if (this.turn) this.mark();
    const boxes = (words.length > 0 ? [words[0], words.at(-1)] : [this.button]).filter(Boolean).map((one) => one.getBoundingClientRect());
    const box = boxes.length > 0 ? { left: boxes[0].left, top: boxes[0].top, bottom: boxes.at(-1).bottom } : this.last;
    if (!box) return;
    this.last = box;
    const [width, height] = [this.box.offsetWidth, this.box.offsetHeight];
    const isAbove = this.turn && box.bottom + margin + height > innerHeight && box.top - margin - height > 0;
    const top = isAbove ? box.top - margin - height : Math.min(box.bottom + margin, innerHeight - height - margin);
    this.box.style.left = `${Math.max(margin, Math.min(box.left, innerWidth - width - margin))}px`;
    this.box.style.top = `${Math.max(margin, top)}px`;
  }

  /** The button of the row that opened the popup. */
  get button() { return this.view.rows.home(this.row)?.querySelector("[data-key=speaker]"); }

  hear() { this.view.player.playPart(Math.max(0, this.turn.start - 0.1), this.turn.stop + 0.15); }

  key(event) {
    const isTyping = event.target.closest("input") !== null;
    if (this.turn && !isTyping && this.turnKey(event)) return;
    if ((event.ctrlKey || event.metaKey) && letterOf(event) === "z" && !isTyping) {
      this.close();
      this.view.actions.history(event.shiftKey ? "redo" : "undo");
    } else if (event.key === "Escape") this.close();
    else if (this.turn && event.key === "Enter" && event.shiftKey) this.hear();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const stops = [...this.box.querySelectorAll("button.alternative, input")];
      const by = event.key === "ArrowDown" ? 1 : -1;
      stops[(stops.indexOf(document.activeElement) + by + stops.length) % stops.length]?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** While unsure places are gone through: takes a speaker, begins to write a name, or leaves it. Returns whether it did. */
  turnKey(event) {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const isOnButton = event.target.closest("button") !== null;
    if (/^[1-9]$/.test(key)) this.take(Number(key));
    else if (letterOf(event) === "n") byId("new-speaker").focus();
    else if (key === "ArrowLeft" || (letterOf(event) === "u" && event.shiftKey)) this.view.unsure.next(-1);
    else if (letterOf(event) === "u" || (key === "Enter" && !event.shiftKey && !isOnButton)) this.confirm();
    else if (key === "ArrowRight") this.view.unsure.next(1);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  take(number) {
    const speaker = this.view.speakers.all[number - 1];
    if (speaker) this.choose(speaker.id);
    else this.refuse(`There is no speaker ${number}. n begins to write a name.`);
  }

  /** Says that the label is right. */
  confirm() {
    if (this.turn.speaker) this.choose(this.turn.speaker);
    else this.refuse("The speaker is unknown. A number says who it is, and → leaves it.");
  }

  refuse(text) {
    this.box.querySelector(".word-refused")?.remove();
    this.box.append(element("p", { class: "hint word-refused" }, text));
    this.view.announcer.say(text);
    this.put();
  }

  async choose(speaker) {
    const { turn } = this;
    if (!turn) {
      if (await this.view.speakers.assign(this.row, speaker)) this.close();
      return;
    }
    if (this.isStoring) return;
    this.isStoring = true;
    try {
      const words = turn.first < turn.end ? { first: turn.first, end: turn.end } : {};
      const said = await this.view.speakers.say([{ key: turn.key, revision: turn.revision, ...words }], speaker);
      if (said && this.turn === turn) await this.view.unsure.next(1, said.text);
    } finally {
      this.isStoring = false;
    }
  }

  close(takesFocus = true) {
    if (!this.isOpen) return;
    this.box.hidden = true;
    this.box.replaceChildren();
    if (this.turn) markReviewed([]);
    this.turn = null;
    if (takesFocus) (this.button ?? byId("scroller")).focus({ preventScroll: true });
  }
}
