import { request, sessionPath, UnreachableError } from "./api.js";
import { notableSpans } from "./coverage.js";
import { element } from "./element.js";
import { spoken } from "./format.js";
import { keptText } from "./kept-text.js";
import { joinedText } from "./segment-row.js";

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
 * confirmed that, it is kept in the browser, with the revisions that it replaces.
 */
export class TextEditor {
  /** @param view the open session. */
  constructor(view) {
    this.view = view;
    this.first = null;
    this.area = element("textarea", {
      class: "text-field", spellcheck: "true", rows: "1", "data-key": "text",
      keydown: (event) => this.key(event), beforeinput: (event) => this.changes(event), input: () => this.typed(),
      blur: () => { if (!this.isMoving) this.blurred(); },
    });
    this.state = element("p", { class: "text-state", role: "status" });
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
    const [first, end] = [paragraphs.head(row), paragraphs.end(row)];
    const before = segmentsIn(segments, first, at?.row ?? first).map(({ formatted }) => formatted);
    const cursor = joinedText(before).length + (before.some(Boolean) ? 1 : 0) + (at?.offset ?? 0);
    this.begin(first, end);
    this.fill(this.saved, at ? cursor : 0);
  }

  /** Takes rows as what is edited. */
  begin(first, end) {
    const { segments, id, isLive } = this.view;
    const own = segmentsIn(segments, first, end);
    Object.assign(this, { session: id, first, end, count: isLive ? null : segments.count });
    this.know(own);
    this.saved = joinedText(own.map(({ formatted }) => formatted));
    this.area.setAttribute("aria-label", `Text of the paragraph at ${spoken(own[0]?.start ?? 0)}`);
  }

  /** Remembers the revisions of the segments, and where they are in time: with other numbers they are found by that. */
  know(own) {
    this.revisions = own.map(({ revision }) => revision);
    this.time = { channel: own[0]?.channel, start: own[0]?.start, end: own.at(-1)?.end };
  }

