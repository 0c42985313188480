import { request, sessionPath } from "./api.js";
import { LeaveGuard } from "./dialogs.js";
import { byId, element } from "./element.js";
import { clock, isFinal, nameOf } from "./format.js";
import { languageName } from "./recognition-fields.js";

const placesShown = 3;
// Milliseconds without a key after which a name is stored.
const rest = 1500;

/** The name, the tags and the note of the open session, and how a person changes them. */
export class SessionDetails {
  /** @param changed is called with the session after a change. @param transcribe is called with a language to use instead. */
  constructor({ failed, changed, transcribe }) {
    Object.assign(this, { failed, changed, session: null });
    byId("heard-again").addEventListener("click", () => transcribe(this.heard));
    byId("name").addEventListener("click", () => this.rename());
    byId("name-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.finish(true);
    });
    byId("name-field").addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      this.finish(false);
    });
    byId("name-field").addEventListener("blur", () => this.finish(true, false));
    byId("name-field").addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => {
        if (this.typedName && this.typedName !== nameOf(this.session)) this.save({ name: this.typedName });
      }, rest);
    });
    byId("edit-details").addEventListener("click", () => this.edit());
    this.guard = new LeaveGuard(byId("details-dialog"), byId("details-cancel"), {
      what: () => "The changes of the tags and the note are not stored.",
    });
    byId("details-form").addEventListener("submit", async () => {
      const note = byId("note-field").value;
      const { edited } = this;
      // What others changed since the dialog was opened stays.
      const isSaved = await this.save({
        tags: byId("tags-field").value.split(",").map((tag) => tag.trim()).filter(Boolean), tagsBefore: edited.tags,
        ...(note === (edited.note ?? "") ? {} : { note }),
      });
      // What was typed is not lost.
      if (!isSaved) byId("details-dialog").showModal();
    });
  }

  show(session) {
    const isOther = session.id !== this.session?.id;
    this.session = session;
    if (isOther) this.hideField();
    byId("name").replaceChildren(element("span", {}, nameOf(session)));
    byId("name").title = `${nameOf(session)}: rename`;
    byId("name").setAttribute("aria-label", `${nameOf(session)}, rename`);
    document.title = `${nameOf(session)} – Longhand`;
    byId("failure").hidden = session.state !== "failed" || !session.failure;
    byId("failure").textContent = session.failure ? `It failed: ${session.failure}` : "";
    this.showHeard(session);
    const key = JSON.stringify([session.tags, session.note]);
    if (key === this.shown) return;
    this.shown = key;
    byId("tags").hidden = session.tags.length === 0;
    byId("tags").replaceChildren(...session.tags.map((tag) => element("li", { class: "tag" }, tag)));
    byId("note").hidden = !session.note;
    byId("note").textContent = session.note ?? "";
  }

  /** Says where the speech sounds like another language than the one in which it was transcribed. */
  showHeard({ warnings = [], state, hasAudio }) {
    const found = warnings.filter(({ code }) => code === "other-language");
    byId("heard").hidden = found.length === 0;
    if (found.length === 0) return;
    const length = ({ start, end }) => end - start;
    this.heard = found.reduce((one, other) => (length(other) > length(one) ? other : one)).language;
    const places = found.filter(({ language }) => language === this.heard);
    const shown = places.slice(0, placesShown).map(({ start, end }) => `${clock(start)} to ${clock(end)}`).join(", ");
    byId("heard-text").textContent = `This sounds like ${languageName(this.heard)}: ${shown}`
      + `${places.length > placesShown ? ", and more" : ""}.`;
    byId("heard-again").textContent = `Transcribe again in ${languageName(this.heard)}`;
    byId("heard-again").hidden = !isFinal(state) || !hasAudio;
  }

  get typedName() { return byId("name-field").value.trim(); }

  hideField() {
    clearTimeout(this.timer);
    byId("name-form").hidden = true;
    byId("title").hidden = false;
  }

  /** Shows a field in the place of the name. */
  rename() {
    this.before = this.session.name ?? null;
    byId("title").hidden = true;
    byId("name-form").hidden = false;
    byId("name-field").value = nameOf(this.session);
    byId("name-field").select();
    byId("name-field").focus();
  }

  finish(isKept, takesFocus = true) {
    if (byId("name-form").hidden) return;
    const { typedName: name, before } = this;
    this.hideField();
    if (takesFocus) byId("name").focus();
    // The name of its source needs no other.
    if (isKept && name !== nameOf(this.session)) this.saveName(name);
    // It was stored while it was typed.
    if (!isKept && before !== (this.session.name ?? null)) this.save({ name: before });
  }

  async saveName(name) {
    const { id, source } = this.session;
    if (await this.save({ name: name === source ? null : name || null }) || id !== this.session?.id) return;
    // What was typed is not lost.
    this.rename();
    byId("name-field").value = name;
  }

  async edit() {
    const { session } = this;
    this.edited = session;
    byId("tags-field").value = session.tags.join(", ");
    byId("note-field").value = session.note ?? "";
    this.guard.open();
    try {
      const { tags } = await request("api/tags");
      byId("known-tags").replaceChildren(...tags.map(({ tag }) => element("option", { value: tag })));
    } catch {
      // The field works without suggestions.
    }
  }

  /** Returns whether the server has stored the changes. */
  async save(changes) {
    const { id } = this.session;
    try {
      const session = await request(sessionPath(id), { method: "PATCH", body: changes });
      if (id === this.session?.id) {
        const { name, tags, note } = session;
        this.show({ ...this.session, name, tags, note });
      }
      this.changed(session);
      return true;
    } catch (error) {
      this.failed(error);
      return false;
    }
  }
}
