import { request, sessionPath } from "./api.js";
import { rowOf } from "./segment-row.js";

function withRevision(revisions, { revision, text, selection }, reason) {
  return revisions.filter((known) => known.revision < revision)
    .concat({ revision, text, selection, reason, author: "person" });
}

/** The user's actions on a segment. */
export class SegmentActions {
  constructor(view) { this.view = view; }

  async play(row) {
    const { segments, player } = this.view;
    this.view.navigation.makeCurrent(row, { isShown: true, takesFocus: false });
    const segment = await segments.load(row);
    if (segment) player.play(segment.start);
  }

  /** Opens or closes the alternatives of a row. */
  toggle(row) {
    const { open, details } = this.view.shown;
    if (open.delete(row)) details.delete(row);
    else {
      open.add(row);
      this.loadDetails(row);
    }
    this.view.rows.invalidate(row, row);
  }

  /** Closes the alternatives of the focused or current row, or of the last one that was opened. Returns whether there was one. */
  close() {
    const { open } = this.view.shown;
    const row = [this.focusedRow, this.view.navigation.currentRow, [...open].at(-1)].find((one) => open.has(one));
    if (row === undefined) return false;
    this.toggle(row);
    this.view.navigation.makeCurrent(row, { isShown: true });
    return true;
  }

  /** The row with the focus; undefined if there is none. */
  get focusedRow() {
    return rowOf(document.activeElement);
  }

  /** Focuses the next or the previous word, if the focus is in a row. Returns whether it is. */
  word(by) {
    const { rows, navigation } = this.view;
    const row = this.focusedRow;
    if (row === undefined) return false;
    const at = document.activeElement.dataset.word;
    const wordsOf = (one) => (rows.element(one)?.words ?? []).filter((word) => word?.checkVisibility());
    const words = wordsOf(row);
    const index = words.findIndex((word) => word.dataset.word === at);
    const next = index < 0 ? (by > 0 ? 0 : -1) : index + by;
    if (next >= 0 && next < words.length) {
      this.focusWord(row, words[next]);
      return true;
    }
    for (let other = row + by; other >= 0 && other < this.view.segments.count; other += by) {
      if (navigation.hides(other)) continue;
      navigation.makeCurrent(other, { takesFocus: false });
      const others = wordsOf(other);
      if (others.length > 0) this.focusWord(other, others.at(by > 0 ? 0 : -1));
      break;
    }
    return true;
  }

  focusWord(row, word) {
    if (this.view.shown.current !== row) this.view.navigation.makeCurrent(row, { isShown: true, takesFocus: false });
    // The tab key must not stop at thousands of words, so that only the current one can be focused.
    word.tabIndex = -1;
    word.focus({ preventScroll: true });
    word.scrollIntoView({ block: "nearest" });
  }

  /** Loads the revisions of a segment. */
  async loadDetails(row) {
    const { id, shown, failed } = this.view;
    try {
      const details = await request(sessionPath(id, `segments/${row}`));
      if (id !== this.view.id || !shown.open.has(row)) return;
      shown.details.set(row, details);
      this.view.segments.put(details);
      this.view.loaded(row, row);
    } catch (error) {
      failed(error);
    }
  }

  /** Selects another alternative. */
  choose(row, index) { return this.change(row, "selection", { index }, "chosen by the user"); }

  /** Makes an earlier version of a segment the current one. */
  restore(row, revision) {
    return this.change(row, "revision", { revision }, `revision ${revision} restored by the user`);
  }

  /** Shows a new version of a segment. */
  accept(row, segment, reason = "") {
    const { details } = this.view.shown;
    const known = details.get(row);
    // The new revision is shown at once; its date is loaded after that.
    if (known) details.set(row, { ...known, ...segment, revisions: withRevision(known.revisions, segment, reason) });
    this.view.segments.put(segment);
    this.view.loaded(row, row);
    if (this.view.shown.open.has(row)) this.loadDetails(row);
  }

  /** Takes the last changes of the text back, or makes them again, one after the other. @param step "undo" or "redo". */
  history(step, times = 1) {
    this.changing = (this.changing ?? Promise.resolve()).then(() => this.step(step, times));
    return this.changing;
  }

  async step(step, times) {
    const { id, announcer, failed } = this.view;
    if (id === null) return;
    try {
      let [answer, last] = [];
      for (let left = times; left > 0; left -= 1) {
        answer = await request(sessionPath(id, step), { method: "POST" });
        if (id !== this.view.id) return;
        if (answer.segments.length === 0) break;
        last = answer;
      }
      if (last) await this.view.textChanged(last.segmentCount);
      if (answer !== last) return announcer.say(`There is nothing to ${step}`);
      this.view.navigation.makeCurrent(last.segments[0]);
      announcer.say(step === "undo" ? "Undone" : "Done again");
    } catch (error) {
      failed(error);
    }
  }

  async change(row, part, body, reason) {
    const { id, announcer, failed } = this.view;
    try {
      const segment = await request(sessionPath(id, `segments/${row}/${part}`), { method: "PUT", body });
      if (id !== this.view.id) return;
      this.accept(row, segment, reason);
      announcer.say(`Now: ${segment.formatted}`);
    } catch (error) {
      failed(error);
    }
  }
}
