import { request } from "./api.js";
import { byId, element } from "./element.js";

const columns = [["term", "Term"], ["soundsLike", "Sounds like"], ["replaces", "Replaces"]];
const common = "library";
const path = (name, part = "") => `api/vocabularies/${encodeURIComponent(name)}${part}`;
const list = (text) => text.split(",").map((one) => one.trim()).filter(Boolean);

/** The vocabularies of the library: each is edited as a table, with what is found in its rows. */
export class VocabularyDialog {
  constructor({ failed, announcer }) {
    Object.assign(this, { failed, announcer });
    this.dialog = byId("vocabulary-dialog");
    byId("vocabulary-name").addEventListener("change", ({ target }) => this.change(() => this.load(target.value)));
    byId("vocabulary-new").addEventListener("click", () => this.name(true));
    byId("vocabulary-check").addEventListener("click", () => this.change(() => {}, "check"));
    byId("vocabulary-delete").addEventListener("click", () => this.delete().catch((error) => this.refuse(error)));
    byId("vocabulary-cancel").addEventListener("click", () => this.dialog.close());
    byId("vocabulary-rows").addEventListener("input", () => this.grow());
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
    byId("vocabulary-create").addEventListener("click", () => this.create(byId("vocabulary-new-name").value.trim()));
  }

  async open() {
    try {
      await this.load(this.current ?? common);
      this.name(false);
      this.dialog.showModal();
    } catch (error) {
      this.failed(error);
    }
  }

  async load(wanted) {
    const { vocabularies } = await request("api/vocabularies");
    this.current = vocabularies.includes(wanted) ? wanted : common;
    byId("vocabulary-name").replaceChildren(...vocabularies.map((name) =>
      element("option", { value: name }, name === common ? "For every recording" : name)));
    byId("vocabulary-name").value = this.current;
    byId("vocabulary-delete").hidden = this.current === common;
    this.show(await request(path(this.current)));
  }

  /** Shows a field for the name of a new vocabulary, or hides it. */
  name(isNew) {
    byId("vocabulary-new-form").hidden = !isNew;
    byId("vocabulary-new-name").value = "";
    (isNew ? byId("vocabulary-new-name") : byId("vocabulary-name")).focus();
  }

  create(name) {
    if (!name) return;
    this.change(async () => {
      await request(path(name), { method: "PUT", body: { rows: [] } });
      await this.load(name);
      this.name(false);
      byId("vocabulary-rows").querySelector("input").focus();
    });
  }

  async delete() {
    await request(path(this.current), { method: "DELETE" });
    this.announcer.say(`The vocabulary ${this.current} was deleted`);
    await this.load(common);
  }

  show({ rows, findings }) {
    byId("vocabulary-error").textContent = "";
    byId("vocabulary-rows").replaceChildren(...rows.map((row) => this.row(row)));
    this.grow();
    this.saved = JSON.stringify(this.rows);
    this.showFindings(findings);
  }

  /** Shows what is found under the rows it is about. */
  showFindings(findings) {
    for (const old of byId("vocabulary-rows").querySelectorAll(".finding")) old.remove();
    const rows = this.filled;
    for (const { severity, row, problem, remedy } of findings) {
      const note = element("p", { class: `finding ${severity}` }, `${severity === "mistake" ? "Mistake: " : ""}${problem}; ${remedy}.`);
      (rows[row] ?? byId("vocabulary-rows").lastElementChild).querySelector(".vocabulary-findings").append(note);
    }
    byId("vocabulary-state").textContent = findings.length === 0 ? "No problems."
      : `${findings.length} ${findings.length === 1 ? "remark" : "remarks"}`;
  }

  row(values) {
    const cell = ([name, label]) => element("td", {}, element("input", {
      "data-column": name, "aria-label": label, placeholder: label, maxlength: "500", autocomplete: "off", spellcheck: "false",
      value: [values[name] ?? []].flat().join(", "),
    }));
    const row = element(
      "tr", {}, ...columns.map(cell),
      element("td", { class: "vocabulary-remove" }, element("button", {
        class: "icon-button", type: "button", "aria-label": values.term ? `Remove ${values.term}` : "Remove the row", click: () => {
          const next = row.nextElementSibling ?? row.previousElementSibling;
          row.remove();
          this.grow();
          (next?.isConnected ? next : byId("vocabulary-rows").lastElementChild).querySelector("input").focus();
        },
      }, "×")),
      element("td", { class: "vocabulary-findings" }));
    return row;
  }

  /** There is always an empty row at the end. */
  grow() {
    const body = byId("vocabulary-rows");
    const isEmpty = (row) => [...row.querySelectorAll("input")].every(({ value }) => value.trim() === "");
    if (!body.lastElementChild || !isEmpty(body.lastElementChild)) body.append(this.row({}));
  }

  /** The rows that are not empty. */
  get filled() {
    return [...byId("vocabulary-rows").children].filter((row) =>
      [...row.querySelectorAll("input")].some(({ value }) => value.trim()));
  }

  get rows() {
    return this.filled.map((row) => {
      const value = (name) => row.querySelector(`[data-column=${name}]`).value;
      return { term: value("term").trim(), soundsLike: list(value("soundsLike")), replaces: list(value("replaces")) };
    });
  }

  /** Stores what was changed, or only checks it, and does what follows. What was typed is not lost by an error. */
  async change(next, way = "save") {
    const { rows } = this;
    try {
      if (way === "check") {
        this.showFindings((await request(path(this.current, "/check"), { method: "POST", body: { rows } })).findings);
        byId("vocabulary-error").textContent = "";
      } else if (JSON.stringify(rows) !== this.saved) {
        await request(path(this.current), { method: "PUT", body: { rows } });
        this.saved = JSON.stringify(rows);
      }
      await next();
    } catch (error) {
      this.refuse(error);
    }
  }

  refuse(error) {
    byId("vocabulary-name").value = this.current;
    byId("vocabulary-error").textContent = error.message;
  }
}
