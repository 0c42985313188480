import { request, sessionPath } from "./api.js";
import { element } from "./element.js";

const shortestWait = 2000;

/** The names of the vocabulary that were said in the open session. Each leads to its places, one after the other. */
export class Terms {
  /** @param go shows a row. */
  constructor(list, go) {
    Object.assign(this, { list, go });
    this.close();
  }

  close() {
    clearTimeout(this.timer);
    this.timer = null;
    this.session = null;
    this.shown = "";
    this.list.hidden = true;
    this.list.replaceChildren();
  }

  /** Loads the names of a session: at once, and then at most every two seconds. */
  want(session) {
    if (session === this.session && this.timer) return;
    if (session !== this.session) {
      this.session = session;
      this.load();
    } else {
      this.timer = setTimeout(() => this.load(), shortestWait);
    }
  }

  async load() {
    const { session } = this;
    this.timer = null;
    try {
      const { terms } = await request(sessionPath(session, "terms"));
      if (session === this.session) this.show(terms);
    } catch {
      // The next event of the session tries again.
    }
  }

  show(terms) {
    const shown = JSON.stringify(terms);
    if (shown === this.shown) return;
    this.shown = shown;
    this.list.hidden = terms.length === 0;
    this.list.replaceChildren(...terms.map(({ term, count, places }) => {
      let next = 0;
      return element("li", {}, element("button", {
        class: "term", type: "button", "aria-label": `${term}, said ${count === 1 ? "once" : `${count} times`}: show where`,
        click: () => {
          this.go(places[next % places.length].number);
          next += 1;
        },
      }, term, element("span", { class: "count" }, `${count}`)));
    }));
  }
}
