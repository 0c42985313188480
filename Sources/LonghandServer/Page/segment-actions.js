import { request, sessionPath } from "./api.js";

function withRevision(revisions, { revision, text, selection }) {
  return revisions.filter((known) => known.revision < revision)
    .concat({ revision, text, selection, reason: "chosen by the user" });
}

/** What a reader can do with a segment. */
export class SegmentActions {
  constructor(view) { this.view = view; }

  async play(row) {
    const { segments, player } = this.view;
    this.view.makeCurrent(row, { isShown: true, takesFocus: false });
    const segment = await segments.load(row);
    if (segment) player.play(segment.start);
  }

  /** Opens or closes the readings of a row. */
  toggle(row) {
    const { open, details } = this.view.view;
    if (open.delete(row)) details.delete(row);
    else {
      open.add(row);
      this.loadDetails(row);
    }
    this.view.rows.invalidate(row, row);
  }

  /** Closes the readings that are looked at, else any that are open. */
  close() {
    const { open } = this.view.view;
    const row = [this.focusedRow, this.view.currentRow, [...open].at(-1)].find((one) => open.has(one));
    if (row === undefined) return;
    this.toggle(row);
    this.view.makeCurrent(row, { isShown: true });
  }

  /** The row that has the focus, if one has. */
  get focusedRow() {
    const item = document.activeElement?.closest("#rows > li");
    return item ? Number(item.dataset.row) : undefined;
  }

  /** Goes to the next word, or the one before, if the focus is in a row. Whether it is. */
  word(by) {
    const { rows, segments } = this.view;
    const row = this.focusedRow;
    if (row === undefined) return false;
    const at = document.activeElement.dataset.word;
    const words = rows.element(row).words.filter(Boolean);
    const place = words.findIndex((word) => word.dataset.word === at);
    const next = place < 0 ? (by > 0 ? 0 : -1) : place + by;
    if (next >= 0 && next < words.length) {
      this.focusWord(row, words[next]);
      return true;
    }
    const other = row + by;
    if (other < 0 || other >= segments.count) return true;
    this.view.makeCurrent(other);
    const others = rows.element(other)?.words.filter(Boolean) ?? [];
    if (others.length > 0) this.focusWord(other, others.at(by > 0 ? 0 : -1));
    return true;
  }

  focusWord(row, word) {
    if (this.view.view.current !== row) this.view.makeCurrent(row, { isShown: true, takesFocus: false });
    // Thousands of words are no stops for the tabulator; the one that the arrows have come to can be focused.
    word.tabIndex = -1;
    word.focus({ preventScroll: true });
    word.scrollIntoView({ block: "nearest" });
  }

  /** Fetches how a segment came to its text. */
  async loadDetails(row) {
    const { id, view, failed } = this.view;
    try {
      const details = await request(sessionPath(id, `segments/${row}`));
      if (id !== this.view.id || !view.open.has(row)) return;
      view.details.set(row, details);
      this.view.segments.put(details);
      this.view.loaded(row, row);
    } catch (error) {
      failed(error);
    }
  }

  /** Chooses another reading. */
  async choose(row, index) {
    const { id, announcer, failed } = this.view;
    try {
      const segment = await request(sessionPath(id, `segments/${row}/selection`), { method: "PUT", body: { index } });
      if (id !== this.view.id) return;
      const { details } = this.view.view;
      const known = details.get(row);
      // What came about is shown at once; when it did is asked for.
      if (known) details.set(row, { ...known, ...segment, revisions: withRevision(known.revisions, segment) });
      this.view.segments.put(segment);
      this.view.loaded(row, row);
      announcer.say(`Now: ${segment.text}`);
      if (this.view.view.open.has(row)) this.loadDetails(row);
    } catch (error) {
      failed(error);
    }
  }
}
