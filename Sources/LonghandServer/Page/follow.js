import { element } from "./element.js";

/**
 * Whether the reader follows what is being said: the end stays in view while text comes, until the reader scrolls back;
 * then what came meanwhile is counted, and one key leads back.
 */
export class Follow {
  constructor(button, rows) {
    this.button = button;
    this.rows = rows;
    this.isLive = false;
    this.unseen = 0;
    button.addEventListener("click", () => this.back());
    // A wheel or a finger is noticed before it has moved anything.
    rows.scroller.addEventListener("wheel", (event) => { if (event.deltaY < 0) this.yield(); }, { passive: true });
    rows.scroller.addEventListener("touchmove", () => this.yield(), { passive: true });
  }

  get isFollowing() { return this.isLive && this.rows.sticksToEnd; }

  setLive(isLive) {
    this.isLive = isLive;
    if (!isLive) this.rows.sticksToEnd = false;
    this.show();
  }

  yield() {
    if (!this.rows.sticksToEnd || this.rows.scroller.scrollHeight <= this.rows.scroller.clientHeight) return;
    this.rows.sticksToEnd = false;
    this.show();
  }

  /** The reader has scrolled. */
  scrolled(isAtEnd) {
    if (this.isLive && isAtEnd) this.rows.sticksToEnd = true;
    this.show();
  }

  /** New rows have come. */
  came(count) {
    if (!this.rows.sticksToEnd) this.unseen += count;
    this.show();
  }

  back() {
    this.rows.stickToEnd();
    if (!this.isLive) this.rows.sticksToEnd = false;
    this.show();
  }

  show() {
    if (this.rows.sticksToEnd) this.unseen = 0;
    this.button.hidden = !this.isLive || this.rows.sticksToEnd;
    const text = this.unseen > 0 ? `${this.unseen} new – back to live` : "Back to live";
    if (this.button.firstChild?.textContent === text) return;
    this.button.replaceChildren(text, element("span", { class: "when-keys" }, " (End)"));
  }
}
