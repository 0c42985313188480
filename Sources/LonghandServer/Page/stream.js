const minWait = 500;
const maxWait = 8000;

/**
 * Receives events from the server while the page is visible. A lost connection is opened again after `prepare` has
 * resolved, at the `address` for the next event. The reconnection of `EventSource` is not used: it stops for good when a
 * server that is starting answers with an error.
 */
export class Stream {
  /**
   * @param address returns the address to open.
   * @param handlers a function for each kind of event: (data, id) => …
   * @param options `prepare` is awaited before a reconnection; `changed` is called with "open", "lost" or "closed".
   */
  constructor(address, handlers, { prepare = async () => {}, changed = () => {} } = {}) {
    this.address = address;
    this.handlers = handlers;
    this.prepare = prepare;
    this.changed = changed;
    this.wait = minWait;
    this.isClosed = false;
    this.source = null;
    // A browser opens at most six connections to a server. Hidden pages must not occupy them.
    this.visibility = () => (document.hidden ? this.rest() : this.again(0));
    document.addEventListener("visibilitychange", this.visibility);
    this.online = () => { if (!this.source) this.again(0); };
    window.addEventListener("online", this.online);
    if (!document.hidden) this.open();
  }

  open() {
    const source = new EventSource(this.address());
    this.source = source;
    source.onopen = () => {
      this.wait = minWait;
      this.changed("open");
    };
    source.onerror = () => {
      if (this.source !== source) return;
      this.rest();
      this.changed("lost");
      this.again(this.wait);
      this.wait = Math.min(2 * this.wait, maxWait);
    };
    for (const [kind, handle] of Object.entries(this.handlers)) {
      source.addEventListener(kind, (event) => {
        if (this.source === source) handle(event.data ? JSON.parse(event.data) : {}, event.lastEventId);
      });
    }
  }

  /** Closes the connection for now. */
  rest() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  again(delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      if (this.isClosed || this.source || document.hidden) return;
      try {
        await this.prepare();
      } catch {
        this.again(this.wait);
        this.wait = Math.min(2 * this.wait, maxWait);
        return;
      }
      if (!this.isClosed && !this.source && !document.hidden) this.open();
    }, delay);
  }

  /** Closes the connection for good. */
  close() {
    if (this.isClosed) return;
    this.isClosed = true;
    this.rest();
    document.removeEventListener("visibilitychange", this.visibility);
    window.removeEventListener("online", this.online);
    this.changed("closed");
  }
}
