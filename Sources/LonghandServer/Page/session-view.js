import { request, sessionPath } from "./api.js";
import { extended, joined, notableSpans, withoutOrdinary, withoutPending } from "./coverage.js";
import { byId } from "./element.js";
import { Follow } from "./follow.js";
import { Heard } from "./heard.js";
import { Player } from "./player.js";
import { remember } from "./route.js";
import { RowWindow } from "./rows.js";
import { SegmentActions } from "./segment-actions.js";
import { betweenRows, fillRow, isBehind, makeRow } from "./segment-row.js";
import { Segments } from "./segments.js";
import { SessionHeader } from "./session-header.js";
import { Stream } from "./stream.js";
import { Timeline } from "./timeline.js";

const waveformEvery = 5000;
const mostPeaks = 2000;
const longestAway = 60_000;
const waiting = {
  recording: "Listening… what is said appears here.",
  paused: "Paused. What is said after it goes on appears here.",
  finishing: "Listening to the end…",
};

/** One session on the page: its rows, its sound, and what comes while it is recorded. */
export class SessionView {
  constructor({ announcer, notices, recorder, connection }) {
    Object.assign(this, { announcer, notices, recorder, connection });
    this.failed = (error) => notices.error(error);
    this.header = new SessionHeader();
    this.view = { showsDoubt: false, mark: new Set(), current: null, open: new Set(), details: new Map() };
    this.actions = new SegmentActions(this);
    this.rows = new RowWindow(byId("scroller"), byId("rows"), {
      make: (row) => makeRow(row, this),
      fill: (row, item) => fillRow(item, row, this),
      wanted: (first, last) => this.segments?.want(first - 1, last + 1),
      scrolled: (isAtEnd) => this.scrolled(isAtEnd),
    });
    this.follow = new Follow(byId("back-to-live"), this.rows);
    this.player = new Player(byId("audio"), { changed: () => this.played(), failed: this.failed });
    this.heard = new Heard(this.player, this);
    this.timeline = new Timeline(byId("timeline"), byId("legend"), (time) => this.seek(time));
    // Messages stand above the sound, however high that is.
    const player = document.querySelector(".player");
    new ResizeObserver(() => document.documentElement.style.setProperty("--player", `${player.offsetHeight}px`))
      .observe(player);
    byId("play").addEventListener("click", () => this.player.toggle());
    byId("rows").addEventListener("click", (event) => this.clicked(event));
    this.allSpans = [];
    this.spans = [];
    this.transcribed = 0;
    this.id = null;
  }

  get duration() { return this.session?.duration ?? 0; }
  get isLive() { return this.session?.state === "recording"; }

  /** Shows a session, from a row on; without one from its start, or at its end while it is being recorded. */
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

  /** The session as the server tells it; one that cannot be had is not the one that is shown. */
  async fetched(id) {
    try {
      return await request(sessionPath(id));
    } catch (error) {
      if (this.id === id) this.id = null;
      throw error;
    }
  }

  /** Leaves the session that is shown. */
  close() {
    this.stream?.close();
    this.stream = null;
    this.segments?.close();
    this.segments = null;
    clearTimeout(this.waveformTimer);
    this.player.open(null, false);
    this.heard.clear();
    this.follow.setLive(false);
    Object.assign(this.view, { mark: new Set(), current: null, open: new Set(), details: new Map() });
    this.allSpans = [];
    this.spans = [];
    this.session = null;
    this.transcribed = 0;
    this.id = null;
    this.timeline.show({ duration: 0, spans: [], peaks: [], heard: 0, coverage: {} });
    this.showPartial({ text: "" });
    this.rows.reset(0);
    this.recorder.showsSession(null);
    byId("session").hidden = true;
  }

