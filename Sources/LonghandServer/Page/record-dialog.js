import { request } from "./api.js";
import { byId, element } from "./element.js";
import { Stream } from "./stream.js";

const betterModelsNamed = "longhand.betterModelsNamed";
const setting = "longhand.source";
const lowestLevel = -60;

/** Shows a level on a meter. */
export function showLevel(meter, dBFS) {
  const share = Math.max(0, Math.min(1, 1 - dBFS / lowestLevel));
  meter.firstElementChild.style.clipPath = `inset(0 ${(100 - 100 * share).toFixed(1)}% 0 0)`;
  meter.setAttribute("aria-valuenow", Math.round(Math.max(lowestLevel, Math.min(0, dBFS))));
}

function languageName(locale) {
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(locale);
  } catch {
    return locale;
  }
}

/** The sources with names for people; each is one or several of the sources of the server. */
function choices({ sources, microphone, monitor }) {
  const usual = [];
  if (microphone) usual.push(["Microphone", ["microphone"]]);
  if (monitor) usual.push(["What this computer plays", ["monitor"]]);
  if (microphone && monitor) usual.push(["Microphone and call", ["microphone", "monitor"]]);
  return { usual, others: sources.map(({ name, description }) => [description || name, [name]]) };
}

/** Asks what to record, and shows its level, the language and the vocabulary. */
export class RecordDialog {
  /** @param start is called with the names of the sources. */
  constructor(start) {
    this.streams = [];
    this.dialog = byId("record-dialog");
    this.source = byId("source");
    this.source.addEventListener("change", () => this.listen());
    this.dialog.addEventListener("close", () => this.quiet());
    byId("record-form").addEventListener("submit", (event) => {
      if (event.submitter?.value !== "start") return;
      localStorage.setItem(setting, this.source.value);
      start(this.names);
    });
  }

  /** The names of the chosen sources; none for the default one. */
  get names() { return this.source.value.split("\n").filter(Boolean); }

  async open() {
    const found = await request("api/sources");
    const { usual, others } = choices(found);
    const option = ([label, names]) => element("option", { value: names.join("\n") }, label);
    this.source.replaceChildren(
      ...usual.map(option), ...(usual.length + others.length === 0 ? [option(["Default microphone", []])] : []));
    if (others.length > 0) this.source.append(element("optgroup", { label: "All sources" }, ...others.map(option)));
    const last = localStorage.getItem(setting);
    if ([...this.source.options].some(({ value }) => value === last)) this.source.value = last;
    byId("record-language").textContent = languageName(found.locale);
    const words = found.words === 1 ? "1 word to expect" : `${found.words} words to expect`;
    byId("record-vocabulary").textContent = [found.vocabulary, found.words > 0 ? words : null].filter(Boolean).join(", ") || "none";
    byId("model").textContent = found.model?.name ?? "";
    // The embedded recognizer has no checksum. What is better is said once.
    const isNews = Boolean(found.model && !found.model.sha256 && !localStorage.getItem(betterModelsNamed));
    byId("better-models").hidden = !isNews;
    if (isNews) localStorage.setItem(betterModelsNamed, "yes");
    this.dialog.showModal();
    this.listen();
  }

  /** Shows the level of each chosen source. */
  listen() {
    this.quiet();
    const names = this.names.length > 0 ? this.names : [""];
    const labels = { microphone: "Microphone", monitor: names.length > 1 ? "Call" : "Level" };
    byId("levels").replaceChildren(...names.map((name) => {
      const label = names.length > 1 ? labels[name] ?? name : "Level";
      const meter = element("div", {
        class: "level", role: "meter", "aria-label": `${label}, in decibels`, "aria-valuemin": lowestLevel, "aria-valuemax": 0,
        "aria-valuenow": lowestLevel,
      }, element("div", { class: "level-bar" }));
      const query = name ? `?${new URLSearchParams({ source: name })}` : "";
      this.streams.push(new Stream(() => `api/level${query}`, { level: ({ dBFS }) => showLevel(meter, dBFS) }));
      return element("li", {}, element("span", { "aria-hidden": "true" }, label), meter);
    }));
  }

  quiet() {
    for (const stream of this.streams) stream.close();
    this.streams = [];
  }
}
