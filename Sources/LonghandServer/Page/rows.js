import { RowHeights } from "./row-heights.js";

const overscan = 400;
const nearEnd = 40;
// Few enough for one frame, so that fast scrolling stays smooth.
const filledPerFrame = 8;

/**
 * A list of any length of which only the visible rows and their neighbours are in the document. They are in normal flow
 * after a padding as high as the rows before them, so that they never overlap. When a measured height differs from its
 * estimate, the scroll position is corrected, so that the visible text does not move. A row is empty at first, with its
 * estimated height, and is filled in one of the next frames, visible rows first.
 */
export class RowWindow {
  /**
   * @param scroller the scrolling element. `list` is its first child; the tail follows it.
   * @param delegate `head(row)` returns the row that shows its text, itself or one before it; `make(row)` returns an empty element; `fill(row, element)` fills it and returns whether it could;
   *   `wanted(first, last)` is called with the shown rows, and `scrolled(isAtEnd)` when the user has scrolled.
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
    // When the height of a row changes, the rows below it move.
    this.rowSizes = new ResizeObserver(() => this.schedule());
  }

  /** Shows another list of so many rows, from a row on or at the end. */
  reset(count, { row = 0, atEnd = false } = {}) {
    for (const node of this.elements.values()) this.remove(node);
    this.elements.clear();
    this.stale.clear();
    this.heights = new RowHeights(count, this.heights.mean);
    this.sticksToEnd = atEnd;
    this.anchor = this.anchorAt(row, 0);
    this.render();
  }

  /** A place to scroll to. Above the first row there is nothing but space, which is shown. */
  anchorAt(row, shift) { return { row, shift: row === 0 ? Math.min(shift, -this.list.offsetTop) : shift }; }

  get count() { return this.heights.count; }

  append(count) {
    this.heights.append(count);
    this.schedule();
  }

  /** Rows have other numbers; what is visible stays where it is. */
  renumber(rowAfter) {
    if (!this.anchor && !this.sticksToEnd) this.anchor = this.topAnchor;
    if (this.anchor) this.anchor.row = rowAfter(this.anchor.row);
    const nodes = [...this.elements.values()];
    this.elements = new Map([...this.elements].map(([row, node]) => [rowAfter(row), node]));
    this.stale = new Set(this.elements.keys());
    // What is not loaded may get the number of another row.
    const kept = new Set(this.elements.values());
    for (const node of nodes) if (!kept.has(node)) this.remove(node);
    for (const [row, node] of this.elements) {
      node.dataset.row = row;
      node.setAttribute("aria-posinset", row + 1);
    }
    [this.first, this.last] = [0, -1];
  }

  /** The first visible row, and how far its top is from that of the visible part. */
  get topAnchor() {
    const { scroller, heights, list } = this;
    const row = heights.rowAt(Math.max(0, scroller.scrollTop - list.offsetTop));
    return { row, shift: scroller.scrollTop - list.offsetTop - heights.offset(row) };
  }

  /** Fills rows again, if they are in the document. */
  invalidate(first, last) {
    first = Math.min(this.delegate.head(first), this.delegate.head(first - 1));
    for (let row = Math.max(first, this.first); row <= Math.min(last, this.last); row += 1) {
      if (this.elements.has(row)) this.stale.add(row);
    }
    this.schedule();
  }

  /** The element that shows the text of a row, if it is in the document. */
  home(row) { return this.elements.get(this.delegate.head(row)); }

  /** The part of that element that has the text of a row, if there is one. */
  part(row) { return this.home(row)?.querySelector(`.part[data-row="${row}"]`); }

  /** The element of a row, if it is in the document. */
  element(row) { return this.elements.get(row); }

  get isAtEnd() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    return scrollHeight - scrollTop - clientHeight < nearEnd;
  }

  /** The first visible row. */
  get topRow() { return this.heights.rowAt(this.scroller.scrollTop - this.list.offsetTop + 4); }

  isVisible(row) {
    const node = this.part(row) ?? this.home(row);
    if (!node) return false;
    const frame = this.scroller.getBoundingClientRect();
    const box = node.getBoundingClientRect();
    return box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
  }

  /** Scrolls a row to a share of the height: 0 is the top. */
  show(row, share = 0) {
    this.sticksToEnd = false;
    const part = this.part(row);
    // How far it is below the beginning of the row that shows its text.
    const below = part ? part.getBoundingClientRect().top - this.home(row).getBoundingClientRect().top : 0;
    this.anchor = this.anchorAt(row, below - share * this.scroller.clientHeight);
    this.render();
  }

  /** Scrolls a row into view, if it is not visible. */
  reveal(row) { if (!this.isVisible(row)) this.show(row, 0.3); }

  stickToEnd() {
    this.sticksToEnd = true;
    this.anchor = null;
    this.render();
  }

  scrolled() {
    // A position that this object has not set means that the user has scrolled.
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
    this.fillsLeft = filledPerFrame;
    let anchor = this.anchor;
    // It may have been loaded since.
    if (anchor) anchor.row = this.delegate.head(anchor.row);
    if (!anchor && !this.sticksToEnd) anchor = this.topAnchor;
    // If the measured rows are lower than estimated, there is room for more.
    for (let tries = 0; tries < 3; tries += 1) {
      const start = this.sticksToEnd
        ? heights.total + scroller.scrollHeight - top - list.offsetHeight - view
        : heights.offset(anchor.row) + anchor.shift;
      const first = heights.rowAt(start - overscan);
      const last = heights.rowAt(start + view + overscan);
      if (!this.setRange(first, last) && tries > 0) break;
      this.fill(heights.rowAt(start), heights.rowAt(start + view));
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

  /** Makes exactly the rows of a range part of the document. Returns whether that changed anything. */
  setRange(first, last) {
    if (this.count === 0) return false;
    if (this.first === first && this.last === last && this.elements.size > 0) return false;
    for (const [row, node] of this.elements) {
      if (row >= first && row <= last) continue;
      this.elements.delete(row);
      this.stale.delete(row);
      this.remove(node);
    }
    let next = this.list.firstElementChild;
    for (let row = first; row <= last; row += 1) {
      const known = this.elements.get(row);
      if (known) {
        next = known.nextElementSibling;
        continue;
      }
      const node = this.delegate.make(row);
      node.classList.add("unread");
      this.elements.set(row, node);
      this.stale.add(row);
      this.list.insertBefore(node, next);
      this.rowSizes.observe(node);
    }
    this.first = first;
    this.last = last;
    return true;
  }

  /** Fills as many rows as one frame allows, visible rows first. */
  fill(first, last) {
    const isInView = (row) => row >= first && row <= last;
    const rows = [...this.stale].sort((a, b) => isInView(b) - isInView(a) || a - b);
    for (const row of rows) {
      if (this.fillsLeft === 0) return;
      this.stale.delete(row);
      const node = this.elements.get(row);
      const isFilled = this.delegate.fill(row, node);
      node.classList.toggle("unread", !isFilled);
      if (isFilled && node.hasChildNodes()) this.fillsLeft -= 1;
    }
  }

  measure() {
    this.list.style.setProperty("--unread", `${this.heights.mean}px`);
    for (const [row, node] of this.elements) {
      if (!node.classList.contains("unread")) this.heights.measure(row, node.getBoundingClientRect().height);
    }
  }

  remove(node) {
    this.rowSizes.unobserve(node);
    // Keyboard shortcuts must work after the focused row has left the document.
    if (node.contains(document.activeElement)) this.scroller.focus({ preventScroll: true });
    node.remove();
  }
}
