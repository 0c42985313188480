import { request, sessionPath } from "./api.js";
import { extended, joined, withoutOrdinary, withoutPending } from "./coverage.js";
import { byId } from "./element.js";
import { Follow } from "./follow.js";
import { isLive } from "./format.js";
import { Paragraphs } from "./paragraphs.js";
import { RowWindow } from "./rows.js";
import { SegmentActions } from "./segment-actions.js";
import { fillRow, isBehind, makeRow } from "./segment-row.js";
import { Segments } from "./segments.js";
import { SessionAudio } from "./session-audio.js";
import { SessionDetails } from "./session-details.js";
import { SessionEvents } from "./session-events.js";
import { SessionHeader } from "./session-header.js";
import { SessionNavigation } from "./session-navigation.js";
import { SessionTail } from "./session-tail.js";
import { SpeakerPopup } from "./speaker-popup.js";
import { Speakers } from "./speakers.js";
import { Terms } from "./terms.js";
import { TextEditor } from "./text-editor.js";
import { Translation } from "./translation.js";
import { UnsureWords } from "./unsure-words.js";
import { WordPopup } from "./word-popup.js";

/** The open session: its state and its rows. Its audio, its live events and the way through the rows are in files of their own. */
export class SessionView {
  constructor({ announcer, notices, recorder, connection, changed, corrected, reviewed, openSearch, transcribe }) {
    Object.assign(this, { announcer, notices, recorder, connection, corrected, reviewed, openSearch });
    this.failed = (error) => notices.error(error);
    this.header = new SessionHeader();
    this.details = new SessionDetails({
      failed: this.failed, changed, transcribe: (locale) => transcribe(this.session, locale),
    });
    this.terms = new Terms(byId("terms"), (row) => this.navigation.go(row));
    // How the rows are shown: words to mark, the current row, and the keys of the segments with an open panel.
    this.translation = new Translation();
    this.shown = { showsConfidence: false, showsNormalized: false, showsTranslation: false, mark: new Set(), current: null, open: new Set(), details: new Map() };
    this.actions = new SegmentActions(this);
    this.paragraphs = new Paragraphs(this);
    this.editor = new TextEditor(this);
    this.rows = new RowWindow(byId("scroller"), byId("rows"), {
      head: (row) => this.paragraphs.head(row),
      make: (row) => makeRow(row, this),
      fill: (row, item) => fillRow(item, row, this),
      wanted: (first, last) => this.segments?.want(first - 1, last + 1),
      scrolled: (isAtEnd) => this.navigation.scrolled(isAtEnd),
    });
    this.follow = new Follow(byId("back-to-live"), this.rows);
    this.navigation = new SessionNavigation(this);
    this.tail = new SessionTail(this);
    this.events = new SessionEvents(this);
    this.popup = new WordPopup(this, { failed: this.failed, announcer });
    this.unsure = new UnsureWords(this);
    this.speakers = new Speakers(this);
    this.speakerPopup = new SpeakerPopup(this);
    this.audio = new SessionAudio(this);
    this.allSpans = [];
    this.spans = [];
    this.transcribed = 0;
    this.id = null;
  }

  get duration() { return this.session?.duration ?? 0; }
  get player() { return this.audio.player; }
  get isLive() { return isLive(this.session?.state); }

  /** Opens a session at a row; without one, at its start, or at its end while it is being recorded. */
  async open({ session: id, row, mark }) {
    if (id === this.id) {
      if (row !== null && this.segments) this.navigation.go(row, mark);
      return;
    }
    this.close();
    this.id = id;
    // Whether it has changed since, so that what is loaded may be older.
    this.isBehind = false;
    const session = await this.fetched(id);
    if (this.id !== id) return;
    this.segments = new Segments(id, session.segmentCount, {
      changed: (first, last) => this.loaded(first, last), moved: (rowAfter) => this.moved(rowAfter),
    });
    byId("session").hidden = false;
    this.update(session);
    this.player.open(id, session.hasAudio);
    this.follow.setLive(this.isLive, this.session.state === "recording");
    this.shown.mark = new Set(mark);
    const atEnd = this.isLive && row === null;
    this.rows.reset(session.segmentCount, { row: Math.min(row ?? 0, Math.max(0, session.segmentCount - 1)), atEnd });
    this.follow.unseen = 0;
    this.follow.show();
    if (row !== null && mark.length > 0) this.navigation.go(row, mark);
    this.recorder.showsSession(id);
    this.events.listen(session.sequence);
    this.audio.loadWaveform();
    await this.editor.restore();
    if (this.isBehind && this.id === id) await this.workChanged();
  }

