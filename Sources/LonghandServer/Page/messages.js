import { element } from "./element.js";

const setting = "longhand.announces";
const maxShown = 4;

/** Announces changes to screen readers: states always, new text unless the user has turned that off. */
export class Announcer {
  constructor(region) {
    this.region = region;
    this.waiting = [];
    this.announcesText = localStorage.getItem(setting) !== "no";
  }

  setAnnouncesText(announces) {
    this.announcesText = announces;
    localStorage.setItem(setting, announces ? "yes" : "no");
    this.say(announces ? "New text is announced" : "New text is not announced");
  }

  /** Announces the text of a new segment. */
  text(text) { if (this.announcesText) this.say(text); }

  say(text) {
    this.waiting.push(text);
    // Messages are collected: a screen reader skips a region that changes again too soon.
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.region.textContent = this.waiting.slice(-5).join(". ");
      this.waiting = [];
    }, 400);
  }
}

/** Messages in a corner of the page. Errors stay until they are dismissed or replaced, others disappear after a while. */
export class Notices {
  constructor(region) { this.region = region; }

  /**
   * @param about what the message is about: it replaces the one before about the same, and is gone with the session's end.
   * @param session the session that the message belongs to: it is gone when another one is shown.
   * @param action a button of the message, which stays longer then: its `label`, and `run`.
   */
  show(message, kind = "note", { about = null, session = null, action = null } = {}) {
    // Some messages of the server start in lower case, because the command line prints them after a name.
    const text = message.charAt(0).toUpperCase() + message.slice(1);
    const notice = element(
      "div", { class: `notice ${kind}` },
      element("p", {}, text),
      action && element("button", { class: "plain-button", type: "button", click: () => {
        notice.remove();
        action.run();
      } }, action.label),
      element("button", { class: "icon-button", "aria-label": "Dismiss", click: () => notice.remove() }, "×"));
    Object.assign(notice, { about, session });
    this.remove((shown) => shown.firstChild.textContent === text || (about !== null && shown.about === about));
    this.region.append(notice);
    while (this.region.children.length > maxShown) this.region.firstElementChild.remove();
    if (kind !== "error") setTimeout(() => notice.remove(), action ? 60_000 : 6000);
  }

  /** Removes the messages about what ended with the session. */
  end() { this.remove((notice) => notice.about !== null); }

  /** Removes all messages of the session. */
  leave() { this.remove((notice) => notice.session !== null); }

  remove(isOver) { for (const notice of [...this.region.children]) if (isOver(notice)) notice.remove(); }

  error(error) { this.show(error.message || String(error), "error"); }
}
