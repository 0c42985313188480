const setting = "longhand.announces";

/** Tells those who hear the page what changed: states always, new text unless they have turned that off. */
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

  /** Says what was just committed. */
  text(text) { if (this.announcesText) this.say(text); }

  say(text) {
    this.waiting.push(text);
    // What comes at once is said at once: a region that changes again too soon is not read.
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.region.textContent = this.waiting.slice(-5).join(". ");
      this.waiting = [];
    }, 400);
  }
}
