import { element } from "./element.js";

/**
 * Keeps the end of a running recording in view until the user scrolls back. From then on it counts new segments and shows
 * a button that goes back to the end.
 */
export class Follow {
  constructor(button, rows) {
    this.button = button;
    this.rows = rows;
    this.isLive = false;
    this.isRecording = false;
    this.unseen = 0;
    button.addEventListener("click", () => this.back());
    // A wheel or a finger is noticed before the page has scrolled.
    rows.scroller.addEventListener("wheel", (event) => { if (event.deltaY < 0) this.yield(); }, { passive: true });
    rows.scroller.addEventListener("touchmove", () => this.yield(), { passive: true });
  }

  get isFollowing() { return this.isLive && this.rows.sticksToEnd; }

  /** @param isRecording whether there is something live to go back to; else the end of a transcription is followed. */
  setLive(isLive, isRecording = false) {
    Object.assign(this, { isLive, isRecording });
    if (!isLive) this.rows.sticksToEnd = false;
    this.show();
  }

  yield() {
    if (!this.rows.sticksToEnd || this.rows.scroller.scrollHeight <= this.rows.scroller.clientHeight) return;
    this.rows.sticksToEnd = false;
    this.show();
  }

  /** The user has scrolled. */
  scrolled(isAtEnd) {
    if (this.isLive && isAtEnd) this.rows.sticksToEnd = true;
    this.show();
  }

  /** Rows were added. */
  added(count) {
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
    this.button.hidden = !this.isRecording || this.rows.sticksToEnd;
    const text = this.unseen > 0 ? `${this.unseen} new – back to live` : "Back to live";
    if (this.button.firstChild?.textContent === text) return;
    this.button.replaceChildren(text, element("span", { class: "when-keys" }, " (End)"));
  }
}
