import { sessionPath } from "./api.js";
import { byId, element } from "./element.js";
import { clock, date, isLive, spoken, stateText } from "./format.js";

const formats = [
  ["txt", "Plain text"], ["md", "Markdown"], ["srt", "SubRip captions"], ["vtt", "WebVTT captions"],
  ["json", "JSON, one document"], ["jsonl", "JSON lines"], ["tsv", "Tab-separated"], ["ctm", "CTM, word times"],
  ["textgrid", "TextGrid (Praat)"],
];

/** The header of a session: its name, date and settings, and the export menu. */
export class SessionHeader {
  constructor() {
    this.menu = byId("export-menu");
    const button = byId("export");
    button.addEventListener("click", () => this.toggle(this.menu.hidden));
    document.addEventListener("click", (event) => {
      if (!event.target.closest(".export")) this.toggle(false);
    });
    const whole = button.parentElement;
    whole.addEventListener("keydown", (event) => this.key(event));
    whole.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget && !whole.contains(relatedTarget)) this.toggle(false);
    });
    this.menu.addEventListener("click", () => this.toggle(false));
  }

  /** The arrow keys go from format to format, Escape goes back to the button. */
  key(event) {
    const links = [...this.menu.querySelectorAll("a")];
    const index = links.indexOf(document.activeElement);
    const isOpen = !this.menu.hidden;
    if (event.key === "Escape" && isOpen) {
      this.toggle(false);
      byId("export").focus();
    } else if (event.key === "ArrowDown" && !isOpen) this.toggle(true);
    else if (event.key === "ArrowDown" && isOpen) links[(index + 1) % links.length].focus();
    else if (event.key === "ArrowUp" && isOpen) links.at(index > 0 ? index - 1 : -1).focus();
    else if (event.key === "Home" && isOpen) links[0].focus();
    else if (event.key === "End" && isOpen) links.at(-1).focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  toggle(isOpen) {
    this.menu.hidden = !isOpen;
    byId("export").setAttribute("aria-expanded", String(isOpen));
    if (isOpen) this.menu.querySelector("a")?.focus();
  }

  /** @param state the state, which may be newer than that of the store. */
  show(session, state = session.state) {
    if (session.id !== this.session) this.showFormats(session.id);
    this.session = session.id;
    const facts = [date(session.start), clock(session.duration)].map((fact) => element("span", {}, fact));
    // Narrow pages hide these.
    const recognizer = session.model ? `model: ${session.model.name}` : `engine: ${session.engine}`;
    const minor = [
      session.locale, recognizer, session.vocabulary ? `vocabulary: ${session.vocabulary.name}` : null,
    ].filter(Boolean).map((fact) => element("span", { class: "minor" }, fact));
    const badge = element("span", { class: `state ${state}` }, stateText(state, session.percent));
    byId("facts").replaceChildren(badge, ...facts, ...minor);
    byId("delete").disabled = isLive(session.state);
    byId("resume").hidden = !session.canResume;
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
