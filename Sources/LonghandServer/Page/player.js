import { sessionPath } from "./api.js";

/** Plays a session's sound from any of its seconds, also while it is still being recorded. */
export class Player {
  /** @param changed is called when it begins or stops, or has another place. */
  constructor(audio, { changed, failed }) {
    this.audio = audio;
    this.changed = changed;
    this.failed = failed;
    for (const kind of ["play", "pause", "seeked", "timeupdate", "ended"]) audio.addEventListener(kind, changed);
  }

  /** Takes a session's sound; nothing is fetched before it is played. */
  open(session, hasAudio) {
    this.audio.pause();
    this.audio.removeAttribute("src");
    this.session = session;
    this.hasAudio = hasAudio;
    this.start = 0;
    this.changed();
  }

  get isPlaying() { return !this.audio.paused && !this.audio.ended; }

  /** Seconds from the start of the sound. */
  get time() { return this.audio.readyState > 0 ? this.audio.currentTime : this.start; }

  /** Waits until the sound's length is known. */
  prepare() {
    return new Promise((resolve, reject) => {
      const done = (finish) => {
        this.audio.removeEventListener("loadedmetadata", loaded);
        this.audio.removeEventListener("error", broken);
        finish();
      };
      const loaded = () => done(resolve);
      const broken = () => done(() => reject(new Error("The sound cannot be played.")));
      this.audio.addEventListener("loadedmetadata", loaded);
      this.audio.addEventListener("error", broken);
      if (!this.audio.hasAttribute("src")) this.audio.src = sessionPath(this.session, "audio");
      this.audio.load();
    });
  }

  async seek(time) {
    if (!this.hasAudio) return;
    this.start = Math.max(0, time);
    // The sound of a recording grows, but a media element asks for its length only once.
    if (this.audio.readyState === 0 || this.start > this.audio.duration - 0.5) await this.prepare();
    this.audio.currentTime = Math.min(this.start, this.audio.duration || 0);
    this.changed();
  }

  async play(time = this.time) {
    if (!this.hasAudio) return;
    try {
      if (time !== this.time || this.audio.readyState === 0) await this.seek(time);
      await this.audio.play();
    } catch (error) {
      // Stopped, or sent elsewhere, before it began.
      if (error.name !== "AbortError") this.failed(error);
    }
  }

  toggle() {
    if (this.isPlaying) this.audio.pause();
    else this.play(this.audio.ended ? 0 : this.time);
  }

  step(seconds) { this.seek(this.time + seconds).catch(this.failed); }
}
