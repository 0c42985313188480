import { request, sessionPath } from "./api.js";
import { extended, joined, notableSpans, withoutOrdinary, withoutPending } from "./coverage.js";
import { byId } from "./element.js";
import { Follow } from "./follow.js";
import { isFinal, isLive } from "./format.js";
import { PlaybackHighlight } from "./playback.js";
import { PlaybackTools } from "./playback-tools.js";
import { Player } from "./player.js";
import { remember } from "./route.js";
import { RowWindow } from "./rows.js";
import { SegmentActions } from "./segment-actions.js";
import { bareWord, betweenRows, fillRow, isBehind, makeRow } from "./segment-row.js";
import { Segments } from "./segments.js";
import { SessionDetails } from "./session-details.js";
import { SessionHeader } from "./session-header.js";
import { SpeakerPopup } from "./speaker-popup.js";
import { Speakers } from "./speakers.js";
import { Stream } from "./stream.js";
import { Terms } from "./terms.js";
import { Timeline } from "./timeline.js";
import { UnsureWords } from "./unsure-words.js";
import { WordPopup } from "./word-popup.js";

const waveformEvery = 5000;
const maxPeaks = 2000;
const longestAway = 60_000;
const waiting = {
  recording: "Recording… The transcript appears here.",
  paused: "Paused. The transcript continues when you resume.",
  finishing: "Transcribing the rest…",
  queued: "Waiting for its turn. The transcript appears here.",
  importing: "Copying the audio. The transcript appears here after that.",
  transcribing: "Transcribing… The transcript appears here.",
};

/** The open session: its rows, its audio, and its live events. */
export class SessionView {
  constructor({ announcer, notices, recorder, connection, changed, corrected, openSearch }) {
    Object.assign(this, { announcer, notices, recorder, connection, openSearch });
    this.failed = (error) => notices.error(error);
    this.header = new SessionHeader();
    this.details = new SessionDetails({ failed: this.failed, changed });
    this.terms = new Terms(byId("terms"), (row) => this.go(row));
    this.view = { showsConfidence: false, showsNormalized: false, mark: new Set(), current: null, open: new Set(), details: new Map() };
    this.actions = new SegmentActions(this);
    this.rows = new RowWindow(byId("scroller"), byId("rows"), {
      make: (row) => makeRow(row, this),
      fill: (row, item) => fillRow(item, row, this),
      wanted: (first, last) => this.segments?.want(first - 1, last + 1),
      scrolled: (isAtEnd) => this.scrolled(isAtEnd),
    });
    this.follow = new Follow(byId("back-to-live"), this.rows);
    this.player = new Player(byId("audio"), { changed: () => this.played(), failed: this.failed });
    this.popup = new WordPopup(this, { failed: this.failed, announcer, changed: () => {
      this.unsure.count();
      corrected(this.id);
    } });
    this.unsure = new UnsureWords(this);
    this.speakers = new Speakers(this);
    this.speakerPopup = new SpeakerPopup(this);
    this.highlight = new PlaybackHighlight(this.player, this);
    this.timeline = new Timeline(byId("timeline"), byId("legend"), (time) => this.seek(time));
    // Messages are above the player, whose height varies.
    const player = document.querySelector(".player");
    new ResizeObserver(() => document.documentElement.style.setProperty("--player", `${player.offsetHeight}px`))
      .observe(player);
    byId("play").addEventListener("click", () => this.player.toggle());
    this.playback = new PlaybackTools(this);
    byId("rows").addEventListener("click", (event) => this.clicked(event));
    this.allSpans = [];
    this.spans = [];
    this.transcribed = 0;
    this.id = null;
  }

  get duration() { return this.session?.duration ?? 0; }
  get isLive() { return isLive(this.session?.state); }

