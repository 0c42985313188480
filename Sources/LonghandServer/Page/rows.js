import { RowHeights } from "./heights.js";

const overscan = 400;
const nearEnd = 40;
// As much as fits easily into a frame: who flies over the rows must not wait for their words.
const filledAtOnce = 8;

/**
 * A list of any length in which only the rows near the reader are in the document. They follow each other in normal
 * flow behind a padding as high as what is left out, so they can never overlap; what a measured height turns out to
 * differ from its estimate is taken back from the scroll position, so that what is being read stays where it is. A row
 * is empty at first, as high as it is thought to be, and is filled within the next frames, those in view before others.
 */
export class RowWindow {
  /**
   * @param scroller what scrolls; `list` is its first content, and what follows the list is the tail.
   * @param delegate `make(row)` gives an empty element, `fill(row, element)` fills it and says whether it could;
   *   `wanted(first, last)` is told what is shown, `scrolled(isAtEnd)` when the reader has moved.
   */
  constructor(scroller, list, delegate) {
    this.scroller = scroller;
    this.list = list;
    this.delegate = delegate;
    this.elements = new Map();
    this.stale = new Set();
    this.heights = new RowHeights(0, 76);
    this.sticksToEnd = false;
    this.anchor = null;
    this.position = 0;
    this.width = 0;
    this.first = 0;
    this.last = -1;
    scroller.addEventListener("scroll", () => this.scrolled(), { passive: true });
    new ResizeObserver(() => this.resized()).observe(scroller);
    // A row that opens or fills changes what is below it.
    this.rowSizes = new ResizeObserver(() => this.schedule());
  }

  /** Starts anew with so many rows, with a row at the top, or at the end. */
  reset(count, { row = 0, atEnd = false } = {}) {
    for (const made of this.elements.values()) this.remove(made);
    this.elements.clear();
    this.stale.clear();
    this.heights = new RowHeights(count, this.heights.mean);
    this.sticksToEnd = atEnd;
    this.anchor = { row, shift: 0 };
    this.render();
  }

  get count() { return this.heights.count; }

  append(count) {
    this.heights.append(count);
    this.schedule();
  }

  /** Has rows filled anew, those that are in the document. */
  invalidate(first, last) {
    for (let row = Math.max(first, this.first); row <= Math.min(last, this.last); row += 1) {
      if (this.elements.has(row)) this.stale.add(row);
    }
    this.schedule();
  }

  /** The element of a row, if it is in the document. */
  element(row) { return this.elements.get(row); }

  get isAtEnd() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    return scrollHeight - scrollTop - clientHeight < nearEnd;
  }

  /** The first row that can be read. */
  get topRow() { return this.heights.rowAt(this.scroller.scrollTop - this.list.offsetTop + 4); }

  isVisible(row) {
    const made = this.elements.get(row);
    if (!made) return false;
    const frame = this.scroller.getBoundingClientRect();
    const box = made.getBoundingClientRect();
    return box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
  }

  /** Brings a row to a share of the height: 0 is the top. */
  show(row, share = 0) {
    this.sticksToEnd = false;
    this.anchor = { row, shift: -share * this.scroller.clientHeight };
    this.render();
  }

  /** Brings a row into view, if it is not. */
  reveal(row) { if (!this.isVisible(row)) this.show(row, 0.3); }

  stickToEnd() {
    this.sticksToEnd = true;
    this.anchor = null;
    this.render();
  }

  scrolled() {
    // Only what the page has not done itself was the reader.
    if (Math.abs(this.scroller.scrollTop - this.position) > 2) {
      this.anchor = null;
      this.sticksToEnd = false;
      this.delegate.scrolled(this.isAtEnd);
    }
    this.schedule();
  }

  resized() {
    if (this.scroller.clientWidth !== this.width) {
      const row = this.topRow;
      if (this.width > 0 && !this.anchor) this.anchor = { row, shift: 0 };
      this.width = this.scroller.clientWidth;
      this.heights.forget();
    }
    this.schedule();
  }

  schedule() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.render();
    });
  }

  render() {
    const { scroller, heights, list } = this;
    const view = scroller.clientHeight;
    if (view === 0) return;
    const top = list.offsetTop;
    this.left = filledAtOnce;
    let anchor = this.anchor;
    if (!anchor && !this.sticksToEnd) {
      const offset = Math.max(0, scroller.scrollTop - top);
      const row = heights.rowAt(offset);
      anchor = { row, shift: scroller.scrollTop - top - heights.offset(row) };
    }
    // What is measured may turn out lower than it was thought, and leave room for more.
    for (let tries = 0; tries < 3; tries += 1) {
      const place = this.sticksToEnd
        ? heights.total + scroller.scrollHeight - top - list.offsetHeight - view
        : heights.offset(anchor.row) + anchor.shift;
      const first = heights.rowAt(place - overscan);
      const last = heights.rowAt(place + view + overscan);
      if (!this.place(first, last) && tries > 0) break;
      this.fill(heights.rowAt(place), heights.rowAt(place + view));
      this.measure();
    }
    list.style.paddingTop = `${heights.offset(this.first)}px`;
    list.style.height = `${heights.total}px`;
    const target = this.sticksToEnd
      ? scroller.scrollHeight - view
      : Math.max(0, Math.min(heights.offset(anchor.row) + anchor.shift + top, scroller.scrollHeight - view));
    if (Math.abs(target - scroller.scrollTop) >= 1) scroller.scrollTop = target;
    this.position = scroller.scrollTop;
    this.delegate.wanted(this.first, this.last);
    if (this.stale.size > 0) this.schedule();
  }

  /** Puts the rows of a range into the document, and takes out all others. Whether that changed anything. */
  place(first, last) {
    if (this.count === 0) return false;
    if (this.first === first && this.last === last && this.elements.size > 0) return false;
    for (const [row, made] of this.elements) {
      if (row >= first && row <= last) continue;
      this.elements.delete(row);
      this.stale.delete(row);
      this.remove(made);
    }
    let next = this.list.firstElementChild;
    for (let row = first; row <= last; row += 1) {
      const known = this.elements.get(row);
      if (known) {
        next = known.nextElementSibling;
        continue;
      }
      const made = this.delegate.make(row);
      made.classList.add("unread");
      this.elements.set(row, made);
      this.stale.add(row);
      this.list.insertBefore(made, next);
      this.rowSizes.observe(made);
    }
    this.first = first;
    this.last = last;
    return true;
  }

  /** Fills as many rows as one frame bears, those in view first. */
  fill(first, last) {
    const isInView = (row) => row >= first && row <= last;
    const rows = [...this.stale].sort((a, b) => isInView(b) - isInView(a) || a - b);
    for (const row of rows) {
      if (this.left === 0) return;
      this.stale.delete(row);
      const made = this.elements.get(row);
      const isFilled = this.delegate.fill(row, made);
      made.classList.toggle("unread", !isFilled);
      if (isFilled) this.left -= 1;
    }
  }

  measure() {
    this.list.style.setProperty("--unread", `${this.heights.mean}px`);
    for (const [row, made] of this.elements) {
      if (!made.classList.contains("unread")) this.heights.measure(row, made.getBoundingClientRect().height);
    }
  }

  remove(made) {
    this.rowSizes.unobserve(made);
    // The keys must go on working for a reader whose row has left the document.
    if (made.contains(document.activeElement)) this.scroller.focus({ preventScroll: true });
    made.remove();
  }
}
