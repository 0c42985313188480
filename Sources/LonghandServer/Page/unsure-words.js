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
      const answer = await request(`${sessionPath(id, "unsure")}?${query}`);
      if (id !== view.id) return;
      this.show(answer);
      const { next } = answer;
      if (!next) {
        popup.close();
        view.announcer.say("There is no unsure word");
        view.reviewed();
        return;
      }
      view.rows.reveal(next.number);
      await popup.open(next.number, next.word, { isTour: true, note: left(answer) });
    } catch (error) {
      view.failed(error);
    }
  }

  /** Counts the unsure words that are left. */
  async count() {
    const { id, segments, isLive } = this.view;
    if (!segments || isLive) return this.show(null);
    try {
      const answer = await request(sessionPath(id, "unsure"));
      if (id === this.view.id) this.show(answer);
    } catch {
      // The marks work without a number.
    }
  }

  /** Shows how many unsure words are left, and how many words are probably wrong. @param answer of the server; null for none. */
  show(answer) {
    byId("unsure-count").textContent = answer === null ? "" : `${answer.count}`;
    byId("next-unsure").disabled = answer?.count === 0;
    this.view.header.showExpected(answer?.expectedErrors ?? null);
  }
}

/** What is left to review, in words. */
function left({ count, nextWords }) {
  const all = count === 1 ? "The last unsure word." : `${count} unsure words are left.`;
  if (!nextWords || count === 1) return all;
  const wrong = `About ${Math.round(nextWords.expectedErrors)} of`;
  return `${all} ${wrong} ${nextWords.count === count ? "them" : `the next ${nextWords.count}`} are wrong.`;
}
