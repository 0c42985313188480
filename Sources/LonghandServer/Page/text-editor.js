import { request, sessionPath, UnreachableError } from "./api.js";
import { notableSpans } from "./coverage.js";
import { element } from "./element.js";
import { spoken } from "./format.js";
import { keptText } from "./kept-text.js";
import { letterOf } from "./keys.js";
import { bareWord, joinedText, wordOffset } from "./segment-row.js";
import { Turns } from "./turns.js";

// Milliseconds without a key after which the text is stored.
const rest = 1500;
const retryAfter = 2000;
// Keys that follow each other sooner are one step of the undo.
const together = 700;

const lines = (text) => text.split("\n").map((line) => line.trim().replace(/\s+/g, " ")).filter(Boolean);
const isSame = (one, other) => lines(one).join("\n") === lines(other).join("\n");

/**
 * Edits a paragraph as text. A new line is a new paragraph; Backspace at the beginning joins the paragraph to the one before,
 * which is edited with it from then on. The text is stored when the person stops typing or leaves it. Until the server has
 * confirmed that, it is kept in the browser, with the keys and revisions of the segments that it replaces. If these are changed
 * elsewhere meanwhile, the person sees both texts and chooses.
 */
export class TextEditor {
  /** @param view the open session. */
  constructor(view) {
    this.view = view;
    this.first = null;
    this.turns = new Turns();
    // How often a person has changed a text.
    this.changeCount = 0;
    this.area = element("textarea", {
      class: "text-field", dir: "auto", spellcheck: "true", rows: "1", "data-key": "text",
      keydown: (event) => this.key(event), beforeinput: (event) => this.changes(event),
      input: ({ isComposing }) => {
        this.typed();
        // What an input method has not written yet is no text to store.
        if (isComposing) clearTimeout(this.timer);
      },
      compositionend: () => this.changed(),
      blur: () => { if (!this.isMoving) this.blurred(); },
    });
    this.state = element("div", { class: "text-state", role: "status" });
    this.box = element("div", { class: "text text-edit" }, this.area, this.state);
  }

  get isOpen() { return this.first !== null; }

  /** Whether a row is part of the text that is edited. */
  covers(row) { return this.isOpen && row >= this.first && row < this.end; }

  isIn(item) { return this.isOpen && item.contains(this.box); }

  /** Edits the paragraph of a row. @param at where the cursor is, as a row and an offset in its text. */
  async open(row, at) {
    if (this.isOpen && !(await this.leave())) return;
    // A step back gives the segments other revisions.
    await this.view.actions.changing;
    const { segments, paragraphs, id } = this.view;
    if (!(await segments?.load(row)) || id !== this.view.id) return;
    // Also what follows, so that nothing of the paragraph is missing.
    while (await segments.load(paragraphs.end(row)) && !paragraphs.begins(paragraphs.end(row))) continue;
    if (id !== this.view.id) return;
    const [first, end] = [paragraphs.head(row), paragraphs.end(row)];
    const until = segmentsIn(segments, first, (at?.row ?? first) + 1).map(({ formatted }) => formatted);
    const cursor = joinedText(until).length - (until.at(-1)?.length ?? 0) + (at?.offset ?? 0);
    this.begin(first, end);
    this.fill(this.saved, at ? cursor : 0);
  }

  /** Divides the paragraph of a row before a word, as a new line in its text does. */
  async divide(row, word) {
    const segment = await this.view.segments?.load(row);
    if (!segment) return;
    await this.open(row, { row, offset: wordOffset(segment, word) });
    const at = this.area.selectionStart;
    if (!this.isOpen) return;
    if (at > 0) {
      this.area.setRangeText("\n", at, at, "end");
      this.typed();
    }
    if (await this.leave()) this.view.announcer.say(at > 0 ? "The paragraph is divided" : "The paragraph begins here");
  }

  /** Joins the paragraph of a row to the one before, as Backspace at its beginning does. */
  async joinBefore(row) {
    await this.open(row);
    if (!this.isOpen) return;
    this.isLeaving = false;
    const isJoined = await this.turns.take(() => this.join());
    // Else the field says why.
    if (isJoined && await this.leave()) this.view.announcer.say("The paragraphs are joined");
  }

