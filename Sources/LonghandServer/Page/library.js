import { request } from "./api.js";
import { element } from "./element.js";
import { clock, date, stateText } from "./format.js";
import { fragment } from "./route.js";

const pageSize = 50;

/** The list of sessions, the newest first, loaded page by page. */
export class Library {
  /** @param stateOf returns the state of a session. */
  constructor(list, more, { failed, stateOf }) {
    Object.assign(this, { list, more, failed, stateOf });
    this.sessions = [];
    this.selected = null;
    more.addEventListener("click", () => this.older().catch(failed));
  }

  /** Loads the newest sessions again, as many as are shown. */
  async refresh() {
    const wanted = Math.max(pageSize, this.sessions.length);
    this.isStale = true;
    const { sessions } = await request(`api/sessions?limit=${Math.min(wanted, 500)}`);
    this.isStale = false;
    this.sessions = sessions;
    this.more.hidden = sessions.length < Math.min(wanted, 500);
    this.show();
  }

  async older() {
    const last = this.sessions.at(-1);
    if (!last) return;
    const { sessions } = await request(`api/sessions?limit=${pageSize}&before=${encodeURIComponent(last.id)}`);
    this.sessions = this.sessions.concat(sessions);
    this.more.hidden = sessions.length < pageSize;
    this.show();
  }

  /** Whether the list shows a session. */
  has(id) { return this.sessions.some((session) => session.id === id); }

  select(id) {
    this.selected = id;
    for (const link of this.list.querySelectorAll("a")) this.mark(link);
  }

  mark(link) {
    if (link.dataset.session === this.selected) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }

  show() {
    const focused = document.activeElement?.dataset.session;
    const counts = new Map();
    for (const { source } of this.sessions) counts.set(source, (counts.get(source) ?? 0) + 1);
    this.list.replaceChildren(...this.sessions.map((session) => this.row(session, counts.get(session.source) > 1)));
    if (this.sessions.length === 0) {
      this.list.append(element("li", { class: "empty" }, "Nothing has been recorded yet."));
    }
    if (focused) this.list.querySelector(`[data-session="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  /** @param hasNamesakes whether another session has the same name, so that the exact date is shown. */
  row(session, hasNamesakes) {
    const link = element(
      "a", {
        href: fragment(session.id), class: hasNamesakes ? "session-link namesake" : "session-link",
        "data-session": session.id,
      },
      element("span", { class: "session-name", title: session.source }, session.source),
      element(
        "span", { class: "session-facts" },
        element("span", { class: "session-date" }, date(session.start, hasNamesakes)),
        element("span", { class: "session-length" }, session.state === "recording" ? "" : clock(session.duration))));
    const state = this.stateOf(session);
    if (state !== "complete") {
      link.append(element("span", { class: `state ${state}` }, stateText(state, session.percent)));
    }
    this.mark(link);
    return element("li", {}, link);
  }
}
