import { request } from "./api.js";
import { byId } from "./element.js";
import { markedWords } from "./search.js";

const pause = 120;
const maxHits = 1000;

/** Finds words in the open session, whose rows are not all in the document. */
export class Find {
  /** @param view the open session. */
  constructor(view, failed) {
    Object.assign(this, { view, failed, hits: [], index: -1 });
    byId("find-field").addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.search(), pause);
    });
    byId("find").addEventListener("submit", (event) => {
      event.preventDefault();
      this.step(1);
    });
    byId("find-before").addEventListener("click", () => this.step(-1));
    byId("find-close").addEventListener("click", () => this.close());
    byId("find").addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
      else if (event.key === "Enter" && event.shiftKey) this.step(-1);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  open() {
    if (!this.view.segments) return;
    byId("find").hidden = false;
    byId("find-field").focus();
    byId("find-field").select();
    if (byId("find-field").value) this.search();
  }

  close() {
    if (byId("find").hidden) return;
    byId("find").hidden = true;
    this.hits = [];
    this.view.navigation.mark([]);
    byId("scroller").focus({ preventScroll: true });
  }

  async search() {
    const query = byId("find-field").value.trim();
    const { id } = this.view;
    this.running?.abort();
    this.running = new AbortController();
    this.hits = [];
    this.index = -1;
    if (!query || !id) return this.show();
    try {
      const path = `api/search?${new URLSearchParams({ q: query, session: id, limit: maxHits })}`;
      const { hits } = await request(path, { signal: this.running.signal });
      this.hits = hits;
      this.step(1, false);
    } catch (error) {
      if (error.name !== "AbortError") this.failed(error);
    }
  }

  /** Goes to the next or the previous place. */
  step(by, isAround = true) {
    if (this.hits.length > 0) {
      const { hits } = this;
      const first = this.view.navigation.currentRow ?? 0;
      this.index = this.index < 0 && !isAround
        ? Math.max(0, hits.findIndex(({ number }) => number >= first))
        : (this.index + by + hits.length) % hits.length;
      const hit = hits[this.index];
      this.view.navigation.go(hit.number, markedWords(hit), { takesFocus: false });
    }
    this.show();
  }

  show() {
    const { hits, index } = this;
    byId("find-state").textContent = hits.length > 0 ? `${index + 1} of ${hits.length}`
      : byId("find-field").value.trim() ? "not found" : "";
  }
}