  /** Takes rows as what is edited. */
  begin(first, end) {
    Object.assign(this, { session: this.view.id, first, end });
    this.known = named(this.present);
    this.saved = this.shown = textOf(this.present);
    this.area.setAttribute("aria-label", `Text of the paragraph at ${spoken(this.present[0]?.start ?? 0)}`);
  }

  /** The segments of its rows. */
  get present() { return segmentsIn(this.view.segments, this.first, this.end); }

  fill(text, cursor) {
    Object.assign(this, { opened: {}, past: [], future: [], lastKey: 0, steps: 0, unanswered: null, isRefused: false });
    this.area.value = text;
    this.say("");
    this.place(cursor);
  }

  /** Shows the editor in its row. */
  place(cursor) {
    const { rows, navigation } = this.view;
    this.isMoving = true;
    navigation.makeCurrent(this.first, { takesFocus: false });
    rows.invalidate(this.first, this.end);
    // A frame fills few rows.
    for (let tries = 0; tries === 0 || (tries < 8 && !this.box.isConnected); tries += 1) rows.render();
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(cursor, cursor);
    this.isMoving = false;
    this.grow();
  }

  grow() {
    this.area.style.height = "auto";
    this.area.style.height = `${this.area.scrollHeight}px`;
  }

  // MARK: Keys

  key(event) {
    const isCommand = event.ctrlKey || event.metaKey;
    const name = letterOf(event);
    const atStart = this.area.selectionStart === 0 && this.area.selectionEnd === 0;
    event.stopPropagation();
    if (event.key === "Escape") this.leave();
    else if (isCommand && name === "z") this.step(event.shiftKey);
    else if (isCommand && name === "y") this.step(true);
    else if (isCommand && event.key === "Enter") this.leave();
    else if (event.key === "Backspace" && atStart) {
      this.isLeaving = false;
      this.turns.take(() => this.join().catch(this.view.failed));
    } else if (event.key === "Tab" && !this.isRefused) this.view.player.toggle();
    else return;
    event.preventDefault();
  }

  /** Before a change, keeps the text for the way back. */
  changes(event) {
    if (event.inputType.startsWith("history")) {
      event.preventDefault();
      return this.step(event.inputType === "historyRedo");
    }
    const now = Date.now();
    if (now - this.lastKey > together || event.inputType !== this.lastType || event.inputType === "insertLineBreak") this.remember();
    Object.assign(this, { lastKey: now, lastType: event.inputType });
  }

  remember() {
    this.past.push({ text: this.area.value, cursor: this.area.selectionStart });
    this.future = [];
  }

  /** Who types on does not leave. */
  typed() {
    this.isLeaving = false;
    this.changeCount += 1;
    this.changed();
  }

