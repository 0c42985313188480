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
      keydown: (event) => this.key(event), beforeinput: (event) => this.changes(event), input: () => this.changed(),
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
    Object.assign(this, { session: id, first, end, count: isLive ? null : segments.count, revisions: own.map(({ revision }) => revision) });
    this.saved = joinedText(own.map(({ formatted }) => formatted));
    this.area.setAttribute("aria-label", `Text of the paragraph at ${spoken(own[0]?.start ?? 0)}`);
  }

  fill(text, cursor) {
    Object.assign(this, { past: [], future: [], lastKey: 0 });
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
    else if (event.key === "Backspace" && atStart) this.inTurn(() => this.join().catch(this.view.failed));
    else if (event.key === "Tab") this.view.player.toggle();
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

  changed() {
    this.isLeaving = false;
    this.grow();
    this.keep();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), rest);
  }

  /** Takes back what was typed; what was stored before that is taken back by the server. */
  step(isForward) {
    const [from, to] = isForward ? [this.future, this.past] : [this.past, this.future];
    const other = from.pop();
    if (other) {
      to.push({ text: this.area.value, cursor: this.area.selectionStart });
      this.area.value = other.text;
      this.area.setSelectionRange(other.cursor, other.cursor);
      this.lastKey = 0;
      this.changed();
    } else if (!isForward || this.past.length === 0) {
      this.leave().then((isStored) => { if (isStored) this.view.actions.history(isForward ? "redo" : "undo"); });
    }
  }

  /** Joins the text to the paragraph before, while no answer is expected: it would be about other segments. */
  async join() {
    const { segments, paragraphs, spans } = this.view;
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

  keep() {
    const { first, end, count, revisions, saved } = this;
    if (isSame(this.area.value, saved)) keptText.remove(this.session);
    else keptText.put(this.session, { first, end, count, revisions, text: this.area.value });
  }

  /** Stores the text and closes the editor, with the focus on its row. Returns whether it is stored; if it is not, the editor stays. */
  async leave() {
    if (!this.isOpen) return true;
    const { session, first } = this;
    this.isLeaving = true;
    if (!(await this.save())) return false;
    if (this.session !== session || !this.isOpen) return true;
    // Typed meanwhile.
    if (!isSame(this.area.value, this.saved)) return this.leave();
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

  async send() {
    if (!this.isOpen || isSame(this.area.value, this.saved)) return true;
    const { session, first, end, count, revisions } = this;
    const text = this.area.value;
    try {
      const answer = await stored(session, { first, end, count, revisions, text });
      if (session !== this.view.id || !this.isOpen) return true;
      await this.view.textChanged(answer);
      this.end = end + (count === null ? 0 : answer - count);
      // With the new revisions.
      const own = segmentsIn(this.view.segments, first, this.end);
      Object.assign(this, { count: count === null ? null : answer, saved: text, revisions: own.map(({ revision }) => revision) });
      this.keep();
      this.say("");
      return true;
    } catch (error) {
      if (session !== this.view.id) return false;
      this.keep();
      if (error instanceof UnreachableError) {
        this.say("Not stored yet: the server cannot be reached. The text is kept in this browser, and is stored when the server answers.");
        this.timer = setTimeout(() => (this.isLeaving ? this.leave() : this.save()), retryAfter);
      } else if (error.status === 409) {
        this.say("This text was changed elsewhere meanwhile. Your text is still here; it replaces the other one when you go on.");
        await this.view.segments.renew((await request(sessionPath(session))).segmentCount);
        this.revisions = segmentsIn(this.view.segments, first, end).map(({ revision }) => revision);
        this.count = count === null ? null : this.view.segments.count;
      } else this.say(error.message);
      return false;
    }
  }

  /** Stores what was typed before the page was closed or the server ended. */
  async restore() {
    const { id } = this.view;
    const kept = keptText.get(id);
    if (!kept) return;
    try {
      const count = await stored(id, kept);
      keptText.remove(id);
      if (id !== this.view.id) return;
      await this.view.textChanged(count);
      this.view.notices.show("What you had typed was stored.");
    } catch (error) {
      if (id !== this.view.id) return;
      // It is shown, and stored when the person goes on with it.
      if (!(await this.view.segments.load(kept.first))) return;
      this.begin(kept.first, Math.min(kept.end, this.view.segments.count));
      this.fill(kept.text, kept.text.length);
      this.keep();
      this.say(`This is what you had typed. It is not stored yet: ${error.message}`);
    }
  }
}

function segmentsIn(segments, first, end) {
  return Array.from({ length: end - first }, (_, index) => segments.get(first + index)).filter(Boolean);
}

/** Sends an edit. Returns the number of segments of the session. An edit whose answer was lost is found in the text. */
async function stored(session, { first, end, count, revisions, text }) {
  const paragraphs = lines(text);
  try {
    const { segmentCount } = await request(sessionPath(session, "text"), {
      method: "PUT", body: { first, end, paragraphs, revisions, ...(count === null ? {} : { segmentCount: count }) },
    });
    return segmentCount;
  } catch (error) {
    if (error.status !== 409) throw error;
    const { segmentCount } = await request(sessionPath(session));
    const limit = end - first + (count === null ? 0 : segmentCount - count);
    if (limit <= 0) throw error;
    const { segments } = await request(`${sessionPath(session, "segments")}?from=${first}&limit=${limit}`);
    const found = [];
    for (const { text, formatted, beginsParagraph } of segments) {
      if (text === "") continue;
      if (found.length === 0 || beginsParagraph) found.push([]);
      found.at(-1).push(formatted);
    }
    if (found.map(joinedText).join("\n") !== paragraphs.join("\n")) throw error;
    return segmentCount;
  }
}
