import { beforeSignIn, request, sessionPath } from "./api.js";
import { BrowserRecording } from "./browser-recording.js";
import { byId } from "./element.js";
import { clock, isLive, spoken } from "./format.js";
import { keptFiles } from "./kept-files.js";
import { Microphone } from "./microphone.js";
import { RecordDialog, showLevel } from "./record-dialog.js";
import { fragment } from "./route.js";
import { Stream } from "./stream.js";

const lowestLevel = -60;
const texts = { recording: "Recording", paused: "Paused", disconnected: "Disconnected", finishing: "Finishing…" };
const announcements = {
  recording: "Recording", paused: "Recording is paused", finishing: "Transcribing the rest of the recording",
  disconnected: "The browser that records is disconnected",
  idle: "Recording has ended",
};
const pauseLabels = {
  recording: ["Pause recording", "Pause"],
  paused: ["Resume recording", "Resume"],
  disconnected: ["Go on with this browser's microphone", "Go on with this browser's microphone"],
};

/** Starts a recording. Returns the server's document, with the choice of how it is transcribed. */
async function begun(sources, sampleRate, choice) {
  return { ...(await request("api/recording", { method: "POST", body: { sources, sampleRate, ...choice } })), choice };
}

/** Starts, pauses and stops the server's recording, and shows its level and how far it is transcribed. */
export class Recorder {
  /**
   * @param changed is called when the state or the recorded session changes.
   * @param left is called with a file of what this browser has recorded and the server could not take, and how it is transcribed.
   */
  constructor({ announcer, failed, changed, left }) {
    Object.assign(this, { announcer, failed, changed, left });
    this.state = "idle";
    this.session = null;
    /** The recording of this browser's microphone; null for others. */
    this.own = null;
    this.shown = null;
    this.reading = 0;
    byId("record").addEventListener("click", () => this.record());
    this.dialog = new RecordDialog((...chosen) => this.start(...chosen));
    byId("pause").addEventListener("click", () => this.pause());
    byId("stop").addEventListener("click", () => this.stop());
    byId("recording-link").addEventListener("click", () => this.record());
    setInterval(() => this.tick(), 1000);
    beforeSignIn.act = () => this.keepOwn();
  }

  /** Asks for the microphone and records; during a recording, opens its session. */
  record() {
    if (this.session) location.hash = fragment(this.session);
    else this.dialog.open().catch(this.failed);
  }

  /** Pauses or resumes; goes on with this browser where another one is disconnected. */
  pause() {
    if (this.state === "recording") this.send("pause");
    else if (this.state === "paused") this.send("resume");
    else if (this.state === "disconnected") this.takeOver().catch(this.failed);
  }

  stop() { if (["recording", "paused", "disconnected"].includes(this.state)) this.send("stop"); }

  /** Loads the state of the recording. */
  async refresh() { this.update(await request("api/recording")); }

  /** @param microphone that of this browser, if it is the source. */
  async start(sources, choice, microphone) {
    const begin = (sampleRate) => begun(sources, sampleRate, choice);
    const recording = microphone ? await this.use(microphone, begin) : await begin();
    this.update(recording);
    location.hash = fragment(recording.session);
  }

  /** Goes on with a recording whose browser is gone. */
  async takeOver() {
    const microphone = await Microphone.open();
    try {
      this.update(await this.use(
        microphone, (sampleRate) => request("api/recording/take-over", { method: "POST", body: { sampleRate } })));
    } catch (error) {
      microphone.close();
      throw error;
    }
  }

  async use(microphone, begin) {
    // Its microphone would stop the next recording when it is gone.
    this.own?.close();
    const { recording, document } = await BrowserRecording.start(microphone, begin, {
      failed: this.failed,
      changed: () => this.showOwn(),
      again: async (rate, choice) => {
        const next = await begun(["browser"], rate, choice);
        this.failed(new Error("The connection was lost for too long. The recording goes on in another session."));
        this.update(next);
        location.hash = fragment(next.session);
        return next;
      },
      ended: (rest, choice) => {
        this.own = null;
        if (rest) this.left(rest, choice);
        this.refresh().catch(() => {});
      },
    });
    this.own = recording;
    return document;
  }

  /** The server was started again. What it did not get is added when the page is loaded again. */
  async keepOwn() {
    const { own } = this;
    if (!own) return;
    this.own = null;
    this.left = (rest, choice) => { this.leaving = keptFiles.leave(rest, choice); };
    await own.microphone.close();
    own.close();
    await this.leaving;
  }