  fill(text, cursor) {
    Object.assign(this, { opened: {}, past: [], future: [], lastKey: 0, steps: 0, unanswered: null });
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
    const name = event.key.toLowerCase();
    const atStart = this.area.selectionStart === 0 && this.area.selectionEnd === 0;
    event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === "Escape") this.leave();
    else if (isCommand && name === "z") this.step(event.shiftKey);
    else if (isCommand && name === "y") this.step(true);
    else if (isCommand && event.key === "Enter") this.leave();
    else if (event.key === "Backspace" && atStart) {
      this.isLeaving = false;
      this.inTurn(() => this.join().catch(this.view.failed));
    } else if (event.key === "Tab") this.view.player.toggle();
    else return;
    event.preventDefault();
  }

  /** Before a change, keeps the text for the way back. */
  changes(event) {
    if (event.inputType.startsWith("history")) return event.preventDefault();
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
      this.leave().then((isStored) => {
        if (!isStored) return;
        this.view.actions.history(isForward ? "redo" : "undo", isForward ? 1 : 1 + this.steps);
        this.steps = 0;
      });
    }
  }

  /** Joins the text to the paragraph before, while no answer is expected: it would be about other segments. */
  async join() {
    const { segments, paragraphs, spans } = this.view;
    if (this.unanswered && !(await this.send())) return;
    if (!this.isOpen || this.first === 0 || !(await segments.load(this.first - 1))) return;
    const own = segments.get(this.first);
    const before = segments.get(this.first - 1);
    if (before.channel !== own.channel || notableSpans(spans, before.end, own.start).length > 0) {
      return this.say("What is between the paragraphs keeps them apart.");
    }
    const text = this.area.value;
    const { first: old, end, revisions, saved, past, future } = this;
    this.begin(paragraphs.head(old - 1), old);
    const earlier = this.saved;
    // What is not stored yet is stored with the whole.
    Object.assign(this, { end, revisions: [...this.revisions, ...revisions], saved: `${earlier}\n${saved}` });
    const apart = (one) => ({ text: `${earlier}\n${one.text}`, cursor: one.cursor + earlier.length + 1 });
    Object.assign(this, {
      past: [...past.map(apart), { text: `${earlier}\n${text}`, cursor: earlier.length + 1 }], future: future.map(apart),
    });
    this.area.value = joinedText([earlier, text]);
    this.place(this.area.value.length - text.length);
    this.changed();
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
    const { first, end, count, revisions, time } = this;
    return { first, end, count, revisions, time, text: this.area.value };
  }

  get isStored() { return !this.unanswered && isSame(this.area.value, this.saved); }

  keep() {
    if (this.isStored) keptText.remove(this.session);
    else keptText.put(this.session, { ...this.edit, unanswered: this.unanswered });
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
    return this.inTurn(() => this.send());
  }

  /** Does something when what was begun before is done. */
  inTurn(act) {
    this.turns = (this.turns ?? Promise.resolve()).then(act);
    return this.turns;
  }

  /** Sends the text. One whose answer was lost may be stored: it is sent again as it was, and what was typed since after it. */
  async send() {
    if (!this.isOpen || this.isStored) return true;
    const { session, opened } = this;
    const isAgain = this.unanswered !== null;
    const edit = (this.unanswered ??= this.edit);
    try {
      const { segments, segmentCount } = await stored(session, edit);
      if (opened !== this.opened || !this.isOpen) return true;
      await this.view.textChanged(segmentCount);
      this.unanswered = null;
      if (isAgain || segments.length > 0) this.steps += 1;
      Object.assign(this, { ...after(edit, segmentCount), saved: edit.text });
      // With the new revisions.
      this.know(segmentsIn(this.view.segments, this.first, this.end));
      this.keep();
      this.say("");
      return isAgain ? this.send() : true;
    } catch (error) {
      if (opened !== this.opened || !this.isOpen) return false;
      if (!(error instanceof UnreachableError)) this.unanswered = null;
      this.keep();
      if (this.unanswered) {
        this.say("Not stored yet: the server cannot be reached. The text is kept in this browser, and is stored when the server answers.");
        this.timer = setTimeout(() => (this.isLeaving ? this.leave() : this.save()), retryAfter);
      } else if (error.status === 409) {
        this.say("This text was changed elsewhere meanwhile. Your text is still here; it replaces the other one when you go on.");
        await this.view.segments.renew((await request(sessionPath(session))).segmentCount);
        this.meet(edit);
      } else this.say(error.message);
      return false;
    }
  }

  /** Goes on with segments that were changed elsewhere. If they have other numbers, those at the time of the edit are meant. */
  meet({ first, end, count, time = {} }) {
    const { segments, paragraphs, rows } = this.view;
    this.steps = 0;
    if (count === null || count === segments.count) {
      this.begin(first, Math.min(end, segments.count));
      return;
    }
    const all = segmentsIn(segments, 0, segments.count).filter(({ channel }) => channel === time.channel);
    const rowAt = (moment) => (all.findLast(({ start }) => start <= moment) ?? all[0])?.id ?? first;
    this.isMoving = true;
    this.box.remove();
    this.isMoving = false;
    this.first = null;
    this.begin(paragraphs.head(rowAt(time.start)), paragraphs.end(rowAt(Math.max(time.start, time.end - 0.001))));
    rows.invalidate(0, segments.count - 1);
    this.place(this.area.selectionStart);
  }

  /** Stores what was typed before the page was closed or the server ended. */
  async restore() {
    const { id } = this.view;
    const kept = keptText.get(id);
    if (!kept) return;
    let edit = kept.unanswered ?? kept;
    try {
      let { segmentCount } = await stored(id, edit);
      if (edit !== kept) {
        const { first, end, count } = after(edit, segmentCount);
        const { segments } = await request(`${sessionPath(id, "segments")}?from=${first}&limit=${end - first}`);
        edit = { ...kept, first, end, count, revisions: segments.map(({ revision }) => revision) };
        ({ segmentCount } = await stored(id, edit));
      }
      keptText.remove(id);
      if (id !== this.view.id) return;
      await this.view.textChanged(segmentCount);
      this.view.notices.show("What you had typed was stored.");
    } catch (error) {
      if (id !== this.view.id) return;
      // It is shown, and stored when the person goes on with it.
      if (!(await this.view.segments.load(edit.first))) return;
      this.meet(edit);
      this.fill(kept.text, kept.text.length);
      if (error instanceof UnreachableError) this.unanswered = edit;
      this.keep();
      this.say(`This is what you had typed. It is not stored yet: ${error.message}`);
    }
  }
}

function segmentsIn(segments, first, end) {
  return Array.from({ length: end - first }, (_, index) => segments.get(first + index)).filter(Boolean);
}

/** Sends an edit. One that is stored already changes nothing. */
function stored(session, { first, end, count, revisions, text }) {
  return request(sessionPath(session, "text"), {
    method: "PUT", body: { first, end, paragraphs: lines(text), revisions, ...(count === null ? {} : { segmentCount: count }) },
  });
}

/** The rows of an edit that is stored. */
function after({ first, end, count }, segmentCount) {
  return count === null ? { first, end, count } : { first, end: end + segmentCount - count, count: segmentCount };
}