  /** Loads a session. If that fails, no session is open. */
  async fetched(id) {
    try {
      return await request(sessionPath(id));
    } catch (error) {
      if (this.id === id) this.id = null;
      throw error;
    }
  }

  /** Closes the session. */
  close() {
    this.events.close();
    this.editor.drop();
    this.notices.leave();
    this.segments?.close();
    this.terms.close();
    this.popup.close(false);
    this.speakerPopup.close(false);
    this.speakers.close();
    this.hasRows = false;
    this.unsure.show(null);
    this.segments = null;
    this.audio.close();
    this.follow.setLive(false);
    Object.assign(this.shown, { mark: new Set(), current: null, open: new Set(), details: new Map() });
    this.translation.clear();
    this.shown.showsTranslation = false;
    byId("translated").setAttribute("aria-pressed", "false");
    this.allSpans = [];
    this.spans = [];
    this.session = null;
    this.transcribed = 0;
    this.id = null;
    this.tail.showPartial({ text: "" });
    this.rows.reset(0);
    this.recorder.showsSession(null);
    byId("session").hidden = true;
  }

  /** Updates the status of the session. */
  update(session) {
    this.lastUpdate = Date.now();
    const before = this.session?.state;
    // Levels report the length of a recording earlier than the store.
    const known = isLive(session.state) ? this.duration : 0;
    this.session = { ...this.session, ...session, duration: Math.max(known, session.duration) };
    if (session.spans) this.allSpans = session.spans;
    if (session.recent) this.allSpans = joined(this.allSpans, session.recent);
    if (session.spans || session.recent) {
      const notable = withoutOrdinary(this.allSpans);
      this.spans = this.isLive ? withoutPending(notable) : notable;
      this.refillBehind();
    }
    // The many spans are kept once.
    delete this.session.spans;
    delete this.session.recent;
    byId("normalized").hidden = !this.session.hasSecondText;
    const hasTranslation = this.session.hasTranslation || this.translation.id === this.id;
    byId("translated").hidden = !hasTranslation;
    if (!hasTranslation) byId("translated").setAttribute("aria-pressed", "false");
    if (this.session.hasSecondText) this.terms.want(this.id);
    this.showLength();
    if (before === undefined || before === this.session.state) return;
    this.announcer.say(`The session is ${this.session.state}`);
    this.follow.setLive(this.isLive, this.session.state === "recording");
    if (isLive(before) && !this.isLive) this.refillAll();
    this.unsure.count();
  }

  /** What the server does with the session may have another state. */
  async workChanged() {
    const { id } = this;
    if (!this.session) this.isBehind = true;
    if (!this.session || this.isLive) return;
    const session = await request(sessionPath(id));
    if (id === this.id) await this.events.updated(session);
  }

  /** The server does something again with the session, or has done it: then all of it may be different, and it is opened again. */
  async worked(before, { work }) {
    if (!work || (work.id === before.work?.id && work.state === before.work.state)) return;
    const { id, navigation: { currentRow: row } } = this;
    if (work.state === "failed") this.notices.show(`It failed: ${work.failure}`, "error", { session: id });
    if (work.state !== "done") return;
    if (work.kind === "translation") {
      this.translation.clear();
      if (this.shown.showsTranslation) await this.setShowsTranslation(true);
      this.notices.show("The session is translated: see English.");
      return;
    }
    this.close();
    await this.open({ session: id, row, mark: [] });
    this.notices.show(work.kind === "speakers" ? "The speakers are separated." : "The session is transcribed again.");
  }

  /** Shows the length and the coverage. */
  showLength() {
    const { duration } = this;
    const { spans, coverage } = this.isLive
      ? extended(this.allSpans, this.session.coverage, {
        // Nothing is known yet about the time of the partial text.
        transcribed: Math.min(this.transcribed, this.tail.partial?.start ?? Infinity), recorded: duration,
      })
      : { spans: this.allSpans, coverage: this.session.coverage };
    this.showState();
    this.audio.timeline.show({ duration, spans, coverage });
    this.audio.showTime();
  }

