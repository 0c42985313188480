import { request } from "./api.js";
import { element } from "./element.js";

/** What of the library is wanted, in the list and in a search: sessions of a date, with a tag. */
export class Filter {
  /** @param changed is called when something else is wanted. */
  constructor(region, when, list, changed) {
    Object.assign(this, { region, when, list, changed });
    this.tags = [];
    this.tag = null;
    when.addEventListener("change", () => changed());
  }

  get isSet() { return this.tag !== null || this.when.value !== ""; }

  /** A query with what is wanted. */
  query(values) {
    const query = new URLSearchParams(values);
    if (this.tag !== null) query.set("tag", this.tag);
    if (this.when.value) {
      const start = new Date();
      start.setHours(0, 0, 0, 0);
      start.setDate(start.getDate() - Number(this.when.value) + 1);
      query.set("since", start.toISOString());
    }
    return query;
  }

  /** Loads the tags that there are. */
  async refresh() {
    const { tags } = await request("api/tags");
    this.tags = tags;
    if (this.tag !== null && !tags.some(({ tag }) => tag === this.tag)) this.tag = null;
    this.show();
  }

  /** @param isUseful whether there are sessions to choose from. */
  show(isUseful = !this.region.hidden) {
    this.region.hidden = !isUseful;
    const focused = document.activeElement?.dataset.tag;
    this.list.replaceChildren(...this.tags.map(({ tag, count }) => element("li", {}, element("button", {
      class: "tag", type: "button", "data-tag": tag, "aria-pressed": String(tag === this.tag),
      "aria-label": `${tag}, ${count} ${count === 1 ? "session" : "sessions"}`,
      click: () => {
        this.tag = tag === this.tag ? null : tag;
        this.show();
        this.changed();
      },
    }, tag))));
    if (focused !== undefined) this.list.querySelector(`[data-tag="${CSS.escape(focused)}"]`)?.focus();
  }
}
