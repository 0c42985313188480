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
    const key = this.view.segments.get(row)?.key;
    if (key === undefined) return;
    if (open.delete(key)) details.delete(key);
    else {
      open.add(key);
      this.loadDetails(key);
    }
    this.view.rows.invalidate(row, row);
  }

  /** Closes the alternatives of the focused or current row, or of the last one that was opened. Returns whether there was one. */
  close() {
    const { segments, shown: { open }, navigation } = this.view;
    const row = [this.focusedRow, navigation.currentRow, segments?.rowOf([...open].at(-1))].find((one) => open.has(segments?.get(one)?.key));
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
  async loadDetails(key) {
    const { id, shown, failed } = this.view;
    try {
      const details = await request(sessionPath(id, `segments/${key}`));
      if (id !== this.view.id || !shown.open.has(key)) return;
      shown.details.set(key, details);
      this.view.segments.put(details);
      this.view.loaded(details.id, details.id);
    } catch (error) {
      failed(error);
    }
  }

  /** Selects another alternative. */
  choose(segment, index) { return this.change(segment, "selection", { index }, "chosen by the user"); }

  /** Makes an earlier version of a segment the current one. */
  restore(segment, revision) {
    return this.change(segment, "revision", { revision }, `revision ${revision} restored by the user`);
  }

  /** Shows a new version of a segment. */
  accept(segment, reason = "") {
    const { id, key } = segment;
    const { details } = this.view.shown;
    this.view.stepped(segment);
    const known = details.get(key);
    // The new revision is shown at once; its date is loaded after that.
    if (known) details.set(key, { ...known, ...segment, revisions: withRevision(known.revisions, segment, reason) });
    this.view.segments.put(segment);
    this.view.loaded(id, id);
    if (this.view.shown.open.has(key)) this.loadDetails(key);
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
      let last;
      for (let left = times; left > 0; left -= 1) {
        if (await this.view.speakers.history(step)) {
          if (left === 1) announcer.say(step === "undo" ? "The change of the speakers is undone" : "The speakers are changed again");
          continue;
        }
        const { session } = this.view;
        const number = step === "undo" ? session.step : session.nextStep;
        if (!number) {
          announcer.say(`There is nothing to ${step}`);
          break;
        }
        last = await request(sessionPath(id, step), { method: "POST", body: { step: number } });
        if (id !== this.view.id) return;
        this.view.stepped(last);
        if (left === 1) announcer.say(step === "undo" ? "Undone" : "Done again");
      }
      if (!last) return;
      await this.view.textChanged(last.segmentCount);
      if (last.segments.length > 0) this.view.navigation.makeCurrent(await this.view.segments.find(last.segments[0]));
    } catch (error) {
      // A step by another client came first.
      if (id === this.view.id && error.status === 409) this.view.stepped(error.present);
      failed(error);
    }
  }

  async change({ key, revision }, part, body, reason) {
    const { id, announcer, failed } = this.view;
    try {
      const known = part === "revision" ? { current: revision } : { revision };
      const segment = await request(sessionPath(id, `segments/${key}/${part}`), { method: "PUT", body: { ...body, ...known } });
      if (id !== this.view.id) return;
      this.accept(segment, reason);
      announcer.say(`Now: ${segment.formatted}`);
    } catch (error) {
      failed(error);
      if (error.status === 409) this.view.reload([key]);
    }
  }
}
