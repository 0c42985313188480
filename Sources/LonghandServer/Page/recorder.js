import { request, sessionPath } from "./api.js";
import { byId } from "./element.js";
import { clock, isLive, spoken } from "./format.js";
import { RecordDialog, showLevel } from "./record-dialog.js";
import { fragment } from "./route.js";
import { Stream } from "./stream.js";

const lowestLevel = -60;
const texts = { recording: "Recording", paused: "Paused", finishing: "Finishing…" };
const announcements = {
  recording: "Recording", paused: "Recording is paused", finishing: "Transcribing the rest of the recording",
  idle: "Recording has ended",
};

/** Starts, pauses and stops the server's recording, and shows its level and how far it is transcribed. */
export class Recorder {
  /** @param changed is called when the state or the recorded session changes. */
  constructor({ announcer, failed, changed }) {
    Object.assign(this, { announcer, failed, changed });
    this.state = "idle";
    this.session = null;
    this.shown = null;
    this.reading = 0;
    byId("record").addEventListener("click", () => this.record());
    this.dialog = new RecordDialog((sources, choice) => this.start(sources, choice));
    byId("pause").addEventListener("click", () => this.pause());
    byId("stop").addEventListener("click", () => this.stop());
    byId("recording-link").addEventListener("click", () => this.record());
    setInterval(() => this.tick(), 1000);
  }

  /** Asks for the microphone and records; during a recording, opens its session. */
  record() {
    if (this.session) location.hash = fragment(this.session);
    else this.dialog.open().catch(this.failed);
  }

  /** Pauses or resumes. */
  pause() {
    if (this.state === "recording") this.send("pause");
    else if (this.state === "paused") this.send("resume");
  }

  stop() { if (this.state === "recording" || this.state === "paused") this.send("stop"); }

  /** Loads the state of the recording. */
  async refresh() { this.update(await request("api/recording")); }

  async start(sources, choice) {
    const recording = await request("api/recording", { method: "POST", body: { sources, ...choice } });
    this.update(recording);
    location.hash = fragment(recording.session);
  }

  async send(action) {
    try {
      this.update(await request(`api/recording/${action}`, { method: "POST" }));
    } catch (error) {
      this.failed(error);
    }
  }

  update({ session, state, reading }) {
    // A response may arrive after an event that is newer.
    if (reading < this.reading) return;
    this.reading = reading;
    if (state !== this.state) this.announcer.say(announcements[state] ?? state);
    const isOther = session !== this.session;
    const isChanged = isOther || state !== this.state;
    if (state === "idle" && this.state === "finishing") this.finished = this.session;
    Object.assign(this, { session, state });
    const isIdle = state === "idle";
    byId("record").hidden = !isIdle;
    byId("recording").hidden = isIdle;
    byId("recording").dataset.state = state;
    byId("recording-state").textContent = texts[state] ?? state;
    byId("recording-state").classList.toggle("visually-hidden", state === "recording");
    byId("pause").disabled = state === "finishing";
    byId("stop").disabled = state === "finishing";
    byId("pause").setAttribute("aria-label", state === "paused" ? "Resume recording" : "Pause recording");
    byId("pause").title = state === "paused" ? "Resume" : "Pause";
    if (isOther || isIdle) this.level({ dBFS: lowestLevel, recorded: 0, transcribed: 0 });
    this.updateStream();
    if (isChanged) this.changed();
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
    showLevel(byId("level"), dBFS);
    const lag = Math.max(0, recorded - transcribed);
    this.write("recorded", clock(recorded));
    this.write("lag", lag < 1 ? "up to date" : `${Math.round(lag)} s behind`);
    byId("recorded").title = `${spoken(recorded)} recorded, ${spoken(transcribed)} transcribed`;
  }

  /** While nothing is said, a level comes only every few seconds. */
  tick() {
    const seconds = (performance.now() - this.reported) / 1000;
    if (this.state === "recording" && seconds > 1 && seconds < 8) this.write("recorded", clock(this.recorded + seconds));
  }

  /** Levels come ten times a second, mostly with the same text. */
  write(id, text) { if (byId(id).textContent !== text) byId(id).textContent = text; }
}
