import { request } from "./api.js";
import { LeaveGuard } from "./dialogs.js";
import { byId, element } from "./element.js";
import { clock, nameOf } from "./format.js";

const pause = 200;
const maxLeft = 8;
const keyOf = ({ session, segment, first, end }) => `${session} ${segment} ${first} ${end}`;
const count = (number, name) => `${number} ${name}${number === 1 ? "" : "s"}`;

/**
 * Finds words in the open session or in all, shows each place, and replaces them at those that are chosen. One click undoes all of
 * it.
 */
export class ReplaceDialog {
  /** @param view the open session; `changed` is called with the sessions that were changed. */
  constructor(view, { failed, notices, changed }) {
    Object.assign(this, { view, failed, notices, changed, places: [] });
    this.dialog = byId("replace-dialog");
    for (const id of ["replace-find", "replace-where", "replace-whole"]) {
      byId(id).addEventListener("input", () => {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.search(), pause);
      });
    }
    byId("replace-with").addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.search({ isSame: true }), pause);
    });
    byId("replace-places").addEventListener("change", () => this.showCount());
    byId("replace-all").addEventListener("change", ({ target }) => {
      for (const box of this.boxes) box.checked = target.checked;
      this.showCount();
    });
    this.guard = new LeaveGuard(this.dialog, byId("replace-cancel"), {
      // The text to find stays, and a few words are soon typed again.
      isChanged: () => this.chosen.length < this.places.length,
      what: () => "Nothing is replaced, and your choice of places is lost.",
    });
    byId("replace-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.replace();
    });
    byId("replace-find").addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      // Nothing is replaced by the key that begins a search.
      event.preventDefault();
      byId("replace-with").focus();
    });
  }

  get boxes() { return [...byId("replace-places").querySelectorAll("input")]; }

  /** @param text the words to find. */
  open(text = "") {
    const isHere = Boolean(this.view.id);
    byId("replace-where").value = isHere ? "here" : "all";
    byId("replace-where").options[0].disabled = !isHere;
    byId("replace-find").value = text || byId("replace-find").value;
    byId("replace-with").value = "";
    byId("replace-error").textContent = "";
    this.search();
    this.guard.open();
    byId(text ? "replace-with" : "replace-find").select();
    if (text) byId("replace-with").focus();
  }

  /** @param isSame whether only the new text is another, and the choice of places stays. */
  async search({ isSame = false } = {}) {
    const [text, new_] = [byId("replace-find").value.trim(), byId("replace-with").value.trim()];
    this.running?.abort();
    this.running = new AbortController();
    const query = {
      text, whole: byId("replace-whole").checked ? "yes" : "no", ...(new_ ? { with: new_ } : {}),
      ...(byId("replace-where").value === "here" ? { session: this.view.id } : {}),
    };
    if (!isSame) this.show({ places: [], sessions: [], count: 0, left: [] });
    if (!text) return;
    try {
      const found = await request(`api/replacements?${new URLSearchParams(query)}`, { signal: this.running.signal });
      this.show(found, isSame ? new Set(this.places.filter((_, index) => !this.boxes[index]?.checked).map(keyOf)) : undefined);
    } catch (error) {
      if (error.name !== "AbortError") byId("replace-error").textContent = error.message;
    }
  }

  /** Shows the places by session. @param without the keys of those that are not chosen. */
  show({ places, sessions, count: all, left }, without = new Set()) {
    const focused = document.activeElement?.dataset.place;
    Object.assign(this, { places, all });
    byId("replace-list").hidden = places.length === 0;
    byId("replace-all").checked = true;
    const names = new Map(sessions.map((session) => [session.id, nameOf(session)]));
    const groups = Map.groupBy(places.keys(), (index) => places[index].session);
    byId("replace-places").replaceChildren(...[...groups].map(([id, some], group) => element(
      "li", {},
      element("h3", { id: `replace-group-${group}` }, names.get(id)),
      element("ul", { "aria-labelledby": `replace-group-${group}` }, ...some.map((index) => this.place(places[index], index, without))))));
    if (focused !== undefined) this.boxes[focused]?.focus({ preventScroll: true });
    this.showLeft(left);
    this.showCount();
  }

  place(place, index, without) {
    const { start, before, prefix, match, suffix, becomes, after } = place;
    const box = element("input", { type: "checkbox", "data-place": index });
    box.checked = !without.has(keyOf(place));
    const own = becomes === undefined
      ? [prefix, element("mark", {}, match), suffix]
      : [element("del", {}, prefix, element("mark", {}, match), suffix), " ", element("ins", {}, becomes || "nothing")];
    return element(
      "li", {}, element(
        "label", { class: "choice" }, box,
        element("span", { class: "hit-time" }, clock(start)),
        element("span", { dir: "auto" }, `${before} `, ...own, ` ${after}`)));
  }

  /** Names the longer words that have the text and stay as they are. */
  showLeft(left) {
    const total = left.reduce((sum, one) => sum + one.count, 0);
    const words = left.slice(0, maxLeft).map(({ text, count }) => count === 1 ? text : `${text} (${count})`).join(", ");
    byId("replace-left").textContent = total === 0
      ? "" : `${count(total, "longer word")} ${total === 1 ? "stays" : "stay"}: ${words}${left.length > maxLeft ? ", …" : ""}`;
  }

  get chosen() { return this.boxes.filter((box) => box.checked).map((box) => this.places[box.dataset.place]); }

  showCount() {
    const { chosen, places, all } = this;
    byId("replace-state").textContent = places.length === 0
      ? (byId("replace-find").value.trim() ? "Not found." : "")
      : `${chosen.length} of ${all > places.length ? `the first ${places.length} of ${all} places` : count(places.length, "place")}`;
    byId("replace-start").textContent = chosen.length > 0 ? `Replace ${chosen.length}` : "Replace";
    byId("replace-start").disabled = chosen.length === 0;
    byId("replace-all").indeterminate = chosen.length > 0 && chosen.length < places.length;
    if (chosen.length === 0) byId("replace-all").checked = false;
  }

  async replace() {
    const text = byId("replace-with").value.trim();
    const places = this.chosen.map(({ session, segment, first, end, revision, prefix, suffix }) =>
      ({ session, segment, first, end, revision, prefix, suffix }));
    if (places.length === 0) return;
    try {
      const { replacements } = await request("api/replacements", { method: "POST", body: { text, places } });
      this.dialog.close();
      this.shown(replacements);
      this.notices.show(`${count(places.length, "place")} replaced.`, "note", {
        action: { label: "Undo", run: () => this.undo(replacements) },
      });
    } catch (error) {
      byId("replace-error").textContent = error.message;
      // The places are other ones now.
      if (error.status === 409) await this.search();
    }
  }

  async undo(replacements) {
    try {
      const undone = await request("api/replacements/undo", { method: "POST", body: { replacements } });
      this.shown(undone.replacements);
      const rest = replacements.length - undone.replacements.length;
      this.notices.show(rest === 0 ? "The replacement is undone." : `Undone, but for ${count(rest, "row")} that changed since.`);
    } catch (error) {
      this.failed(error);
    }
  }

  /** Segments were changed. */
  shown(replacements) {
    this.view.reload(replacements.filter(({ session }) => session === this.view.id).map(({ segment }) => segment));
    this.changed([...new Set(replacements.map(({ session }) => session))]);
  }
}
