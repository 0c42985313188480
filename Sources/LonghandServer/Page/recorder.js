import { request, sessionPath } from "./api.js";
import { byId, element } from "./element.js";
import { clock, spoken } from "./format.js";
import { fragment } from "./route.js";
import { Stream } from "./stream.js";

const lowestLevel = -60;
const texts = { recording: "Recording", paused: "Paused", finishing: "Finishing…" };
const announcements = {
  recording: "Recording", paused: "Recording is paused", finishing: "Recording is being finished",
  idle: "Recording has ended",
};

/** Starts, pauses and ends the recording that the server makes, and shows how loud it is and how far it has come. */
export class Recorder {
  /** @param changed is called when it is in another state, or another session is recorded. */
  constructor({ announcer, failed, changed }) {
    Object.assign(this, { announcer, failed, changed });
    this.state = "idle";
    this.session = null;
    this.shown = null;
    this.reading = 0;
    byId("record").addEventListener("click", () => this.record());
    byId("record-form").addEventListener("submit", (event) => {
      if (event.submitter?.value === "start") this.start();
    });
    byId("pause").addEventListener("click", () => this.pause());
    byId("stop").addEventListener("click", () => this.stop());
    byId("recording-link").addEventListener("click", () => this.record());
  }

  /** Asks what to record; while something is recorded, shows that. */
  record() {
    if (this.session) location.hash = fragment(this.session);
    else this.ask().catch(this.failed);
  }

  /** Pauses, or goes on. */
  pause() {
    if (this.state === "recording") this.order("pause");
    else if (this.state === "paused") this.order("resume");
  }

  stop() { if (this.state === "recording" || this.state === "paused") this.order("stop"); }

  /** Reads what is being recorded. */
  async refresh() { this.update(await request("/api/recording")); }

  async ask() {
    const { sources } = await request("/api/sources");
    byId("source").replaceChildren(
      element("option", { value: "" }, "The system's own microphone"),
      ...sources.map(({ name, description }) => element("option", { value: name }, description || name)));
    byId("record-dialog").showModal();
  }

  async start() {
    const source = byId("source").value;
    try {
      const recording = await request("/api/recording", { method: "POST", body: source ? { source } : {} });
      this.update(recording);
      location.hash = fragment(recording.session);
    } catch (error) {
      this.failed(error);
    }
  }

  async order(what) {
    try {
      this.update(await request(`/api/recording/${what}`, { method: "POST" }));
    } catch (error) {
      this.failed(error);
    }
  }

  update({ session, state, reading }) {
    // An answer may come after the event that tells what became of it since.
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
    this.listen();
    if (isChanged) this.changed();
  }

  /** What state a session is in, which the store calls "recording" until all of it was heard. */
  stateOf({ id, state }) {
    if (state !== "recording") return state;
    // The store hears a little later that all is done.
    if (id === this.finished) return "finishing";
    return id === this.session && this.state !== "idle" ? this.state : state;
  }

  /** Which session is on the page: its events come by the page's own stream. */
  showsSession(id) {
    this.shown = id;
    this.listen();
  }

  listen() {
    const wanted = this.state !== "idle" && this.session !== this.shown ? this.session : null;
    if (wanted === (this.listening ?? null)) return;
    this.stream?.close();
    this.stream = null;
    this.listening = wanted;
    if (!wanted) return;
    this.stream = new Stream(() => sessionPath(wanted, "events"), {
      level: (level) => this.level(level),
      end: () => this.stream?.close(),
    });
  }

  level({ dBFS, recorded, transcribed }) {
    const share = Math.max(0, Math.min(1, 1 - dBFS / lowestLevel));
    const meter = byId("level");
    meter.firstElementChild.style.transform = `scaleX(${share.toFixed(3)})`;
    meter.setAttribute("aria-valuenow", Math.round(Math.max(lowestLevel, Math.min(0, dBFS))));
    const lag = Math.max(0, recorded - transcribed);
    this.write("recorded", clock(recorded));
    this.write("lag", lag < 1 ? "up to date" : `${Math.round(lag)} s behind`);
    byId("recorded").title = `${spoken(recorded)} recorded, ${spoken(transcribed)} transcribed`;
  }

  /** Ten times a second, mostly with the same text. */
  write(id, text) { if (byId(id).textContent !== text) byId(id).textContent = text; }
}