  /** Opens a session at a row; without one, at its start, or at its end while it is being recorded. */
  async open({ session: id, row, mark }) {
    if (id === this.id) {
      if (row !== null && this.segments) this.go(row, mark);
      return;
    }
    this.close();
    this.id = id;
    const session = await this.fetched(id);
    if (this.id !== id) return;
    this.sequence = session.sequence;
    this.segments = new Segments(id, session.segmentCount, (first, last) => this.loaded(first, last));
    byId("session").hidden = false;
    this.update(session);
    this.player.open(id, session.hasAudio);
    this.follow.setLive(this.isLive);
    this.view.mark = new Set(mark);
    const atEnd = this.isLive && row === null;
    this.rows.reset(session.segmentCount, { row: Math.min(row ?? 0, Math.max(0, session.segmentCount - 1)), atEnd });
    this.follow.unseen = 0;
    this.follow.show();
    if (row !== null && mark.length > 0) this.go(row, mark);
    this.recorder.showsSession(id);
    this.listen();
    this.loadWaveform();
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
    this.stream?.close();
    this.stream = null;
    this.segments?.close();
    this.terms.close();
    this.popup.close(false);
    this.speakerPopup.close(false);
    this.speakers.close();
    this.hasRows = false;
    this.unsure.show(null);
    this.segments = null;
    clearTimeout(this.waveformTimer);
    this.player.open(null, false);
    this.highlight.clear();
    this.follow.setLive(false);
    Object.assign(this.view, { mark: new Set(), current: null, open: new Set(), details: new Map() });
    this.allSpans = [];
    this.spans = [];
    this.session = null;
    this.transcribed = 0;
    this.id = null;
    this.timeline.show({ duration: 0, spans: [], peaks: [], waveformEnd: 0, coverage: {} });
    this.showPartial({ text: "" });
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
    if (this.session.hasSecondText) this.terms.want(this.id);
    this.showLength();
    if (before !== undefined && before !== this.session.state) {
      this.announcer.say(`The session is ${this.session.state}`);
      this.follow.setLive(this.isLive);
    }
    if (before !== undefined && before !== this.session.state) this.unsure.count();
  }

  /** Updates the recorded and transcribed seconds of a recording. */
  recorded({ recorded, transcribed }) {
    if (!this.isLive) return;
    this.transcribed = transcribed;
    // The page shows whole seconds; levels come ten times a second.
    if (Math.floor(recorded) <= Math.floor(this.duration)) return;
    this.session.duration = recorded;
    if (!this.session.hasAudio) {
      this.session.hasAudio = true;
      this.player.hasAudio = true;
      this.played();
    }
    this.showLength();
  }

  /** Shows the length and the coverage. */
  showLength() {
    const { duration } = this;
    const { spans, coverage } = this.isLive
      ? extended(this.allSpans, this.session.coverage, {
        // Nothing is known yet about the time of the partial text.
        transcribed: Math.min(this.transcribed, this.partial?.start ?? Infinity), recorded: duration,
      })
      : { spans: this.allSpans, coverage: this.session.coverage };
    this.showState();
    this.timeline.show({ duration, spans, coverage });
    this.showTime();
  }

  /** Shows the state. */
  showState() {
    if (!this.session) return;
    this.header.show(this.session, this.recorder.stateOf(this.session));
    this.details.show(this.session);
    this.showTail();
  }

  listen() {
    if (isFinal(this.session.state)) return;
    const id = this.id;
    this.stream = new Stream(() => `${sessionPath(id, "events")}?after=${this.sequence}`, {
      segment: (segment, sequence) => this.received(segment, sequence),
      // The segment before a new one, with its last mark.
      written: (segment) => this.received(segment),
      partial: (partial) => this.showPartial(partial),
      session: (session) => this.update(session),
      level: (level) => {
        this.recorder.level(level);
        this.recorded(level);
      },
      notice: ({ kind, text }) => this.notices.show(text, kind),
      end: () => this.ended(id),
    }, {
      prepare: () => this.again(id),
      changed: (state) => this.connection.set("session", state),
    });
  }

  /** Checks after a lost connection whether the session still exists. */
  async again(id) {
    try {
      await request(`${sessionPath(id, "segments")}?from=0&limit=1`);
      // Events repeat the coverage of the last two minutes; after a longer time all of it is loaded again.
      if (Date.now() - this.lastUpdate > longestAway) this.update(await request(sessionPath(id)));
    } catch (error) {
      if (error.status === 404) await this.ended(id);
      throw error;
    }
  }

  /** Checks whether a session without live events still exists. */
  async check() {
    const { id } = this;
    if (!this.segments || this.stream) return;
    try {
      await request(`${sessionPath(id, "segments")}?from=0&limit=1`);
    } catch (error) {
      if (error.status !== 404) throw error;
      if (this.id === id) this.gone();
    }
  }

  gone() {
    this.notices.show("The session was deleted.");
    location.hash = "#/";
  }