  /** Shows the state. */
  showState() {
    if (!this.session) return;
    this.header.show(this.session, this.recorder.stateOf(this.session));
    this.details.show(this.session);
    this.tail.show();
  }

  /** Rows were loaded or changed. */
  loaded(first, last) {
    if (!this.hasRows) {
      // What reads all of the session waits until there is something to see.
      this.hasRows = true;
      this.speakers.load();
      this.unsure.count();
    }
    if (this.segments.count > this.rows.count) this.rows.append(this.segments.count - this.rows.count);
    // The lines before a row depend on the previous row.
    this.rows.invalidate(first, last + 1);
    this.tail.show();
    this.editor.renewed(first, last);
  }

  /** Segments have other rows. */
  moved(rowAfter) {
    const { shown, editor } = this;
    if (shown.current !== null) shown.current = rowAfter(shown.current);
    editor.moved(rowAfter);
    this.rows.renumber(rowAfter);
  }

  /** Notes which changes can be taken back and made again now. */
  stepped({ step, nextStep }) { if (step !== undefined) Object.assign(this.session, { step, nextStep }); }

  /** Loads the text again: segments may have other rows. */
  renew(count) {
    const { editor, rows, segments } = this;
    return editor.isOpen ? segments.renew(count, editor.first, editor.end) : segments.renew(count, rows.topRow);
  }

  /** The text was edited. */
  async textChanged(count) {
    await this.renew(count);
    if (this.speakers.all.length > 0) this.speakers.load();
  }

  refillAll() { this.rows.invalidate(0, Infinity); }

  /** Fills rows again whose lines before them are out of date. */
  refillBehind() {
    for (let row = this.rows.first; row <= this.rows.last; row += 1) {
      const item = this.rows.element(row);
      if (item && isBehind(item, row, this)) this.rows.invalidate(row, row);
    }
  }

  /** Loads segments again that were changed. */
  async reload(keys) {
    for (const key of keys) {
      const segment = await request(sessionPath(this.id, `segments/${key}`)).catch(() => null);
      if (segment) this.actions.accept(segment);
    }
    if (this.segments?.isOutdated) await this.textChanged((await request(sessionPath(this.id))).segmentCount);
  }

  setShowsConfidence(shows) {
    this.shown.showsConfidence = shows;
    byId("doubt-legend").hidden = !shows;
    this.refillAll();
    this.announcer.say(shows ? "Unsure words are marked" : "Unsure words are not marked");
  }

  /** Makes a text in English, or makes it again. */
  async translate() {
    await request(`${sessionPath(this.id)}/translation`, { method: "POST" });
    this.announcer.say("The session is being translated");
    await this.workChanged();
  }

  /** A passage was translated while the session is recorded: it is shown at once, until somebody hides the English text. */
  async translated(passage) {
    const { id, translation } = this;
    if (translation.id === id) {
      if (translation.passages.some(({ start }) => start === passage.start)) return;
      translation.passages.push(passage);
      if (this.shown.showsTranslation) this.refillAll();
      return;
    }
    byId("translated").hidden = false;
    byId("translated").setAttribute("aria-pressed", "true");
    await this.setShowsTranslation(true);
  }

  /** Loads the English text again. What is shown stays if there is none any more. */
  async renewTranslation() {
    await this.translation.load(this.id).catch(() => {});
    if (this.shown.showsTranslation) this.refillAll();
  }

  async setShowsTranslation(shows) {
    const { id } = this;
    if (shows && this.translation.id !== id) await this.translation.load(id);
    if (id !== this.id) return;
    this.shown.showsTranslation = shows;
    this.refillAll();
    this.announcer.say(shows ? "A text of the model in English is shown under each paragraph" : "The English text is not shown");
  }

  setShowsNormalized(shows) {
    this.shown.showsNormalized = shows;
    this.refillAll();
    this.announcer.say(shows ? "The text has the vocabulary's spelling" : "The text is as recognized");
  }
}
