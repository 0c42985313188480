import { request, UnreachableError } from "./api.js";
import { element } from "./element.js";
import { clock } from "./format.js";
import { fragment } from "./route.js";

const pause = 200;
const maxHits = 50;

const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu) ?? [];

/** Searches all transcripts while the user types. */
export class Search {
  constructor({ field, state, hits, sessions, failed }) {
    Object.assign(this, { field, state, hits, sessions, failed });
    field.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.search(), pause);
    });
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
    this.isUnanswered = false;
    if (isEmpty) {
      this.hits.replaceChildren();
      return;
    }
    this.running = new AbortController();
    try {
      const path = `api/search?${new URLSearchParams({ q: query, limit: maxHits })}`;
      const { hits } = await request(path, { signal: this.running.signal });
      this.hits.replaceChildren(...hits.map((hit) => this.row(hit)));
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

  row(hit) {
    const marked = [...new Set(hit.pieces.filter((piece) => piece.isMatch).flatMap((piece) => words(piece.text)))];
    return element(
      "li", {},
      element(
        "a", { class: "hit", href: fragment(hit.session, hit.segment, marked) },
        element(
          "span", { class: "hit-text" },
          ...hit.pieces.map((piece) => (piece.isMatch ? element("mark", {}, piece.text) : piece.text))),
        element(
          "span", { class: "session-facts" },
          element("span", { class: "hit-source" }, hit.source),
          element("span", { class: "session-length" }, clock(hit.start)))));
  }

  /** The arrow keys go from result to result. */
  move(event) {
    const item = event.target.closest("li");
    if (!item || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
    event.preventDefault();
    const next = event.key === "ArrowDown" ? item.nextElementSibling : item.previousElementSibling;
    (next?.querySelector("a") ?? (event.key === "ArrowUp" ? this.field : null))?.focus();
  }
}
