import { request, sessionPath } from "./api.js";
import { byId } from "./element.js";

// The greatest number that the server takes.
const lastWord = 2 ** 31 - 1;

/** Goes through the words with low confidence and the turns whose speaker is unsure, and counts those that are left. */
export class UnsureWords {
  /** @param view the open session. */
  constructor(view) {
    this.view = view;
    byId("next-unsure").addEventListener("click", () => this.next(1));
  }

  /** What it goes to: words, speakers or all. */
  get kind() { return byId("unsure-of").hidden ? "all" : byId("unsure-of").value; }

  /**
   * Goes to the next or the previous unsure place, from the one that is being reviewed, else from the current row.
   * @param said what was done at the place before.
   */
  async next(by, said = null) {
    const { view } = this;
    const { id, popup, speakerPopup, navigation: { currentRow } } = view;
    if (!view.segments) return;
    const at = popup.isOpen ? popup.place : speakerPopup.turn;
    const key = at?.key ?? (await view.segments.load(currentRow ?? 0))?.key ?? -1;
    const query = new URLSearchParams({
      of: this.kind, segment: key, word: at?.first ?? (by > 0 ? -1 : lastWord), at: popup.isOpen || !at ? "word" : "speaker",
      direction: by > 0 ? "next" : "back",
    });
    try {
      const answer = await request(`${sessionPath(id, "unsure")}?${query}`);
      if (id !== view.id) return;
      this.show(answer);
      const { next } = answer;
      if (!next) {
        popup.close();
        speakerPopup.close();
        view.announcer.say(`${said ? `${said}. ` : ""}There is ${nothing[this.kind]}`);
        if (said) view.notices.show(`${said}.`, "note", { session: id });
        view.reviewed();
        return;
      }
      view.rows.reveal(next.number);
      const note = [said && `${said}. Ctrl+Z takes it back.`, left(answer, this.kind)].filter(Boolean).join(" ");
      if (next.end === undefined) {
        speakerPopup.close(false);
        await popup.open(next.number, next.word, { isTour: true, note });
      } else {
        popup.close(false);
        await speakerPopup.ask(next, note);
      }
    } catch (error) {
      view.failed(error);
    }
  }

  /** Counts the unsure words and turns that are left. */
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

  /**
   * Shows how many unsure words and turns are left, and how many words are probably wrong.
   * @param answer of the server; null for none.
   */
  show(answer) {
    byId("unsure-count").textContent = answer === null ? "" : `${answer.count}`;
    byId("next-unsure").disabled = answer?.count === 0 && answer.turns === 0;
    if (answer === null) byId("unsure-of").value = "all";
    byId("unsure-of").hidden = !answer?.turns && byId("unsure-of").value !== "speakers";
    this.view.speakers.showUnsure(answer?.turns ?? 0);
    this.view.header.showExpected(answer?.expectedErrors ?? null);
  }
}

const nothing = { words: "no unsure word", speakers: "no unsure voice", all: "no unsure word or voice" };

/** What is left to review, in words. */
function left({ count, turns, nextWords }, kind) {
  const voices = kind === "words" || turns === 0 ? "" : turns === 1 ? "One unsure voice is left." : `${turns} unsure voices are left.`;
  return [kind === "speakers" ? "" : wordsLeft(count, nextWords), voices].filter(Boolean).join(" ");
}

function wordsLeft(count, nextWords) {
  if (count === 0) return "";
  const all = count === 1 ? "The last unsure word." : `${count} unsure words are left.`;
  if (!nextWords || count === 1) return all;
  const wrong = `About ${Math.round(nextWords.expectedErrors)} of`;
  return `${all} ${wrong} ${nextWords.count === count ? "them" : `the next ${nextWords.count}`} are wrong.`;
}
