import { request, sessionPath } from "./api.js";
import { isFinal } from "./format.js";
import { Stream } from "./stream.js";

const longestAway = 60_000;

/** What happens to the open session while it is shown: new segments, partial text, its state, its end. */
export class SessionEvents {
  /** @param view the open session. */
  constructor(view) {
    this.view = view;
    this.stream = null;
  }

  close() {
    this.stream?.close();
    this.stream = null;
    this.view.notices.end();
  }

  /** @param sequence the number of the last segment that is known. */
  listen(sequence) {
    this.sequence = sequence;
    if (isFinal(this.view.session.state)) return;
    const { id } = this.view;
    this.stream = new Stream(() => `${sessionPath(id, "events")}?after=${this.sequence}`, {
      segment: (segment, sequence) => this.received(segment, sequence),
      // The segment before a new one, with its last mark.
      written: (segment) => this.received(segment),
      partial: (partial) => this.view.tail.showPartial(partial),
      session: (session) => this.view.update(session),
      level: (level) => {
        this.view.recorder.level(level);
        this.recorded(level);
      },
      notice: ({ kind, text, about }) => this.view.notices.show(text, kind, { about, session: id }),
      end: () => this.ended(id),
    }, {
      prepare: () => this.again(id),
      changed: (state) => this.view.connection.set("session", state),
    });
  }

  /** Checks after a lost connection whether the session still exists. */
  async again(id) {
    try {
      await request(`${sessionPath(id, "segments")}?from=0&limit=1`);
      // Events repeat the coverage of the last two minutes; after a longer time all of it is loaded again.
      if (Date.now() - this.view.lastUpdate > longestAway) this.view.update(await request(sessionPath(id)));
    } catch (error) {
      if (error.status === 404) await this.ended(id);
      throw error;
    }
  }

  /** Loads a session without live events again: without a connection it may have been changed or deleted unseen. */
  async refresh() {
    const { id, segments } = this.view;
    if (!segments || this.stream) return;
    try {
      const session = await request(sessionPath(id));
      if (this.view.id === id) this.view.update(session);
      // Segments may have other numbers.
      await segments.renew(session.segmentCount);
    } catch (error) {
      if (error.status !== 404) throw error;
      if (this.view.id === id) this.gone();
    }
  }

  gone() {
    this.view.notices.show("The session was deleted.");
    location.hash = "#/";
  }

  async ended(id) {
    this.close();
    this.view.tail.showPartial({ text: "" });
    try {
      const session = await request(sessionPath(id));
      if (this.view.id !== id) return;
      this.view.update(session);
      this.view.audio.loadWaveform();
      // Voices are separated at the end.
      this.view.speakers.load();
    } catch (error) {
      if (error.status !== 404) this.view.failed(error);
      else if (this.view.id === id) this.gone();
    }
  }

  /** Adds a new segment, or a new revision of one. */
  received(segment, sequence) {
    const { id, session, segments, speakers, tail, terms, shown, actions, announcer, follow } = this.view;
    if (sequence) this.sequence = Number(sequence);
    const before = segments.count;
    speakers.received(segment);
    const isChanged = segments.put(segment);
    if (tail.partial && tail.partial.start < segment.end) tail.showPartial({ text: "" });
    if (!isChanged) return;
    if (session.hasSecondText) terms.want(id);
    if (shown.open.has(segment.id)) actions.loadDetails(segment.id);
    if (segments.count > before) {
      announcer.text(segment.formatted);
      follow.added(segments.count - before);
    }
    this.view.loaded(segment.id, segment.id);
  }

  /** Updates the recorded and transcribed seconds of a recording. */
  recorded({ recorded, transcribed }) {
    if (!this.view.isLive) return;
    this.view.transcribed = transcribed;
    // The page shows whole seconds; levels come ten times a second.
    if (Math.floor(recorded) <= Math.floor(this.view.duration)) return;
    this.view.session.duration = recorded;
    if (!this.view.session.hasAudio) {
      this.view.session.hasAudio = true;
      this.view.player.hasAudio = true;
      this.view.audio.played();
    }
    this.view.showLength();
  }
}
