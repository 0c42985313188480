import { request, sessionPath } from "./api.js";
import { isFinal } from "./format.js";
import { Stream } from "./stream.js";

const longestAway = 60_000;

/** What happens to the open session while it is shown: new segments, partial text, its state, changes by others, its end. */
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
    const { id } = this.view;
    this.stream = new Stream(() => `${sessionPath(id, "events")}?after=${this.sequence}`, {
      segment: (segment, sequence) => this.received(segment, sequence),
      // The segment before a new one, with its last mark.
      written: (segment) => this.received(segment),
      partial: (partial) => this.view.tail.showPartial(partial),
      translated: (passage) => this.view.translated(passage).catch(this.view.failed),
      session: (session) => this.updated(session).catch(this.view.failed),
      level: (level) => {
        this.view.recorder.level(level);
        this.recorded(level);
      },
      notice: ({ kind, text, about }) => this.view.notices.show(text, kind, { about, session: id }),
      // All is recognized, or the session was deleted.
      end: () => this.again(id).catch(() => {}),
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
      if (Date.now() - this.view.lastUpdate > longestAway) await this.updated(await request(sessionPath(id)));
    } catch (error) {
      if (error.status === 404 && this.view.id === id) this.gone();
      throw error;
    }
    // Passages in English came meanwhile, too.
    if (this.view.translation.id === id) await this.view.renewTranslation();
  }

  gone() {
    this.close();
    this.view.notices.show("The session was deleted.");
    location.hash = "#/";
  }

  /** The session has another state, or its text or its speakers were changed. */
  async updated(session) {
    const { view } = this;
    const before = view.session;
    // It is being opened again.
    if (!before) {
      view.isBehind = true;
      return;
    }
    view.update(session);
    if (!isFinal(session.state)) {
      // Who speaks is guessed while it is recorded.
      if (session.speakersRevision !== before.speakersRevision) {
        await view.renew(session.segmentCount);
        await view.speakers.load();
      }
      return;
    }
    if (!isFinal(before.state)) this.completed();
    await view.worked(before, session);
    if (view.id !== session.id) return;
    const { sequence, speakersRevision, segmentCount } = session;
    if (view.segments.isOutdated || segmentCount !== view.segments.count || speakersRevision !== before.speakersRevision) {
      await view.textChanged(segmentCount);
    }
    if (sequence === before.sequence) return;
    view.unsure.count();
    view.corrected(view.id);
  }

  completed() {
    this.view.notices.end();
    this.view.tail.showPartial({ text: "" });
    this.view.audio.loadWaveform();
    // Now it is known who speaks.
    this.view.speakers.load();
  }

  /** Adds a new segment, or a new revision of one. */
  received(segment, sequence) {
    const { id, session, segments, speakers, tail, terms, shown, actions, announcer, follow, isLive } = this.view;
    if (sequence) this.sequence = Number(sequence);
    const before = segments.count;
    speakers.received(segment);
    const isChanged = segments.put(segment);
    if (tail.partial && tail.partial.start < segment.end) tail.showPartial({ text: "" });
    if (!isChanged) return;
    if (session.hasSecondText) terms.want(id);
    if (shown.open.has(segment.key)) actions.loadDetails(segment.key);
    if (isLive && segments.count > before) {
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