  changed() {
    this.grow();
    this.keep();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), rest);
  }

  /** Takes back what was typed; what was stored before that is taken back by the server, behind the steps of this edit. */
  step(isForward) {
    const [from, to] = isForward ? [this.future, this.past] : [this.past, this.future];
    const other = from.pop();
    if (other) {
      to.push({ text: this.area.value, cursor: this.area.selectionStart });
      this.area.value = other.text;
      this.area.setSelectionRange(other.cursor, other.cursor);
      this.lastKey = 0;
      this.typed();
    } else if (!isForward || this.past.length === 0) {
      const { changeCount } = this;
      this.leave().then((isStored) => {
        // What was typed while the text was being stored is no step that was meant, also if the edit ends before the answer.
        if (!isStored || this.changeCount !== changeCount) return;
        this.view.actions.history(isForward ? "redo" : "undo", isForward ? 1 : 1 + this.steps);
        this.steps = 0;
      });
    }
  }

  /**
   * Joins the text to the paragraph before, while no answer is expected: it would be about other segments. Returns whether it is
   * joined.
   */
  async join() {
    const { segments, paragraphs, spans } = this.view;
    if (this.unanswered && !(await this.send())) return false;
    if (!this.isOpen) return false;
    if (this.first === 0) this.say("No paragraph is before this one.");
    if (this.first === 0 || !(await segments.load(this.first - 1))) return false;
    const own = segments.get(this.first);
    const before = segments.get(this.first - 1);
    if (before.channel !== own.channel || notableSpans(spans, before.end, own.start).length > 0) {
      this.say("What is between the paragraphs keeps them apart.");
      return false;
    }
    const text = this.area.value;
    const { first: old, end, known, saved, shown, past, future } = this;
    this.begin(paragraphs.head(old - 1), old);
    const earlier = this.saved;
    // What is not stored yet is stored with the whole.
    Object.assign(this, {
      end, known: [...this.known, ...known], saved: `${earlier}\n${saved}`, shown: `${earlier}\n${shown}`,
    });
    const apart = (one) => ({ text: `${earlier}\n${one.text}`, cursor: one.cursor + earlier.length + 1 });
    Object.assign(this, {
      past: [...past.map(apart), { text: `${earlier}\n${text}`, cursor: earlier.length + 1 }], future: future.map(apart),
    });
    this.area.value = joinedText([earlier, text]);
    this.place(this.area.value.length - text.length);
    this.changed();
    return true;
  }

  /** The focus went elsewhere, or the whole window lost it. */
  blurred() {
    if (document.activeElement === this.area) this.save();
    else this.leave();
  }

  // MARK: Storing

  say(text) { this.state.textContent = text; }

  /** What is to be stored. */
  get edit() {
    return { segments: this.known, text: this.area.value };
  }

  get isStored() { return !this.unanswered && isSame(this.area.value, this.saved); }

  keep() {
    if (this.isStored) keptText.remove(this.session);
    else keptText.put(this.session, { ...this.edit, saved: this.saved, unanswered: this.unanswered });
  }

  /** Stores the text and closes the editor, with the focus on its row. Returns whether it is stored; if it is not, the editor stays. */
  async leave() {
    if (!this.isOpen) return true;
    const { opened, first } = this;
    this.isLeaving = true;
    if (!(await this.save())) return false;
    if (this.opened !== opened || !this.isOpen) return true;
    if (!this.isLeaving) return false;
    if (!this.isStored) return this.leave();
    const hadFocus = document.activeElement === this.area;
    this.drop();
    if (hadFocus) this.view.navigation.makeCurrent(first);
    return true;
  }

  /** Closes the editor. What is not stored stays in the browser's storage. */
  drop() {
    if (!this.isOpen) return;
    clearTimeout(this.timer);
    const { first, end } = this;
    this.isMoving = true;
    this.first = null;
    this.box.remove();
    this.isMoving = false;
    this.view.rows.invalidate(first, end);
    this.view.rows.schedule();
  }

  /** Stores the text, one request at a time. Returns whether the server has it. */
  save() {
    clearTimeout(this.timer);
    return this.turns.take(() => this.send());
  }

  /** Sends the text. One whose answer was lost may be stored: it is sent again as it was, and what was typed since after it. */
  async send() {
    if (!this.isOpen || this.isStored) return true;
    if (this.isRefused) return false;
    const { session, opened } = this;
    const isAgain = this.unanswered !== null;
    const edit = (this.unanswered ??= this.edit);
    try {
      const answer = await stored(session, edit).catch((error) => {
        if (error.status === 409) return { segments: [] };
        throw error;
      });
      if (opened !== this.opened || !this.isOpen) return true;
      this.view.stepped(answer);
      await this.view.textChanged(answer.segmentCount ?? (await request(sessionPath(session))).segmentCount);
      if (opened !== this.opened || !this.isOpen) return true;
      this.unanswered = null;
      return this.answered(edit, answer.segments, isAgain);
    } catch (error) {
      if (opened !== this.opened || !this.isOpen) return false;
      if (!(error instanceof UnreachableError)) this.unanswered = null;
      this.keep();
      if (this.unanswered) {
        this.say("Not stored yet: the server cannot be reached. The text is kept in this browser, and is stored when the server answers.");
        this.timer = setTimeout(() => (this.isLeaving ? this.leave() : this.save()), retryAfter);
      } else this.say(error.message);
      return false;
    }
  }

  /** The segments that an edit names are loaded again. Returns whether it is stored. */
  answered(edit, changed, isAgain) {
    const { shown } = this;
    const isOurs = isResult(this.present, edit, changed, isAgain);
    if (isOurs && (isAgain || changed.length > 0)) this.steps += 1;
    this.begin(this.first, this.end);
    if (isOurs) this.saved = edit.text;
    this.keep();
    if (isOurs || this.isStored) {
      this.say("");
      return isAgain ? this.send() : true;
    }
    // Without another text, such as after a new paragraph before it, nothing is overwritten.
    return isSame(this.shown, shown) && !isSameList(this.known, edit.segments) ? this.send() : this.refused();
  }

  // MARK: Changes elsewhere

  /** Its segments have other rows. */
  moved(rowAfter) {
    if (!this.isOpen) return;
    // What was divided off its last segment is before the next one.
    const end = this.view.isLive ? rowAfter(this.end - 1) + 1 : rowAfter(this.end);
    Object.assign(this, { first: rowAfter(this.first), end });
  }

  /** Rows were loaded or changed. What was not changed here becomes what it is elsewhere; what was is not overwritten. */
  renewed(first, last) {
    if (!this.isOpen || last < this.first || first >= this.end || this.unanswered) return;
    const { present } = this;
    if (present.length < this.end - this.first || isSameList(named(present), this.known)) return;
    const { saved, shown, area } = this;
    this.steps = 0;
    this.begin(this.first, this.end);
    if (isSame(this.shown, shown)) {
      this.saved = saved;
    } else if (isSame(area.value, saved)) {
      const cursor = Math.min(area.selectionStart, this.saved.length);
      Object.assign(this, { past: [], future: [] });
      area.value = this.saved;
      area.setSelectionRange(cursor, cursor);
      this.grow();
    } else if (!this.isStored) this.refused();
  }

  /** Shows what the text is elsewhere, beside what was typed. Returns false. */
  refused() {
    this.isRefused = true;
    const choose = (text) => {
      this.isRefused = false;
      this.say("");
      this.area.value = text;
      this.area.focus();
      this.changed();
      this.save();
    };
    const button = (label, act) => element("button", { class: "plain-button", type: "button", mousedown: (event) => event.preventDefault(), click: act }, label);
    this.state.replaceChildren(
      element("p", {}, "This text was changed elsewhere meanwhile. Yours is not stored. The other one is:"),
      element("blockquote", { class: "text-elsewhere" }, this.saved || "(no text)"),
      button("Store mine", () => choose(this.area.value)), button("Take the other", () => choose(this.saved)));
    this.grow();
    this.keep();
    return false;
  }

  /** Goes on with what was typed before the page was closed or the server ended. */
  async restore() {
    const { id, segments } = this.view;
    const kept = keptText.get(id);
    if (!kept) return;
    if (!kept.segments) {
      // By an earlier version of the page.
      this.view.notices.show(`This was typed and is not stored: ${kept.text}`, "error", { session: id });
      return keptText.remove(id);
    }
    const keys = [kept.segments[0].key, kept.segments.at(-1).key];
    const [first, last] = await Promise.all(keys.map((key) => segments.find(key)));
    if (!(await segments.load(first)) || !(await segments.load(last)) || id !== this.view.id) return;
    this.begin(first, last + 1);
    this.fill(kept.text, kept.text.length);
    Object.assign(this, { known: kept.segments, unanswered: kept.unanswered, saved: kept.saved });
    if (await this.leave()) this.view.notices.show("What you had typed was stored.");
  }
}