  /** Takes what the server says of the session as a whole. */
  update(session) {
    this.heardOf = Date.now();
    const before = this.session?.state;
    // The levels are newer than what the store knows of a recording's length.
    const known = session.state === "recording" ? this.duration : 0;
    this.session = { ...this.session, ...session, duration: Math.max(known, session.duration) };
    if (session.spans) this.allSpans = session.spans;
    if (session.recent) this.allSpans = joined(this.allSpans, session.recent);
    if (session.spans || session.recent) {
      const notable = withoutOrdinary(this.allSpans);
      this.spans = this.isLive ? withoutPending(notable) : notable;
      this.refillBehind();
    }
    // The object that is kept must not keep the many spans twice.
    delete this.session.spans;
    delete this.session.recent;
    this.showLength();
    if (before !== undefined && before !== this.session.state) {
      this.announcer.say(`The session is ${this.session.state}`);
      this.follow.setLive(this.isLive);
    }
  }

  /** What the recorder has, which nobody may have listened to yet. */
  recorded({ recorded, transcribed }) {
    if (!this.isLive) return;
    this.transcribed = transcribed;
    // The page shows whole seconds; the levels come ten times in each.
    if (Math.floor(recorded) <= Math.floor(this.duration)) return;
    this.session.duration = recorded;
    if (!this.session.hasAudio) {
      this.session.hasAudio = true;
      this.player.hasAudio = true;
      this.played();
    }
    this.showLength();
  }

  /** How long it is, and what became of that. */
  showLength() {
    const { duration } = this;
    const { spans, coverage } = this.isLive
      ? extended(this.allSpans, this.session.coverage, {
        // What is being said may still become anything.
        heard: Math.min(this.transcribed, this.partial?.start ?? Infinity), recorded: duration,
      })
      : { spans: this.allSpans, coverage: this.session.coverage };
    this.showState();
    this.timeline.show({ duration, spans, coverage });
    this.showTime();
  }

  /** What it is doing. */
  showState() {
    if (!this.session) return;
    this.header.show(this.session, this.recorder.stateOf(this.session));
    this.showTail();
  }

