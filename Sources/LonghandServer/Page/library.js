import { request } from "./api.js";
import { element } from "./element.js";
import { clock, day, isLive, left, nameOf, percent, secondsLeft, stateText, timeOfDay, workText } from "./format.js";
import { fragment } from "./route.js";
import { Turns } from "./turns.js";

const pageSize = 50;
const uploadStates = { queued: "waits", failed: "failed" };
/** The states in which a part of a file was received. */
const begun = ["uploading", "interrupted", "stopped"];

/** The list of sessions, the newest first, by day, loaded page by page; before it, the files that are on their way. */
export class Library {
  /** @param stateOf returns the state of a session; `filter` has the tag and the date that are wanted. */
  constructor(list, more, { failed, stateOf, filter, uploads, uploadList }) {
    Object.assign(this, { list, more, failed, stateOf, filter, uploads, uploadList });
    this.sessions = [];
    this.selected = null;
    // An answer must not replace a newer one.
    this.turns = new Turns();
    more.addEventListener("click", () => this.older().catch(failed));
    list.addEventListener("keydown", (event) => this.move(event));
  }

  /** Loads the newest sessions again, as many as are shown. */
  refresh() { return this.turns.take(() => this.load()); }

  /** Loads some sessions again. */
  update(ids) { return this.turns.take(() => this.loadRows(ids)); }

  async loadRows(ids) {
    const wanted = ids.filter((id) => this.sessions.some((session) => session.id === id));
    if (wanted.length === 0) return;
    this.isStale = true;
    const { sessions } = await request(`api/sessions?${new URLSearchParams({ ids: wanted.join() })}`);
    this.isStale = false;
    const found = new Map(sessions.map((session) => [session.id, session]));
    this.sessions = this.sessions.map((session) => found.get(session.id) ?? session);
    this.show();
  }

  async load() {
    const wanted = Math.min(500, Math.max(pageSize, this.sessions.length));
    this.isStale = true;
    const { sessions } = await request(`api/sessions?${this.filter.query({ limit: wanted })}`);
    this.isStale = false;
    this.sessions = sessions;
    this.more.hidden = sessions.length < wanted;
    this.show();
  }

  async older() {
    const last = this.sessions.at(-1);
    if (!last) return;
    const { sessions } = await request(`api/sessions?${this.filter.query({ limit: pageSize, before: last.id })}`);
    this.sessions = this.sessions.concat(sessions);
    this.more.hidden = sessions.length < pageSize;
    this.show();
  }

  /** Whether the list shows a session, or would not show it. */
  has(id) { return this.filter.isSet || this.sessions.some((session) => session.id === id); }

  /** Whether nothing is in the library. */
  get isEmpty() { return this.sessions.length === 0 && !this.filter.isSet && !this.isStale; }

  select(id) {
    this.selected = id;
    for (const link of this.list.querySelectorAll("a")) this.mark(link);
  }

  mark(link) {
    if (link.dataset.session === this.selected) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }

  /** The arrow keys go from session to session. */
  move(event) {
    const links = [...this.list.querySelectorAll("a")];
    const index = links.indexOf(event.target);
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: links.length - 1 }[event.key];
    if (index < 0 || next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    links[Math.max(0, Math.min(links.length - 1, next))].focus();
  }

  show() {
    this.showUploads();
    const focused = document.activeElement?.dataset.session;
    const rows = this.sessions.map((session) => JSON.stringify([session, this.stateOf(session)]));
    const places = JSON.stringify([this.sessions.map((session) => [session.id, nameOf(session)]), new Date().toDateString()]);
    const before = this.shown;
    this.shown = { places, rows };
    const counts = new Map();
    for (const session of this.sessions) counts.set(nameOf(session), (counts.get(nameOf(session)) ?? 0) + 1);
    if (before?.places === places) {
      // Only what has changed is drawn again.
      for (const [index, session] of this.sessions.entries()) {
        if (rows[index] === before.rows[index]) continue;
        const link = this.list.querySelector(`[data-session="${CSS.escape(session.id)}"]`);
        link.parentElement.replaceWith(this.row(session, counts.get(nameOf(session)) > 1));
      }
      this.focus(focused);
      return;
    }
    const groups = [];
    for (const session of this.sessions) {
      const name = day(session.start);
      if (groups.at(-1)?.name !== name) groups.push({ name, sessions: [] });
      groups.at(-1).sessions.push(session);
    }
    this.list.replaceChildren(
      ...groups.map(({ name, sessions }, index) =>
        element(
          "li", { class: "day" },
          element("h2", { class: "day-name", id: `day-${index}` }, name),
          element(
            "ol", { "aria-labelledby": `day-${index}` },
            ...sessions.map((session) => this.row(session, counts.get(nameOf(session)) > 1))))));
    if (this.sessions.length === 0) {
      this.list.append(element("li", { class: "empty" }, this.filter.isSet ? "No such session." : "Nothing has been recorded yet."));
    }
    this.focus(focused);
  }

