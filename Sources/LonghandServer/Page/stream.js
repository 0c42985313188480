const shortestWait = 500;
const longestWait = 8000;

/**
 * Events from the server, for as long as the page is looked at. A connection that breaks is opened again, after
 * `prepare` has resolved; `address` says then where to go on. The browser's own attempts are not used: they give up for
 * good when a server that is starting again answers with an error.
 */
export class Stream {
  /**
   * @param address gives the address to open, anew each time.
   * @param handlers what to do with each kind of event: (data, id) => …
   * @param options `prepare` is awaited before it is opened again; `changed` is told "open", "lost" and "closed".
   */
  constructor(address, handlers, { prepare = async () => {}, changed = () => {} } = {}) {
    this.address = address;
    this.handlers = handlers;
    this.prepare = prepare;
    this.changed = changed;
    this.wait = shortestWait;
    this.isClosed = false;
    this.source = null;
    // A browser has six connections to a server: pages that nobody looks at must not keep them.
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
      this.wait = shortestWait;
      this.changed("open");
    };
    source.onerror = () => {
      if (this.source !== source) return;
      this.rest();
      this.changed("lost");
      this.again(this.wait);
      this.wait = Math.min(2 * this.wait, longestWait);
    };
    for (const [kind, handle] of Object.entries(this.handlers)) {
      source.addEventListener(kind, (event) => {
        if (this.source === source) handle(event.data ? JSON.parse(event.data) : {}, event.lastEventId);
      });
    }
  }

  /** Lets go of the connection, and comes back to it later. */
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
        this.wait = Math.min(2 * this.wait, longestWait);
        return;
      }
      if (!this.isClosed && !this.source && !document.hidden) this.open();
    }, delay);
  }

  /** Ends it for good. */
  close() {
    if (this.isClosed) return;
    this.isClosed = true;
    this.rest();
    document.removeEventListener("visibilitychange", this.visibility);
    window.removeEventListener("online", this.online);
    this.changed("closed");
  }
}
