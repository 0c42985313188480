import { sessionPath } from "./api.js";
import { byId, element } from "./element.js";
import { clock, date, spoken, stateNames } from "./format.js";

const formats = [
  ["txt", "Plain text"], ["md", "Markdown"], ["srt", "SubRip captions"], ["vtt", "WebVTT captions"],
  ["json", "JSON, one document"], ["jsonl", "JSON lines"], ["tsv", "Tab-separated"], ["ctm", "CTM, word times"],
  ["textgrid", "TextGrid (Praat)"],
];

/** What a session is: its name, when and how it was made, and what can be done with it as a whole. */
export class SessionHeader {
  constructor() {
    this.menu = byId("export-menu");
    const button = byId("export");
    button.addEventListener("click", () => this.toggle(this.menu.hidden));
    document.addEventListener("click", (event) => {
      if (!event.target.closest(".export")) this.toggle(false);
    });
    this.menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.toggle(false);
      button.focus();
    });
    this.menu.addEventListener("click", () => this.toggle(false));
  }

  toggle(isOpen) {
    this.menu.hidden = !isOpen;
    byId("export").setAttribute("aria-expanded", String(isOpen));
    if (isOpen) this.menu.querySelector("a")?.focus();
  }

  /** @param state what it is doing, which may be more than the store knows. */
  show(session, state = session.state) {
    if (session.id !== this.session) this.showFormats(session.id);
    this.session = session.id;
    byId("title").textContent = session.source;
    document.title = `${session.source} – Longhand`;
    const facts = [
      date(session.start), clock(session.duration), session.locale, `engine: ${session.engine}`,
      session.vocabulary ? `vocabulary: ${session.vocabulary.name}` : null,
    ].filter(Boolean);
    const badge = element("span", { class: `state ${state}` }, stateNames[state] ?? state);
    byId("facts").replaceChildren(badge, ...facts.map((fact) => element("span", {}, fact)));
    byId("delete").disabled = session.state === "recording";
  }

  showFormats(id) {
    this.menu.replaceChildren(
      ...formats.map(([format, name]) =>
        element(
          "li", {},
          element(
            "a", { href: `${sessionPath(id, "export")}?format=${format}`, download: true, "data-format": format },
            element("span", {}, name), element("span", { class: "format" }, `.${format}`)))));
  }

  showTime(time, duration) {
    const text = `${clock(time)} / ${clock(duration)}`;
    if (byId("time").textContent === text) return;
    byId("time").textContent = text;
    byId("time").title = `${spoken(time)} of ${spoken(duration)}`;
  }
}
