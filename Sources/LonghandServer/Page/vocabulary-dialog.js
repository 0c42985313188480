import { request } from "./api.js";
import { ask, LeaveGuard } from "./dialogs.js";
import { byId, element } from "./element.js";
import { VocabularyTable } from "./vocabulary-table.js";
import { VocabularyTrial } from "./vocabulary-trial.js";

const common = "library";
const path = (name, part = "") => `api/vocabularies/${encodeURIComponent(name)}${part}`;
const label = (name) => (name === common ? "For every recording" : name);

/** A name for the vocabulary of a file that none of the others has. */
function freeName(file, names) {
  const stem = file.replace(/\.[^.]*$/, "").replace(/[^\p{L}\p{N} \-_.']/gu, "-").replace(/^[\s.]+|\s+$/g, "").slice(0, 50).trim()
    || "vocabulary";
  let name = stem;
  for (let number = 2; names.includes(name); number += 1) name = `${stem} ${number}`;
  return name;
}

/** The vocabularies of the library: each is edited as a table, with what is found in its rows. */
export class VocabularyDialog {
  constructor({ failed, announcer }) {
    Object.assign(this, { failed, announcer });
    this.dialog = byId("vocabulary-dialog");
    this.table = new VocabularyTable(byId("vocabulary-rows"), {
      failed: (error) => this.refuse(error), said: (text, canUndo) => this.say(text, canUndo),
    });
    this.trial = new VocabularyTrial(this.table, { path, failed: (error) => this.refuse(error), announcer });
    this.guard = new LeaveGuard(this.dialog, byId("vocabulary-cancel"), {
      isChanged: () => this.isChanged, what: () => `The changes of the vocabulary “${label(this.current)}” are not stored.`,
    });
    const refused = (action) => action.catch((error) => this.refuse(error));
    byId("vocabulary-name").addEventListener("change", ({ target }) => this.change(() => this.load(target.value)));
    byId("vocabulary-new").addEventListener("click", () => this.name(true));
    byId("vocabulary-check").addEventListener("click", () => this.change(() => {}, "check"));
    byId("vocabulary-try").addEventListener("click", () => this.change(() => this.trial.start(this.current)));
    byId("vocabulary-delete").addEventListener("click", () => refused(this.delete()));
    byId("vocabulary-undo").addEventListener("click", () => this.table.undo());
    byId("vocabulary-open").addEventListener("click", () => byId("vocabulary-file").click());
    byId("vocabulary-file").addEventListener("change", ({ target }) => {
      const [file] = target.files;
      if (file) this.change(() => this.read(file));
      target.value = "";
    });
    for (const button of byId("vocabulary-files").querySelectorAll("button")) {
      button.addEventListener("click", () => this.change(() => this.download(button.value)));
    }
    byId("vocabulary-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.change(() => this.dialog.close());
    });
    byId("vocabulary-new-name").addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "Enter") this.create(byId("vocabulary-new-name").value.trim());
      else this.name(false);
    });
    // A list can be pasted wherever the focus is, and Ctrl Enter saves.
    this.dialog.addEventListener("paste", (event) => {
      if (!event.defaultPrevented && !(event.target instanceof HTMLInputElement)) this.table.pasteAtEnd(event);
    });
    this.dialog.addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      byId("vocabulary-form").requestSubmit();
    });
    byId("vocabulary-create").addEventListener("click", () => this.create(byId("vocabulary-new-name").value.trim()));
  }

  get isChanged() { return JSON.stringify(this.table.rows) !== this.saved; }

  async open() {
    try {
      await this.load(this.current ?? common);
      this.name(false);
      this.guard.open();
    } catch (error) {
      this.failed(error);
    }
  }

  async load(wanted) {
    const { vocabularies } = await request("api/vocabularies");
    this.current = vocabularies.includes(wanted) ? wanted : common;
    byId("vocabulary-name").replaceChildren(...vocabularies.map((name) => element("option", { value: name }, label(name))));
    byId("vocabulary-name").value = this.current;
    byId("vocabulary-delete").hidden = this.current === common;
    this.show(await request(path(this.current)));
  }

  /** Shows a field for the name of a new vocabulary, or hides it. */
  name(isNew) {
    byId("vocabulary-new-form").hidden = !isNew;
    byId("vocabulary-new-name").value = "";
    byId(isNew ? "vocabulary-new-name" : "vocabulary-new").focus();
  }

  create(name) {
    if (!name) return;
    this.change(async () => {
      await request(path(name), { method: "PUT", body: { rows: [] } });
      await this.load(name);
      this.name(false);
      this.table.focus();
    });
  }

  async delete() {
    const { length } = this.table.rows;
    const terms = length === 0 ? "no terms" : length === 1 ? "one term" : `${length} terms`;
    const isSure = await ask({
      title: "Delete this vocabulary?", text: `“${this.current}” with ${terms} will be deleted. This cannot be undone.`,
      yes: "Delete", no: "Cancel", isDangerous: true,
    });
    if (!isSure) return;
    await request(path(this.current), { method: "DELETE" });
    this.announcer.say(`The vocabulary ${this.current} was deleted`);
    await this.load(common);
  }

  /** Makes a vocabulary of a file. No other one is changed. */
  async read(file) {
    const { vocabularies } = await request("api/vocabularies");
    const name = freeName(file.name, vocabularies);
    await request(`${path(name, "/file")}?${new URLSearchParams({ name: file.name })}`, { method: "PUT", body: file });
    await this.load(name);
    this.say(`“${file.name}” is the vocabulary “${name}” now.`);
  }

  /** Saves the vocabulary as a file. */
  download(format) {
    const link = element("a", { href: `${path(this.current, "/file")}?${new URLSearchParams({ format })}`, download: true });
    document.body.append(link);
    link.click();
    link.remove();
  }

  show({ rows, others, findings }) {
    byId("vocabulary-error").textContent = "";
    this.table.show(rows);
    this.stored = rows;
    this.saved = JSON.stringify(this.table.rows);
    const parts = Object.entries(others).map(([name, count]) => `${count} ${name}`);
    byId("vocabulary-others").textContent = parts.length === 0 ? ""
      : `It also has ${parts.join(", ")}, which stay as they are.`;
    this.showFindings(findings);
    this.trial.follow(this.current);
  }

  showFindings(findings) {
    this.table.showFindings(findings);
    this.say(findings.length === 0 ? "No problems." : `${findings.length} ${findings.length === 1 ? "remark" : "remarks"}`);
  }

  /** Says what was done with the rows. @param canUndo whether it can be taken back. */
  say(text, canUndo = false) {
    byId("vocabulary-state").textContent = text;
    byId("vocabulary-undo").hidden = !canUndo;
  }

  /** Stores what was changed, or only checks it, and does what follows. What was typed is not lost by an error. */
  async change(next, way = "save") {
    const { rows } = this.table;
    try {
      if (way === "check") {
        this.showFindings((await request(path(this.current, "/check"), { method: "POST", body: { rows } })).findings);
      } else if (JSON.stringify(rows) !== this.saved) {
        ({ rows: this.stored } = await request(path(this.current), { method: "PUT", body: { rows, before: this.stored } }));
        this.saved = JSON.stringify(rows);
      }
      byId("vocabulary-error").textContent = "";
      await next();
    } catch (error) {
      if (error.code === "changed") await this.merge().catch((other) => this.refuse(other));
      else this.refuse(error);
    }
  }

  /** Takes over what others have changed since the rows were read; what was typed stays. */
  async merge() {
    const { rows } = await request(path(this.current));
    const without = (some, others) => some.filter((row) => !others.some((other) => JSON.stringify(other) === JSON.stringify(row)));
    this.table.merge(without(rows, this.stored), without(this.stored, rows));
    this.stored = rows;
    this.refuse(new Error("The vocabulary was changed elsewhere meanwhile. These changes are in the table now, with yours. Look at it, and save it."));
  }

  refuse(error) {
    byId("vocabulary-name").value = this.current;
    byId("vocabulary-error").textContent = error.message;
  }
}