  async ended(id) {
    this.stream?.close();
    this.stream = null;
    this.showPartial({ text: "" });
    try {
      const session = await request(sessionPath(id));
      if (this.id !== id) return;
      this.update(session);
      this.loadWaveform();
      // Voices are told apart at the end.
      this.speakers.load();
    } catch (error) {
      if (error.status !== 404) this.failed(error);
      else if (this.id === id) this.gone();
    }
  }

  /** Adds a new segment, or a new revision of one. */
  received(segment, sequence) {
    if (sequence) this.sequence = Number(sequence);
    const before = this.segments.count;
    this.speakers.received(segment);
    const isChanged = this.segments.put(segment);
    if (this.partial && this.partial.start < segment.end) this.showPartial({ text: "" });
    if (!isChanged) return;
    if (this.session.hasSecondText) this.terms.want(this.id);
    if (this.view.open.has(segment.id)) this.actions.loadDetails(segment.id);
    if (this.segments.count > before) {
      this.announcer.text(segment.formatted);
      this.follow.added(this.segments.count - before);
    }
    this.loaded(segment.id, segment.id);
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
    this.showTail();
  }

  refillAll() { this.rows.invalidate(0, Infinity); }

  /** Fills rows again whose lines before them are out of date. */
  refillBehind() {
    for (let row = this.rows.first; row <= this.rows.last; row += 1) {
      const item = this.rows.element(row);
      if (item && isBehind(item, row, this)) this.rows.invalidate(row, row);
    }
  }

  showPartial(partial) {
    this.partial = partial.text ? partial : null;
    byId("partial").textContent = partial.text ?? "";
    byId("partial-row").hidden = !this.partial;
    this.showTail();
    this.rows.schedule();
  }

  /** Shows what follows the last row. */
  showTail() {
    if (!this.segments) return;
    const last = this.segments.get(this.segments.count - 1);
    const isEmpty = this.segments.count === 0;
    const end = isEmpty ? 0 : last?.end;
    const spans = end === undefined ? [] : notableSpans(this.spans, end, this.duration);
    // During a recording the last pause has not ended. Without segments there is no pause.
    const lines = end === undefined ? [] : betweenRows(end, this.duration, spans, {
      pauses: !this.isLive && !isEmpty, play: (time) => this.player.play(time),
    });
    // Equal lines are kept, so that the user does not lose a button while pressing it.
    const after = byId("after");
    const isSame = lines.length === after.children.length
      && lines.every((line, index) => line.isEqualNode(after.children[index]));
    if (!isSame) after.replaceChildren(...lines);
    byId("nothing").hidden = !isEmpty || this.partial !== null || (!this.isLive && spans.length > 0);
    byId("nothing").textContent = this.isLive ? waiting[this.recorder.stateOf(this.session)] : "No speech was recognized.";
  }

  /** Scrolls to a row and makes it the current one. With words to mark, playback would begin at the first of them. */
  go(row, mark = [], { takesFocus = true } = {}) {
    this.view.mark = new Set(mark);
    this.rows.show(row, 0.3);
    this.makeCurrent(row, { isShown: true, takesFocus });
    this.refillAll();
    this.follow.show();
    if (mark.length > 0 && !this.player.isPlaying) this.cue(row).catch(this.failed);
  }

  /** Moves the playback position to the first marked word of a row. */
  async cue(row) {
    const { id } = this;
    const segment = await this.segments.load(row);
    if (!segment || id !== this.id) return;
    const word = segment.words.find(({ display }) => this.view.mark.has(bareWord(display)));
    await this.player.seek((word ?? segment).start);
    this.showTime();
  }

  /** Marks words in all rows. */
  mark(words) {
    this.view.mark = new Set(words);
    this.refillAll();
  }

  makeCurrent(row, { isShown = false, takesFocus = true } = {}) {
    const before = this.view.current;
    this.view.current = row;
    for (const changed of [before, row]) {
      const item = changed === null ? undefined : this.rows.element(changed);
      item?.classList.toggle("current", changed === row);
      if (changed === row) item?.setAttribute("aria-current", "true");
      else item?.removeAttribute("aria-current");
    }
    if (!isShown) this.rows.reveal(row);
    if (takesFocus) this.rows.element(row)?.focus({ preventScroll: true });
    this.follow.show();
  }

  /** Goes to the next or the previous row. */
  step(by) {
    if (!this.segments || this.segments.count === 0) return;
    const current = this.view.current;
    const isThere = current !== null && this.rows.element(current);
    const row = isThere ? this.speakers.step(current, by) ?? current + by : this.rows.topRow;
    const bounded = Math.max(0, Math.min(this.segments.count - 1, row));
    this.makeCurrent(bounded);
    remember(this.id, bounded, [...this.view.mark]);
  }