  listen() {
    if (this.session.state === "complete") return;
    const id = this.id;
    this.stream = new Stream(() => `${sessionPath(id, "events")}?after=${this.sequence}`, {
      segment: (segment, sequence) => this.received(segment, sequence),
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

  /** Sees, after the connection was lost, whether there still is something to connect to. */
  async again(id) {
    try {
      await request(`${sessionPath(id, "segments")}?from=0&limit=1`);
      // The events tell what became of the last minutes; who was away longer reads all of it again.
      if (Date.now() - this.heardOf > longestAway) this.update(await request(sessionPath(id)));
    } catch (error) {
      if (error.status === 404) await this.ended(id);
      throw error;
    }
  }

  /** Sees whether a session that brings no news of its own is still there. */
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
    } catch (error) {
      if (error.status !== 404) this.failed(error);
      else if (this.id === id) this.gone();
    }
  }

  /** Takes a segment that was committed, or another revision of one. */
  received(segment, sequence) {
    if (sequence) this.sequence = Number(sequence);
    const before = this.segments.count;
    const isNews = this.segments.put(segment);
    if (this.partial && this.partial.start < segment.end) this.showPartial({ text: "" });
    if (!isNews) return;
    if (this.view.open.has(segment.id)) this.actions.loadDetails(segment.id);
    if (this.segments.count > before) {
      this.announcer.text(segment.text);
      this.follow.came(this.segments.count - before);
    }
    this.loaded(segment.id, segment.id);
  }

  /** Rows are known now, or known better. */
  loaded(first, last) {
    if (this.segments.count > this.rows.count) this.rows.append(this.segments.count - this.rows.count);
    // What stands before a row depends on the row above it.
    this.rows.invalidate(first, last + 1);
    this.showTail();
  }

  refillAll() { this.rows.invalidate(0, Infinity); }

  /** Rows before which something has turned out to be missing, or not to be. */
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

  /** What comes after the last row. */
  showTail() {
    if (!this.segments) return;
    const last = this.segments.get(this.segments.count - 1);
    const isEmpty = this.segments.count === 0;
    const end = isEmpty ? 0 : last?.end;
    const spans = end === undefined ? [] : notableSpans(this.spans, end, this.duration);
    // A pause that has not ended is none yet, and where nothing was said there is none.
    const lines = end === undefined ? [] : betweenRows(end, this.duration, spans, {
      pauses: !this.isLive && !isEmpty, play: (time) => this.player.play(time),
    });
    // Nobody who is about to press a button there must lose it.
    const after = byId("after");
    const isSame = lines.length === after.children.length
      && lines.every((line, index) => line.isEqualNode(after.children[index]));
    if (!isSame) after.replaceChildren(...lines);
    byId("nothing").hidden = !isEmpty || this.partial !== null || (!this.isLive && spans.length > 0);
    byId("nothing").textContent = this.isLive ? waiting[this.recorder.stateOf(this.session)] : "Nothing was said.";
  }

  /** Goes to a row and makes it the current one. */
  go(row, mark = []) {
    this.view.mark = new Set(mark);
    this.rows.show(row, 0.3);
    this.makeCurrent(row, { isShown: true });
    this.refillAll();
    this.follow.show();
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

  /** The next row, or the one before. */
  step(by) {
    if (!this.segments || this.segments.count === 0) return;
    const current = this.view.current;
    const isThere = current !== null && this.rows.element(current);
    const row = isThere ? current + by : this.rows.topRow;
    const bounded = Math.max(0, Math.min(this.segments.count - 1, row));
    this.makeCurrent(bounded);
    remember(this.id, bounded, [...this.view.mark]);
  }

  /** The row that keys are about. */
  get currentRow() { return this.view.current ?? (this.rows.count > 0 ? this.rows.topRow : null); }

  /** Plays the current row: from the word that the arrows have come to, else from one that was searched for. */
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
    // Words that are being selected are to be copied, not heard.
    if (!word || !item?.segment || !getSelection().isCollapsed) return;
    this.makeCurrent(Number(item.dataset.row), { isShown: true, takesFocus: false });
    this.player.play(item.segment.words[Number(word.dataset.word)].start);
  }

  /** Goes to a time: the sound and the rows. */
  async seek(time) {
    if (!this.segments) return;
    try {
      this.timeline.place(time);
      const [row] = await Promise.all([
        this.segments.count > 0 ? this.segments.rowAt(time, this.duration) : null,
        this.player.seek(time),
      ]);
      if (row === null) return;
      this.rows.reveal(row);
      this.follow.show();
    } catch (error) {
      this.failed(error);
    }
  }

  played() {
    byId("play").dataset.playing = String(this.player.isPlaying);
    byId("play").setAttribute("aria-label", this.player.isPlaying ? "Pause" : "Play");
    byId("play").disabled = !this.player.hasAudio;
    this.showTime();
    this.heard?.update();
  }

  showTime() {
    this.header.showTime(this.player.time, this.duration);
    this.timeline?.place(this.player.time);
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

  setShowsDoubt(shows) {
    this.view.showsDoubt = shows;
    this.refillAll();
    this.announcer.say(shows ? "Unsure words are marked" : "Unsure words are not marked");
  }

  async loadWaveform() {
    clearTimeout(this.waveformTimer);
    const id = this.id;
    const duration = this.duration;
    const points = Math.min(mostPeaks, Math.max(200, Math.round(this.timeline.width)));
    try {
      if (this.session.hasAudio && duration > 0) {
        const query = new URLSearchParams({ from: 0, to: duration, points });
        const { peaks } = await request(`${sessionPath(id, "waveform")}?${query}`);
        if (this.id !== id) return;
        this.timeline.show({ peaks: Float32Array.from(peaks), heard: duration });
      }
    } catch {
      // A timeline without a waveform is still a timeline.
    }
    if (this.isLive && this.id === id) this.waveformTimer = setTimeout(() => this.loadWaveform(), waveformEvery);
  }
}
