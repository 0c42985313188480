import { sessionPath } from "./api.js";

/** Plays the audio of a session from any time, also while it is being recorded. */
export class Player {
  /** @param changed is called when playback starts, stops or moves. */
  constructor(audio, { changed, failed }) {
    this.audio = audio;
    this.changed = changed;
    this.failed = failed;
    for (const kind of ["play", "pause", "seeked", "timeupdate", "ended"]) audio.addEventListener(kind, changed);
  }

  /** Sets the session. Its audio is loaded when it is played. */
  open(session, hasAudio) {
    this.audio.pause();
    this.audio.removeAttribute("src");
    this.session = session;
    this.hasAudio = hasAudio;
    this.start = 0;
    this.changed();
  }

  get isPlaying() { return !this.audio.paused && !this.audio.ended; }

  /** Seconds from the start of the audio. */
  get time() { return this.audio.readyState > 0 ? this.audio.currentTime : this.start; }

  /** Loads the length of the audio. */
  prepare() {
    return new Promise((resolve, reject) => {
      const done = (finish) => {
        this.audio.removeEventListener("loadedmetadata", loaded);
        this.audio.removeEventListener("error", broken);
        finish();
      };
      const loaded = () => done(resolve);
      const broken = () => done(() => reject(new Error("The audio cannot be played. Reload the page and try again.")));
      this.audio.addEventListener("loadedmetadata", loaded);
      this.audio.addEventListener("error", broken);
      if (!this.audio.hasAttribute("src")) this.audio.src = sessionPath(this.session, "audio");
      this.audio.load();
    });
  }

  async seek(time) {
    if (!this.hasAudio) return;
    this.start = Math.max(0, time);
    // The audio of a recording grows, but a media element loads its length only once.
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
      // An AbortError means that the user paused or jumped before playback started.
      if (error.name !== "AbortError") this.failed(error);
    }
  }

  toggle() {
    if (this.isPlaying) this.audio.pause();
    else this.play(this.audio.ended ? 0 : this.time);
  }

  step(seconds) { this.seek(this.time + seconds).catch(this.failed); }
}
