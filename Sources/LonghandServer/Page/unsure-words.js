import { request, sessionPath } from "./api.js";
import { byId } from "./element.js";

// The greatest number that the server takes.
const lastWord = 2 ** 31 - 1;

/** Goes through the words with low confidence, and counts those that are left. */
export class UnsureWords {
  /** @param view the open session. */
  constructor(view) {
    this.view = view;
    byId("next-unsure").addEventListener("click", () => this.next(1));
  }

  /** Goes to the next or the previous unsure word, from the one that is being corrected, else from the current row. */
  async next(by) {
    const { view } = this;
    const { id, popup, navigation: { currentRow } } = view;
    if (!view.segments) return;
    const at = popup.isOpen ? popup.place : null;
    const key = at?.key ?? (await view.segments.load(currentRow ?? 0))?.key ?? -1;
    const query = new URLSearchParams({
      segment: key, word: at?.first ?? (by > 0 ? -1 : lastWord), direction: by > 0 ? "next" : "back",
    });
    try {
      const { count, next } = await request(`${sessionPath(id, "unsure")}?${query}`);
      if (id !== view.id) return;
      this.show(count);
      if (!next) {
        popup.close();
        view.announcer.say("There is no unsure word");
        view.reviewed();
        return;
      }
      view.rows.reveal(next.number);
      await popup.open(next.number, next.word, { isTour: true });
    } catch (error) {
      view.failed(error);
    }
  }

  /** Counts the unsure words that are left. */
  async count() {
    const { id, segments, isLive } = this.view;
    if (!segments || isLive) return this.show(null);
    try {
      const { count } = await request(sessionPath(id, "unsure"));
      if (id === this.view.id) this.show(count);
    } catch {
      // The marks work without a number.
    }
  }

  show(count) {
    byId("unsure-count").textContent = count === null ? "" : `${count}`;
    byId("next-unsure").disabled = count === 0;
  }
}
