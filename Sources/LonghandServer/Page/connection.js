/** Shows a label while one of the page's connections is lost. */
export class Connection {
  constructor(label, announcer) {
    this.label = label;
    this.announcer = announcer;
    this.lost = new Set();
  }

  /** @param state "open", "lost" or "closed". */
  set(name, state) {
    const wasLost = this.lost.size > 0;
    if (state === "lost") this.lost.add(name);
    else this.lost.delete(name);
    const isLost = this.lost.size > 0;
    this.label.hidden = !isLost;
    if (isLost !== wasLost) this.announcer.say(isLost ? "Connection lost, reconnecting" : "Connected again");
  }
}