  /** The row to which keyboard shortcuts apply. */
  get currentRow() { return this.view.current ?? (this.rows.count > 0 ? this.rows.topRow : null); }

  /** Plays the current row: from the focused word, else from a search result in it, else from its start. */
  async playCurrent() {
    const row = this.currentRow;
    const segment = row === null ? undefined : await this.segments.load(row);
    if (!segment) return;
    const item = this.rows.element(row);
    const found = item?.querySelector(".word:focus") ?? item?.querySelector(".found");
    const word = found ? segment.words[Number(found.dataset.word)] : undefined;
    this.player.play((word ?? segment).start);
  }

  end() {
    if (this.segments) this.follow.back();
  }

  beginning() {
    if (this.segments) this.rows.show(0);
    this.follow.show();
  }

  clicked(event) {
    const word = event.target.closest(".word");
    const item = event.target.closest(".row");
    // A click that ends a selection of text is none on a word.
    if (!word || !item?.segment || !getSelection().isCollapsed) return;
    this.popup.open(Number(item.dataset.row), Number(word.dataset.word)).catch(this.failed);
  }

  /** Opens the popup at the focused word, or at the first word of the current row. */
  correct() {
    const word = document.activeElement?.closest(".word");
    const row = word ? Number(word.closest(".row").dataset.row) : this.currentRow;
    if (row !== null) this.popup.open(row, word ? Number(word.dataset.word) : 0).catch(this.failed);
  }

  /** Loads segments again that were changed. */
  async reload(rows) {
    for (const row of rows) {
      const segment = await request(sessionPath(this.id, `segments/${row}`)).catch(() => null);
      if (segment) this.actions.accept(row, segment);
    }
  }

  /** Goes to a time, in the audio and in the rows. */
  async seek(time) {
    if (!this.segments) return;
    try {
      this.timeline.setTime(time);
      const audio = this.player.seek(time);
      // The text is shown also if the audio cannot be played. The error is reported below.
      audio.catch(() => {});
      if (this.segments.count > 0) {
        this.rows.reveal(await this.segments.rowAt(time, this.duration));
        this.follow.show();
      }
      await audio;
    } catch (error) {
      this.failed(error);
    }
  }

  played() {
    byId("play").dataset.playing = String(this.player.isPlaying);
    byId("play").setAttribute("aria-label", this.player.isPlaying ? "Pause" : "Play");
    byId("play").disabled = !this.player.hasAudio;
    this.playback?.show();
    this.showTime();
    this.highlight?.update();
  }

  showTime() {
    this.header.showTime(this.player.time, this.duration);
    this.timeline?.setTime(this.player.time);
  }

  scrolled(isAtEnd) {
    this.follow.scrolled(isAtEnd);
    clearTimeout(this.rememberTimer);
    this.rememberTimer = setTimeout(() => {
      if (!this.segments) return;
      const row = this.rows.sticksToEnd || this.rows.topRow === 0 ? null : this.rows.topRow;
      remember(this.id, row, []);
    }, 250);
  }

  setShowsConfidence(shows) {
    this.view.showsConfidence = shows;
    byId("doubt-legend").hidden = !shows;
    this.refillAll();
    this.announcer.say(shows ? "Unsure words are marked" : "Unsure words are not marked");
  }

  setShowsNormalized(shows) {
    this.view.showsNormalized = shows;
    this.refillAll();
    this.announcer.say(shows ? "The text has the vocabulary's spelling" : "The text is as recognized");
  }

  async loadWaveform() {
    clearTimeout(this.waveformTimer);
    const id = this.id;
    const duration = this.duration;
    const points = Math.min(maxPeaks, Math.max(200, Math.round(this.timeline.width)));
    try {
      if (this.session.hasAudio && duration > 0) {
        const query = new URLSearchParams({ from: 0, to: duration, points });
        const { peaks } = await request(`${sessionPath(id, "waveform")}?${query}`);
        if (this.id !== id) return;
        this.timeline.show({ peaks: Float32Array.from(peaks), waveformEnd: duration });
      }
    } catch {
      // The timeline works without a waveform.
    }
    if (this.isLive && this.id === id) this.waveformTimer = setTimeout(() => this.loadWaveform(), waveformEvery);
  }
}
