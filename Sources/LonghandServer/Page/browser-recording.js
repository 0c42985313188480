import { request } from "./api.js";
import { PieceSender } from "./piece-sender.js";

const askEvery = 2000;

/** A recording that the server makes of this browser's microphone. */
export class BrowserRecording {
  /**
   * Begins to record.
   * @param begin asks the server for a rate, and returns its document with the name of the `stream`, and the `choice`: how the
   *   recording is transcribed.
   * @param report has functions: `changed` (this page knows more than the server: the level, or what is not sent), `again` (begins
   *   another one with a rate and the choice, when the recording has ended without this page), `ended` (this page records no more;
   *   with a file of what the server has not, or null, and the choice) and `failed`.
   */
  static async start(microphone, begin, report) {
    // What is said before the answer is kept.
    const early = [];
    microphone.onpiece = (piece) => early.push(piece);
    try {
      const document = await begin(microphone.rate);
      const recording = new BrowserRecording(microphone, document, report);
      for (const piece of early) recording.sender.add(piece);
      return { recording, document };
    } catch (error) {
      microphone.onpiece = null;
      throw error;
    }
  }

  constructor(microphone, { session, stream, choice }, report) {
    Object.assign(this, { microphone, session, choice, report, state: "recording", asking: 0, asked: 0, dBFS: -120 });
    this.sender = new PieceSender(stream, microphone.rate, {
      changed: (state) => this.follow(state),
      full: () => this.give("The server was not reached for an hour, so this page records no more. It still sends what it has."),
      again: () => this.again(),
      stopped: () => this.close(),
    });
    microphone.onpiece = (piece, missing) => {
      this.sender.add(piece, missing);
      if (missing > 0) this.warn(`The system stopped the microphone for ${Math.ceil(missing)} s. The recording has a gap there.`);
    };
    microphone.onmute = () => {
      if (this.state === "recording") this.warn("The system has muted the microphone. Until it is back, the recording is silent.");
    };
    microphone.onlevel = ({ dBFS }) => {
      this.dBFS = dBFS;
      report.changed();
    };
    microphone.onended = () => this.give("The browser's microphone is gone. Connect it, and start another recording.");
    // A hidden page gets no events. While it sends, the answers have the state.
    this.timer = setInterval(() => this.look().catch(() => {}), askEvery);
    this.leave = (event) => event.preventDefault();
    this.wake = () => this.stayAwake();
    window.addEventListener("beforeunload", this.leave);
    document.addEventListener("visibilitychange", this.wake);
    this.stayAwake();
  }

  /** Seconds that the server does not have yet. */
  get unsent() { return this.sender.unsent; }

  /** Why the server does not take it, in its words; null if it does, or cannot be reached. */
  get failure() { return this.sender.failure ?? null; }

  pause() { return this.ask("paused", "pause", () => this.microphone.pause()); }

  resume() { return this.ask("recording", "resume", () => this.microphone.resume()); }

  stop() { return this.ask("finishing", "stop", () => this.microphone.close()).finally(() => this.close()); }

  /** Does something with the microphone, and asks the server for the same when it has what was captured before. */
  async ask(state, action, act) {
    this.state = state;
    this.asking += 1;
    this.asked += 1;
    this.report.changed();
    try {
      // The server may be asked much later.
      const seconds = await act();
      const body = seconds > 0 ? { seconds } : undefined;
      return await this.sender.then(() => request(`api/recording/${action}`, { method: "POST", body }));
    } finally {
      this.asking -= 1;
    }
  }

  /** Looks for the state of the recording while there is nothing to send or to ask, and before what is asked later. */
  async look() {
    const { asked } = this;
    if (!this.sender.isIdle || !this.sender.stream) return;
    try {
      const { state } = await this.sender.then(() => request(`api/recording/audio/${this.sender.stream}`));
      if (asked === this.asked) this.follow(state);
    } catch (error) {
      // What is recorded, and what waits, begins another session.
      const hasMore = this.state !== "paused" || this.sender.unsent > 0;
      if (error.code === "stopped" || (error.code === "no_stream" && !hasMore)) this.close();
      else throw error;
    }
  }

  /** Does what was asked elsewhere. */
  follow(state) {
    this.report.changed();
    // What is asked here comes after the server's answer.
    if (this.asking > 0 || this.state === "finishing" || state === this.state) return;
    // Nothing comes from it: the system may have stopped its audio, for a call or while the page was hidden.
    if (state === "disconnected") return this.microphone.wake();
    if (state === "paused") this.microphone.pause();
    else if (state === "recording") this.microphone.resume();
    else return;
    this.state = state;
  }

  async again() {
    if (this.state === "finishing") return null;
    try {
      const { session, stream } = await this.report.again(this.microphone.rate, this.choice);
      this.session = session;
      return stream;
    } catch (error) {
      // Nothing is lost by another attempt.
      if (error.status === undefined || error.status >= 500) throw error;
      if (error.code === "is_recording" && ["finishing", "idle"].includes((await request("api/recording")).state)) {
        throw new Error("The server still transcribes the recording before.");
      }
      this.report.failed(error);
      return null;
    }
  }

  warn(what) { this.report.failed(new Error(what)); }

  give(why) {
    if (this.state === "finishing") return;
    this.warn(why);
    this.stop().catch(this.report.failed);
  }

  /** A phone that goes to sleep records nothing. */
  async stayAwake() {
    if (document.hidden) return;
    this.microphone.wake();
    this.lock = await navigator.wakeLock?.request("screen").catch(() => null);
    if (this.isClosed) this.lock?.release();
  }

  close() {
    if (this.isClosed) return;
    this.isClosed = true;
    clearInterval(this.timer);
    window.removeEventListener("beforeunload", this.leave);
    document.removeEventListener("visibilitychange", this.wake);
    this.lock?.release();
    const rest = this.sender.rest();
    this.sender.close();
    this.microphone.close();
    this.report.ended(rest, this.choice);
  }
}