const named = (segments) => segments.map(({ key, revision }) => ({ key, revision }));

const isSameList = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The text of segments, with a line for each paragraph. */
function textOf(segments) {
  const starts = segments.flatMap(({ beginsParagraph }, index) => (index === 0 || beginsParagraph ? [index] : []));
  return starts.map((start, index) => joinedText(segments.slice(start, starts[index + 1]).map(({ formatted }) => formatted)))
    .filter(Boolean).join("\n");
}

/**
 * Whether segments are as an edit has left them: without a change by others after it. In one that is sent again, marks and
 * capitals may have been written anew.
 */
function isResult(present, { segments, text }, changed, isAgain) {
  const known = new Map(segments.map(({ key, revision }) => [key, revision]));
  const bare = (one) => lines(one).map((line) => line.split(" ").map(bareWord).join(" ")).join("\n");
  return isSame(textOf(present), text) || (isAgain && bare(textOf(present)) === bare(text)) || (changed.length > 0
    && present.every(({ key, revision }) => revision === (known.has(key) ? known.get(key) + changed.includes(key) : 0)));
}

function segmentsIn(segments, first, end) {
  return Array.from({ length: end - first }, (_, index) => segments.get(first + index)).filter(Boolean);
}

/** Sends an edit. One that is stored already changes nothing. */
function stored(session, { segments, text }) {
  return request(sessionPath(session, "text"), { method: "PUT", body: { segments, paragraphs: lines(text) } });
}