  /** Focuses a session that had the focus before it was drawn again. */
  focus(id) {
    if (!id || document.activeElement?.dataset.session === id) return;
    this.list.querySelector(`[data-session="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
  }

  /** @param hasNamesakes whether another session has the same name, so that the exact time is shown. */
  row(session, hasNamesakes) {
    const state = this.stateOf(session);
    const link = element(
      "a", {
        href: fragment(session.id), class: hasNamesakes ? "session-link namesake" : "session-link",
        "data-session": session.id,
      },
      element("span", { class: "session-name", title: nameOf(session) }, nameOf(session)),
      session.excerpt ? element("span", { class: "session-excerpt" }, session.excerpt) : null,
      element(
        "span", { class: "session-facts" },
        element("span", { class: "session-date" }, timeOfDay(session.start, hasNamesakes)),
        ...session.tags.map((tag) => element("span", { class: "tag" }, tag)),
        element("span", { class: "session-length" }, session.state === "recording" ? "" : clock(session.duration))));
    if (state !== "complete") link.append(this.state(session, state));
    if (workText(session.work)) {
      link.append(element("span", { class: "state-line" }, element("span", { class: "state transcribing" }, workText(session.work))));
    }
    this.mark(link);
    return element("li", {}, link);
  }

  state(session, state) {
    const line = element("span", { class: "state-line" });
    line.append(element("span", { class: `state ${state}` }, stateText(state, session.percent)));
    if (session.position > 1) line.append(` ${session.position - 1} before it`);
    const seconds = isLive(state) ? secondsLeft(session.id, state, session.percent) : null;
    if (seconds !== null) line.append(" ", left(seconds));
    if (state === "failed" && session.failure) line.append(" ", session.failure);
    return line;
  }

  /** Shows the files that are not in the library yet. */
  showUploads() {
    const { waiting } = this.uploads;
    this.uploadList.hidden = waiting.length === 0;
    // A button that is being pressed stays the same.
    while (this.uploadList.children.length > waiting.length) this.uploadList.lastElementChild.remove();
    for (const [index, upload] of waiting.entries()) {
      let row = this.uploadList.children[index];
      if (row?.upload !== upload) {
        const made = this.upload(upload);
        if (row) row.replaceWith(made);
        else this.uploadList.append(made);
        row = made;
      }
      row.querySelector(".state").className = `state ${upload.state}`;
      const hasFailed = upload.state === "failed" && upload.file;
      const canResume = upload.state === "stopped" || hasFailed;
      const stop = row.querySelector(".stop");
      stop.hidden = !canResume && !["queued", "uploading"].includes(upload.state);
      stop.textContent = canResume ? "▶" : "■";
      stop.setAttribute("aria-label", `${hasFailed ? "Try again:" : canResume ? "Resume" : "Stop"} ${upload.name}`);
      row.querySelector(".state").textContent = begun.includes(upload.state)
        ? `${upload.state} ${percent(upload.size ? upload.received / upload.size : 0)}` : uploadStates[upload.state];
      row.querySelector(".why").textContent = upload.why
        ?? (upload.state === "interrupted" ? "Add the file again to continue." : "");
    }
  }

  upload(upload) {
    const row = element(
      "li", { class: "upload" },
      element("span", { class: "session-name" }, upload.name),
      element("button", {
        class: "icon-button stop", type: "button",
        click: () => ["stopped", "failed"].includes(upload.state) ? this.uploads.resume(upload) : this.uploads.stop(upload),
      }),
      element("button", {
        class: "icon-button", type: "button", "aria-label": `Remove ${upload.name}`, click: () => this.uploads.remove(upload),
      }, "×"),
      element("span", { class: "state-line" }, element("span", { class: "state" }), " ", element("span", { class: "why" })));
    row.upload = upload;
    return row;
  }
}
