import { element } from "./element.js";

const mostShown = 4;

/** Messages in a corner: errors stay until they are put away, others go by themselves. */
export class Notices {
  constructor(region) { this.region = region; }

  show(message, kind = "note") {
    // The server's words are part of sentences elsewhere.
    const text = message.charAt(0).toUpperCase() + message.slice(1);
    const notice = element(
      "div", { class: `notice ${kind}` },
      element("p", {}, text),
      element("button", { class: "icon-button", "aria-label": "Dismiss", click: () => notice.remove() }, "×"));
    const same = [...this.region.children].find((shown) => shown.firstChild.textContent === text);
    same?.remove();
    this.region.append(notice);
    while (this.region.children.length > mostShown) this.region.firstElementChild.remove();
    if (kind !== "error") setTimeout(() => notice.remove(), 6000);
  }

  error(error) { this.show(error.message || String(error), "error"); }
}
