import { request, UnreachableError } from "./api.js";
import { byId, element } from "./element.js";
import { clock, date, nameOf } from "./format.js";
import { fragment } from "./route.js";

const maxHits = 50;
const shownBefore = 36;
const shownAfter = 90;

const words = (text) => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu) ?? [];

/** The words to search for, and who said them: `speaker:Anna` or `speaker:"Anna Lee"` can be beside them. */
function parts(query) {
  const match = query.match(/(?:^|\s)speaker:(?:"([^"]+)"|(\S+))/);
  if (!match) return { q: query };
  return { q: query.replace(match[0], " ").trim(), speaker: match[1] ?? match[2] };
}

/** The words of a hit that were searched for. */
export const markedWords = ({ pieces }) =>
  [...new Set(pieces.filter((piece) => piece.isMatch).flatMap((piece) => words(piece.text)))];

/** The pieces around the first match, cut at words. */
function excerpt(pieces) {
  const first = Math.max(0, pieces.findIndex(({ isMatch }) => isMatch));
  const before = pieces.slice(0, first).map(({ text }) => text).join("");
  const start = before.length > shownBefore ? before.indexOf(" ", before.length - shownBefore) + 1 : 0;
  const shown = [];
  if (before.length > start) shown.push({ text: `${start > 0 ? "…" : ""}${before.slice(start)}`, isMatch: false });
  let room = shownAfter;
  for (const piece of pieces.slice(first)) {
    if (room <= 0) break;
    const isCut = !piece.isMatch && piece.text.length > room;
    const end = isCut ? Math.max(0, piece.text.lastIndexOf(" ", room)) : piece.text.length;
    shown.push({ text: piece.text.slice(0, end) + (isCut ? "…" : ""), isMatch: piece.isMatch });
    room -= piece.text.length;
  }
  return shown;
}

/** Searches all transcripts while the user types. */
export class Search {
  constructor({ field, state, hits, sessions, filter, failed }) {
    Object.assign(this, { field, state, hits, sessions, filter, failed });
    field.addEventListener("input", () => this.search());
    field.form.addEventListener("submit", (event) => {
      event.preventDefault();
      hits.querySelector("a")?.click();
    });
    field.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown") {
        event.preventDefault();
        hits.querySelector("a")?.focus();
      } else if (event.key === "Escape") {
        field.value = "";
        this.search();
        field.blur();
      }
    });
    hits.addEventListener("keydown", (event) => this.move(event));
  }

  async search() {
    const query = this.field.value.trim();
    this.running?.abort();
    const isEmpty = query === "";
    this.hits.hidden = isEmpty;
    this.sessions.hidden = !isEmpty;
    this.state.textContent = "";
    byId("search-replace").hidden = isEmpty;
    this.isUnanswered = false;
    if (isEmpty) {
      this.hits.replaceChildren();
      return;
    }
    this.running = new AbortController();
    try {
      const path = `api/search?${this.filter.query({ ...parts(query), limit: maxHits })}`;
      const { hits, sessions } = await request(path, { signal: this.running.signal });
      this.show(hits, sessions);
      const count = hits.length === maxHits ? `The first ${maxHits}` : `${hits.length}`;
      this.state.textContent = hits.length === 0
        ? "No results."
        : `${count} ${hits.length === 1 ? "result" : "results"}`;
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof UnreachableError)) return this.failed(error);
      this.isUnanswered = true;
      this.hits.replaceChildren();
      this.state.textContent = error.message;
    }
  }

  /** Repeats a search that got no answer. */
  again() { if (this.isUnanswered) this.search(); }

  /** Shows the hits by session, in each in the order of time. */
  show(hits, sessions) {
    const groups = new Map();
    for (const hit of hits) groups.set(hit.session, [...(groups.get(hit.session) ?? []), hit]);
    const names = new Map(sessions.map((session) => [session.id, session]));
    this.hits.replaceChildren(...[...groups].map(([id, some], index) =>
      element(
        "li", { class: "hit-group" },
        element(
          "h2", { class: "day-name", id: `hit-group-${index}` },
          element("span", { class: "hit-source" }, nameOf(names.get(id))),
          element("span", { class: "hit-date" }, date(names.get(id).start))),
        element("ol", { "aria-labelledby": `hit-group-${index}` }, ...some.map((hit) => this.row(hit))))));
  }

  row(hit) {
    return element(
      "li", {},
      element(
        "a", { class: "hit", href: fragment(hit.session, hit.number, markedWords(hit)) },
        element("span", { class: "hit-time" }, clock(hit.start)),
        element(
          "span", { class: "hit-text", dir: "auto" },
          ...excerpt(hit.pieces).map((piece) => (piece.isMatch ? element("mark", {}, piece.text) : piece.text)))));
  }

  /** The arrow keys go from result to result. */
  move(event) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const links = [...this.hits.querySelectorAll("a")];
    const index = links.indexOf(event.target) + (event.key === "ArrowDown" ? 1 : -1);
    event.preventDefault();
    (index < 0 ? this.field : links[Math.min(index, links.length - 1)]).focus();
  }
}