  async send(action) {
    try {
      // What this browser recorded may have ended, and another recording begun.
      const own = this.own?.session === this.session ? this.own : null;
      this.update(await (own ? own[action]() : request(`api/recording/${action}`, { method: "POST" })));
    } catch (error) {
      this.failed(error);
    }
  }

  /** What this browser knows of its own recording before the server does. */
  showOwn() {
    if (!this.own) return;
    const { dBFS, unsent, state, failure } = this.own;
    showLevel(byId("level"), state === "recording" ? dBFS : lowestLevel);
    if (failure !== this.failure && failure) this.failed(new Error(`${failure} This page keeps what it records.`));
    this.failure = failure;
    if (unsent > 2) {
      this.write("lag", `${Math.round(unsent)} s not sent`);
      this.write("recorded", clock((this.recorded ?? 0) + unsent));
    }
    if (this.own.session === this.session && state !== this.state && this.show(state)) this.changed();
  }

  update({ session, state, server, reading }) {
    // A response may arrive after an event that is newer. Another server may have an earlier clock.
    if (server === this.server && reading < this.reading) return;
    Object.assign(this, { server, reading });
    // This page asks for what was done with its own microphone.
    if (this.own && this.own.session === session) state = this.own.state;
    const isOther = session !== this.session;
    if (state === "idle" && this.state === "finishing") this.finished = this.session;
    const isIdle = state === "idle";
    this.session = session;
    byId("record").hidden = !isIdle;
    byId("recording").hidden = isIdle;
    const isChanged = this.show(state) || isOther;
    if (isOther || isIdle) this.level({ dBFS: lowestLevel, recorded: 0, transcribed: 0 });
    this.updateStream();
    if (isChanged) this.changed();
  }

  /** Shows a state; returns whether it is another one. */
  show(state) {
    const isChanged = state !== this.state;
    if (isChanged) this.announcer.say(announcements[state] ?? state);
    this.state = state;
    byId("recording").dataset.state = state;
    byId("recording-state").textContent = texts[state] ?? state;
    byId("recording-state").classList.toggle("visually-hidden", state === "recording");
    byId("pause").disabled = state === "finishing";
    byId("stop").disabled = state === "finishing";
    const [label, title] = pauseLabels[state] ?? pauseLabels.recording;
    byId("pause").setAttribute("aria-label", label);
    byId("pause").title = title;
    return isChanged;
  }

  /** The state of a session. While this server makes it, the recorder knows it first. */
  stateOf({ id, state }) {
    if (!isLive(state)) return state;
    // The store changes the state a moment later.
    if (id === this.finished) return "finishing";
    return id === this.session && this.state !== "idle" ? this.state : state;
  }

  /** Sets the open session, whose events the page receives by another stream. */
  showsSession(id) {
    this.shown = id;
    this.updateStream();
  }

  updateStream() {
    const wanted = this.state !== "idle" && this.session !== this.shown ? this.session : null;
    if (wanted === (this.followed ?? null)) return;
    this.stream?.close();
    this.stream = null;
    this.followed = wanted;
    if (!wanted) return;
    this.stream = new Stream(() => sessionPath(wanted, "events"), {
      level: (level) => this.level(level),
      end: () => this.stream?.close(),
    });
  }

  level({ dBFS, recorded, transcribed }) {
    Object.assign(this, { recorded, reported: performance.now() });
    if (!this.own) showLevel(byId("level"), dBFS);
    if (this.own?.unsent > 2) return this.showOwn();
    const lag = Math.max(0, recorded - transcribed);
    this.write("recorded", clock(recorded));
    this.write("lag", lag < 1 ? "up to date" : `${Math.round(lag)} s behind`);
    byId("recorded").title = `${spoken(recorded)} recorded, ${spoken(transcribed)} transcribed`;
  }

  /** While nothing is said, a level comes only every few seconds. */
  tick() {
    const seconds = (performance.now() - this.reported) / 1000;
    if (this.own?.unsent > 2) return;
    if (this.state === "recording" && seconds > 1 && seconds < 8) this.write("recorded", clock(this.recorded + seconds));
  }

  /** Levels come ten times a second, mostly with the same text. */
  write(id, text) { if (byId(id).textContent !== text) byId(id).textContent = text; }
}
