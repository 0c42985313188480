import { request } from "./api.js";
import { submitByEnter } from "./dialogs.js";
import { byId, element } from "./element.js";
import { Microphone, whyNoMicrophone } from "./microphone.js";
import { RecognitionFields } from "./recognition-fields.js";
import { Stream } from "./stream.js";

const betterModelsNamed = "longhand.betterModelsNamed";
const setting = "longhand.source";
const browserSource = "browser";
const lowestLevel = -60;

/** Shows a level on a meter. */
export function showLevel(meter, dBFS) {
  const share = Math.max(0, Math.min(1, 1 - dBFS / lowestLevel));
  meter.firstElementChild.style.clipPath = `inset(0 ${(100 - 100 * share).toFixed(1)}% 0 0)`;
  meter.setAttribute("aria-valuenow", Math.round(Math.max(lowestLevel, Math.min(0, dBFS))));
}

/** The sources with names for people; each is one or several of the sources of the server. */
function choices({ sources, microphone, monitor }) {
  // On the server's own computer, its microphone goes on when the browser does not.
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  const browser = ["This browser's microphone", [browserSource]];
  const usual = isHere && microphone ? [] : [browser];
  if (microphone) usual.push(["Microphone", ["microphone"]]);
  if (monitor) usual.push(["What this computer plays", ["monitor"]]);
  if (microphone && monitor) usual.push(["Microphone and call", ["microphone", "monitor"]]);
  if (usual[0] !== browser) usual.push(browser);
  return { usual, others: sources.map(({ name, description }) => [description || name, [name]]) };
}

/** Asks what to record and how it is transcribed, and shows its level. */
export class RecordDialog {
  /** @param start is called with the names of the sources, how they are transcribed, and the microphone of this browser if that is the source. */
  constructor(start) {
    this.streams = [];
    this.microphone = null;
    this.dialog = byId("record-dialog");
    this.source = byId("source");
    this.source.addEventListener("change", () => this.listen());
    this.devices = byId("microphone");
    this.devices.addEventListener("change", () => {
      Microphone.choose(this.devices.value);
      this.listen();
    });
    // One was connected, or is gone.
    navigator.mediaDevices?.addEventListener("devicechange", () => {
      if (this.dialog.open && this.source.value === browserSource) this.listen();
    });
    this.fields = new RecognitionFields(byId("record-fields"), "record");
    this.dialog.addEventListener("close", () => this.quiet());
    submitByEnter(byId("record-form"));
    byId("record-form").addEventListener("submit", async (event) => {
      if (event.submitter?.value !== "start") return;
      event.preventDefault();
      localStorage.setItem(setting, this.source.value);
      this.fields.remember();
      byId("start").disabled = true;
      let microphone = null;
      try {
        const isOwn = this.source.value === browserSource;
        if (isOwn) {
          await this.opening;
          // It is the recording's from now on, and stays open when this dialog is left or listens to another one.
          [microphone, this.microphone] = [this.microphone, null];
          if (!microphone) return;
        }
        const translate = byId("record-translate").checked || undefined;
        await start(this.names, { ...this.fields.choice, translate }, microphone);
        this.dialog.close();
      } catch (error) {
        microphone?.close();
        if (this.dialog.open) this.listen();
        byId("record-error").textContent = error.message;
      } finally {
        byId("start").disabled = false;
      }
    });
  }

  /** The names of the chosen sources; none for the default one. */
  get names() { return this.source.value.split("\n").filter(Boolean); }

  async open() {
    const why = whyNoMicrophone();
    const [found, { model, words }] = await Promise.all([
      request("api/sources").catch((error) => {
        // A server without sound can still record the browser's.
        if (error.status !== 503) throw error;
        if (why) throw new Error(`${error.message}. ${why}`);
        return { sources: [] };
      }), this.fields.load()]);
    const { usual, others } = choices(found);
    const option = ([label, names]) =>
      element("option", { value: names.join("\n"), disabled: names[0] === browserSource && why !== null }, label);
    this.source.replaceChildren(
      ...usual.map(option), ...(usual.length + others.length === 1 && why ? [option(["Default microphone", []])] : []));
    if (others.length > 0) this.source.append(element("optgroup", { label: "All sources" }, ...others.map(option)));
    const last = localStorage.getItem(setting);
    const enabled = [...this.source.options].filter(({ disabled }) => !disabled);
    if (enabled.length > 0) this.source.value = (enabled.find(({ value }) => value === last) ?? enabled[0]).value;
    byId("source-hint").textContent = why ?? "";
    byId("record-error").textContent = "";
    byId("record-words").textContent = words === 0 ? "" : words === 1 ? "1 word to expect" : `${words} words to expect`;
    // The embedded recognizer has no checksum. What is better is said once.
    const isNews = Boolean(model && !model.sha256 && !localStorage.getItem(betterModelsNamed));
    byId("better-models").hidden = !isNews;
    if (isNews) localStorage.setItem(betterModelsNamed, "yes");
    this.dialog.showModal();
    this.listen();
  }

  /** Shows the level of each chosen source. */
  listen() {
    this.quiet();
    byId("record-error").textContent = "";
    byId("microphones").hidden ||= this.source.value !== browserSource;
    const names = this.names.length > 0 ? this.names : [""];
    const labels = { microphone: "Microphone", monitor: names.length > 1 ? "Call" : "Level" };
    byId("levels").replaceChildren(...names.map((name) => {
      const label = names.length > 1 ? labels[name] ?? name : "Level";
      const meter = element("div", {
        class: "level", role: "meter", "aria-label": `${label}, in decibels`, "aria-valuemin": lowestLevel, "aria-valuemax": 0,
        "aria-valuenow": lowestLevel,
      }, element("div", { class: "level-bar" }));
      if (name === browserSource) {
        this.opening = this.openMicrophone(meter);
        return element("li", {}, element("span", { "aria-hidden": "true" }, label), meter);
      }
      const query = name ? `?${new URLSearchParams({ source: name })}` : "";
      this.streams.push(new Stream(() => `api/level${query}`, { level: ({ dBFS }) => showLevel(meter, dBFS) }));
      return element("li", {}, element("span", { "aria-hidden": "true" }, label), meter);
    }));
  }

  /** Opens the microphone of this browser, which asks for it the first time. */
  async openMicrophone(meter) {
    try {
      const microphone = await Microphone.open();
      if (!meter.isConnected || !this.dialog.open) return microphone.close();
      this.microphone = microphone;
      microphone.onlevel = ({ dBFS }) => showLevel(meter, dBFS);
      const devices = await Microphone.devices();
      this.devices.replaceChildren(...devices.map(({ deviceId, label }) => element("option", { value: deviceId }, label)));
      this.devices.value = microphone.device;
      byId("microphones").hidden = devices.length < 2;
    } catch (error) {
      if (meter.isConnected) byId("record-error").textContent = error.message;
    }
  }

  quiet() {
    this.microphone?.close();
    this.microphone = null;
    for (const stream of this.streams) stream.close();
    this.streams = [];
  }
}
