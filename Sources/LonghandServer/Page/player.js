import { sessionPath } from "./api.js";

/** Seconds that playback goes back when it is paused, so that it repeats the last words. */
const backOnPause = 3;
/** Only longer silence is skipped, and this much of it stays at each end. */
const shortestSkip = 1;
const keptSilence = 0.25;

/** Plays the audio of a session from any time, also while it is being recorded. */
export class Player {
  /** @param changed is called when playback starts, stops or moves. */
  constructor(audio, { changed, failed }) {
    this.audio = audio;
    this.changed = changed;
    this.failed = failed;
    this.part = null;
    this.isLoop = false;
    this.silences = null;
    this.speed = 1;
    for (const kind of ["play", "pause", "seeked", "timeupdate", "ended"]) audio.addEventListener(kind, changed);
    audio.addEventListener("play", () => this.watch());
  }

  /** Sets the speed, 0.5 to 3; the pitch stays. */
  setSpeed(speed) {
    this.speed = speed;
    this.audio.preservesPitch = true;
    this.audio.defaultPlaybackRate = speed;
    this.audio.playbackRate = speed;
  }

  /** Looks at every frame while it plays: where a part ends, and where silence begins. */
  watch() {
    if (this.frame) return;
    const tick = () => {
      this.frame = this.isPlaying ? requestAnimationFrame(tick) : 0;
      const { currentTime } = this.audio;
      if (this.part && currentTime >= this.part.end) {
        if (this.isLoop) this.audio.currentTime = this.part.start;
        else {
          this.endPart();
          this.audio.pause();
        }
      } else if (this.silences && !this.part) this.skip(currentTime);
    };
    this.frame = requestAnimationFrame(tick);
  }

  skip(time) {
    const span = this.silences().find(({ kind, start, end }) => kind === "silent" && time >= start + keptSilence && time < end);
    if (span && span.end - keptSilence - time > shortestSkip) this.audio.currentTime = span.end - keptSilence;
  }

  /** Plays from one time to another, once or again and again. */
  playPart(start, end, isLoop = false) {
    this.part = { start, end };
    this.isLoop = isLoop;
    return this.play(start, true);
  }

  endPart() {
    this.part = null;
    this.isLoop = false;
  }

  /** Sets the session. Its audio is loaded when it is played. */
  open(session, hasAudio) {
    this.audio.pause();
    this.audio.removeAttribute("src");
    this.session = session;
    this.hasAudio = hasAudio;
    this.endPart();
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

  async play(time = this.time, isPart = false) {
    if (!this.hasAudio) return;
    if (!isPart && !this.isLoop) this.endPart();
    try {
      if (time !== this.time || this.audio.readyState === 0) await this.seek(time);
      this.setSpeed(this.speed);
      await this.audio.play();
    } catch (error) {
      // An AbortError means that the user paused or jumped before playback started.
      if (error.name !== "AbortError") this.failed(error);
    }
  }

  toggle() {
    if (this.isPlaying) {
      this.audio.pause();
      if (!this.part) this.step(-backOnPause);
    } else this.play(this.audio.ended ? 0 : this.time);
  }

  step(seconds) { this.seek(this.time + seconds).catch(this.failed); }
}
