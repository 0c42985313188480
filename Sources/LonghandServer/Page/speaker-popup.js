import { byId, element } from "./element.js";

const margin = 8;

/** The popup at the speaker of a row: who else said it. */
export class SpeakerPopup {
  /** @param view the open session. */
  constructor(view) {
    this.view = view;
    this.box = byId("speaker-popup");
    this.row = null;
    this.box.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointerdown", (event) => {
      if (this.isOpen && !this.box.contains(event.target)) this.close(false);
    });
    byId("scroller").addEventListener("scroll", () => { if (this.isOpen) this.put(); }, { passive: true });
  }

  get isOpen() { return !this.box.hidden; }

  open(row) {
    const segment = this.view.segments?.get(row);
    if (!segment) return;
    this.row = row;
    this.view.navigation.makeCurrent(row, { isShown: true, takesFocus: false });
    const { all } = this.view.speakers;
    const field = element("input", {
      id: "new-speaker", autocomplete: "off", maxlength: "100", placeholder: "Another name", "aria-label": "Another name",
    });
    this.box.replaceChildren(
      element("p", { class: "word-result-text" }, "Who says this?"),
      element("ul", { class: "word-offers" }, ...all.map((speaker) => element("li", {}, element("button", {
        class: `alternative speaker-choice colour-${speaker.colour}`, type: "button",
        "aria-pressed": String(speaker.id === segment.speaker), click: () => this.choose(speaker.id),
      }, element("span", { class: "badge", "aria-hidden": "true" }, speaker.label), speaker.name)))),
      element(
        "form", { class: "word-form", submit: (event) => {
          event.preventDefault();
          if (field.value.trim() !== "") this.choose(field.value.trim());
        } }, field, element("button", { class: "main-button" }, "Save")));
    this.box.hidden = false;
    this.put();
    (this.box.querySelector("[aria-pressed=true]") ?? field).focus();
  }

  put() {
    const box = this.button?.getBoundingClientRect() ?? this.last;
    if (!box) return;
    this.last = box;
    const [width, height] = [this.box.offsetWidth, this.box.offsetHeight];
    this.box.style.left = `${Math.max(margin, Math.min(box.left, innerWidth - width - margin))}px`;
    this.box.style.top = `${Math.max(margin, Math.min(box.bottom + margin, innerHeight - height - margin))}px`;
  }

  /** The button of the row that opened the popup. */
  get button() { return this.view.rows.home(this.row)?.querySelector("[data-key=speaker]"); }

  key(event) {
    if (event.key === "Escape") this.close();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const stops = [...this.box.querySelectorAll("button.alternative, input")];
      const by = event.key === "ArrowDown" ? 1 : -1;
      stops[(stops.indexOf(document.activeElement) + by + stops.length) % stops.length]?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  async choose(speaker) { if (await this.view.speakers.assign(this.row, speaker)) this.close(); }

  close(takesFocus = true) {
    if (!this.isOpen) return;
    this.box.hidden = true;
    this.box.replaceChildren();
    if (takesFocus) (this.button ?? byId("scroller")).focus({ preventScroll: true });
  }
}
