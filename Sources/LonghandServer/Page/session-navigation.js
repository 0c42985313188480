import { byId } from "./element.js";
import { remember } from "./route.js";

/** The current row of the open session, and how one gets from row to row. */
export class SessionNavigation {
  /** @param view the open session. */
  constructor(view) {
    this.view = view;
    byId("rows").addEventListener("click", (event) => this.clicked(event));
  }

  /** The row to which keyboard shortcuts apply. */
  get currentRow() { return this.view.shown.current ?? (this.view.rows.count > 0 ? this.view.rows.topRow : null); }

  /** Scrolls to a row and makes it the current one. With words to mark, playback would begin at the first of them. */
  go(row, mark = [], { takesFocus = true } = {}) {
    this.view.shown.mark = new Set(mark);
    this.view.rows.show(row, 0.3);
    this.makeCurrent(row, { isShown: true, takesFocus });
    this.view.refillAll();
    this.view.follow.show();
    if (mark.length > 0 && !this.view.player.isPlaying) this.view.audio.cue(row).catch(this.view.failed);
  }

  /** Marks words in all rows. */
  mark(words) {
    this.view.shown.mark = new Set(words);
    this.view.refillAll();
  }

  makeCurrent(row, { isShown = false, takesFocus = true } = {}) {
    const before = this.view.shown.current;
    this.view.shown.current = row;
    for (const changed of [before, row]) {
      const item = changed === null ? undefined : this.view.rows.element(changed);
      item?.classList.toggle("current", changed === row);
      if (changed === row) item?.setAttribute("aria-current", "true");
      else item?.removeAttribute("aria-current");
    }
    if (!isShown) this.view.rows.reveal(row);
    if (takesFocus) this.view.rows.element(row)?.focus({ preventScroll: true });
    this.view.follow.show();
  }

  /** The first row from one on, forwards or backwards, that is not hidden; undefined if there is none. */
  visible(row, by) {
    const { segments, speakers } = this.view;
    for (let next = row; next >= 0 && next < segments.count; next += by) {
      if (!speakers.hides(segments.get(next))) return next;
    }
    return undefined;
  }

  /** Goes to the next or the previous row. */
  step(by) {
    const { id, segments, rows, speakers, shown } = this.view;
    if (!segments || segments.count === 0) return;
    const isThere = shown.current !== null && rows.element(shown.current);
    const next = isThere ? speakers.step(shown.current, by) ?? this.visible(shown.current + by, by) : this.visible(rows.topRow, 1);
    const row = next ?? this.currentRow;
    this.makeCurrent(row);
    remember(id, row, [...shown.mark]);
  }

  end() {
    if (this.view.segments) this.view.follow.back();
  }

  beginning() {
    if (this.view.segments) this.view.rows.show(0);
    this.view.follow.show();
  }

  clicked(event) {
    const word = event.target.closest(".word");
    const item = event.target.closest(".row");
    // A click that ends a selection of text is none on a word.
    if (!word || !item?.segment || !getSelection().isCollapsed) return;
    this.view.popup.open(Number(item.dataset.row), Number(word.dataset.word)).catch(this.view.failed);
  }

  /** Opens the popup at the focused word, or at the first word of the current row. */
  correct() {
    const word = document.activeElement?.closest(".word");
    const row = word ? Number(word.closest(".row").dataset.row) : this.currentRow;
    if (row !== null) this.view.popup.open(row, word ? Number(word.dataset.word) : 0).catch(this.view.failed);
  }

  scrolled(isAtEnd) {
    this.view.follow.scrolled(isAtEnd);
    clearTimeout(this.rememberTimer);
    this.rememberTimer = setTimeout(() => {
      if (!this.view.segments) return;
      const { sticksToEnd, topRow } = this.view.rows;
      const row = sticksToEnd || topRow === 0 ? null : topRow;
      remember(this.view.id, row, []);
    }, 250);
  }
}
