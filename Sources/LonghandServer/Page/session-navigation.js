import { byId } from "./element.js";
import { remember } from "./route.js";
import { rowOf, wordOffset } from "./segment-row.js";

/** The current row of the open session, and how one gets from row to row. */
export class SessionNavigation {
  /** @param view the open session. */
  constructor(view) {
    this.view = view;
    byId("rows").addEventListener("click", (event) => this.clicked(event));
    byId("rows").addEventListener("dblclick", (event) => this.doubleClicked(event));
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
      const item = changed === null ? undefined : this.view.rows.home(changed);
      const isCurrent = item !== undefined && item === this.view.rows.home(row);
      item?.classList.toggle("current", isCurrent);
      if (isCurrent) item?.setAttribute("aria-current", "true");
      else item?.removeAttribute("aria-current");
    }
    if (!isShown) this.view.rows.reveal(row);
    if (takesFocus) this.view.rows.home(row)?.focus({ preventScroll: true });
    this.view.follow.show();
  }

  hides(row) { return this.view.speakers.hides(this.view.segments.get(row)); }

  /** The first paragraph from a row on, forwards or backwards, that is not hidden; undefined if there is none. */
  visible(row, by) {
    const { segments, paragraphs } = this.view;
    for (let next = row; next >= 0 && next < segments.count; next += by) {
      if (!this.hides(next) && paragraphs.begins(next)) return next;
    }
    return undefined;
  }

  /** Goes to the next or the previous row. */
  step(by) {
    const { id, segments, rows, speakers, shown, paragraphs } = this.view;
    if (!segments || segments.count === 0) return;
    const isThere = shown.current !== null && rows.home(shown.current);
    const here = isThere ? paragraphs.head(shown.current) : 0;
    const next = isThere ? speakers.step(here, by) ?? this.visible(here + by, by) : this.visible(rows.topRow, 1);
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
    this.view.popup.open(rowOf(word), Number(word.dataset.word)).catch(this.view.failed);
  }

  /** Edits the paragraph, at the word that was clicked. */
  doubleClicked(event) {
    const text = event.target.closest(".text");
    if (!text) return;
    event.preventDefault();
    const word = event.target.closest(".word");
    this.edit(rowOf(word ?? text), word ? Number(word.dataset.word) : undefined);
  }

  /** Edits the paragraph of a row, at a word or at its beginning. */
  edit(row = rowOf(document.activeElement) ?? this.currentRow, word = document.activeElement?.dataset.word) {
    if (row === null) return;
    const segment = this.view.segments.get(row);
    const at = word === undefined ? undefined : { row, offset: wordOffset(segment, Number(word)) };
    this.view.popup.close(false);
    this.view.editor.open(row, at).catch(this.view.failed);
  }

  /** Divides the paragraph before a word. */
  divide(row = rowOf(document.activeElement), word = document.activeElement?.dataset.word) {
    if (row === undefined || word === undefined) return this.view.announcer.say("Go to a word: the paragraph is divided before it");
    this.view.popup.close(false);
    return this.view.editor.divide(row, Number(word)).catch(this.view.failed);
  }

  /** Joins the paragraph of a row to the one before. */
  join(row = rowOf(document.activeElement) ?? this.currentRow) {
    if (row === null) return undefined;
    this.view.popup.close(false);
    return this.view.editor.joinBefore(row).catch(this.view.failed);
  }

  /** Opens the popup at the focused word, or at the first word of the current row. */
  correct() {
    const word = document.activeElement?.closest(".word");
    const row = word ? rowOf(word) : this.currentRow;
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
