import { request } from "./api.js";
import { element } from "./element.js";
import { letterOf } from "./keys.js";

const columns = [["term", "Term"], ["soundsLike", "Sounds like"], ["replaces", "Replaces"]];
// An entry that has a comma stands in quotation marks.
const list = (text) => (text.match(/"[^"]*"|[^,]+/g) ?? []).map((one) => one.trim().replace(/^"(.*)"$/, "$1").trim()).filter(Boolean);
const listed = (texts) => texts.map((text) => text.includes(",") ? `"${text}"` : text).join(", ");
const count = (number) => `${number} ${number === 1 ? "row" : "rows"}`;
const cellsOf = (values) => columns.map(([name]) => name === "term" ? values.term ?? "" : listed(values[name] ?? []));

/** The terms of a vocabulary, each a row of fields. A list that is pasted becomes rows. */
export class VocabularyTable {
  /**
   * @param said is called with what was done, and whether `undo` takes it back.
   */
  constructor(body, { failed, said }) {
    Object.assign(this, { body, failed, said, before: null });
    body.addEventListener("input", () => {
      this.done(null);
      this.grow();
    });
    body.addEventListener("keydown", (event) => this.key(event));
    body.addEventListener("paste", (event) => this.paste(event));
  }

  /** Shows rows as the API sends them. */
  show(rows) {
    this.fill(rows.map(cellsOf));
    this.done(null);
  }

  fill(rows) {
    this.body.replaceChildren(...rows.map((cells) => this.row(cells)));
    this.grow();
  }

  row(cells = []) {
    const fields = columns.map(([name, label], index) => element("td", { "data-label": label }, element("input", {
      "data-column": name, "aria-label": label, maxlength: "500", autocomplete: "off", spellcheck: "false",
      value: cells[index] ?? "",
    })));
    const row = element(
      "tr", {}, ...fields,
      element("td", { class: "vocabulary-remove" }, element("button", {
        class: "icon-button", type: "button", tabindex: "-1", title: "Remove (Ctrl Delete)",
        "aria-label": cells[0] ? `Remove ${cells[0]}` : "Remove the row", click: () => this.remove(row),
      }, "×")),
      element("td", { class: "vocabulary-findings" }));
    return row;
  }

  /** There is always an empty row at the end. */
  grow() { if (!this.body.lastElementChild || !this.isEmpty(this.body.lastElementChild)) this.body.append(this.row()); }

  fields(row) { return [...row.querySelectorAll("input")]; }

  isEmpty(row) { return this.fields(row).every(({ value }) => value.trim() === ""); }

  /** The rows that are not empty. */
  get filled() { return [...this.body.children].filter((row) => !this.isEmpty(row)); }

  /** The texts of all fields. */
  get cells() { return this.filled.map((row) => this.fields(row).map(({ value }) => value)); }

  /** The rows as the API takes them. */
  get rows() {
    return this.cells.map(([term, soundsLike, replaces]) =>
      ({ term: term.trim(), soundsLike: list(soundsLike), replaces: list(replaces) }));
  }

  /** Adds rows at the end, and removes others, where nobody has changed them here. */
  merge(added, removed) {
    const gone = removed.map((values) => JSON.stringify(cellsOf(values)));
    const stay = this.cells.filter((cells) => !gone.includes(JSON.stringify(cells)));
    const known = stay.map(([term]) => term.trim());
    const at = document.activeElement.closest("tr")?.querySelector("input")?.value;
    this.fill([...stay, ...added.filter(({ term }) => !known.includes(term)).map(cellsOf)]);
    this.focus(this.filled.find((row) => this.fields(row)[0].value === at) ?? this.body.lastElementChild);
  }

  focus(row = this.body.firstElementChild, column = 0) {
    const field = this.fields(row)[column];
    field.focus();
    field.scrollIntoView({ block: "nearest" });
  }

  /** Enter and the arrow keys go from row to row, Tab from field to field. */
  key(event) {
    const row = event.target.closest("tr");
    if (!(event.target instanceof HTMLInputElement)) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const column = this.fields(row).indexOf(event.target);
    if (event.key === "Enter" && isCommand) event.target.form.requestSubmit();
    else if (event.key === "Delete" && isCommand) this.remove(row);
    else if (letterOf(event) === "z" && isCommand && !event.shiftKey && this.before) this.undo();
    else if (event.key === "Enter" || event.key === "ArrowDown" || event.key === "ArrowUp") {
      const isUp = event.key === "ArrowUp" || (event.key === "Enter" && event.shiftKey);
      this.focus((isUp ? row.previousElementSibling : row.nextElementSibling) ?? row, column);
    } else return;
    event.preventDefault();
  }

  /** Notes that rows were changed at once, and how they were before; null if nothing can be taken back any more. */
  done(before, text = "") {
    if (!before && !this.before) return;
    this.before = before;
    this.said(text, before !== null);
  }

  undo() {
    this.fill(this.before);
    this.done(null);
    this.focus();
  }

  remove(row) {
    if (this.isEmpty(row)) return;
    const before = this.cells;
    const next = row.nextElementSibling ?? row.previousElementSibling;
    const term = this.fields(row)[0].value.trim();
    row.remove();
    this.grow();
    this.focus(next?.isConnected ? next : this.body.lastElementChild);
    this.done(before, term ? `“${term}” was removed.` : "The row was removed.");
  }

  /** Makes rows of a text that is pasted outside of the fields. */
  pasteAtEnd(event) {
    const text = event.clipboardData?.getData("text/plain").trim() ?? "";
    if (!text) return;
    event.preventDefault();
    this.take(text, this.body.lastElementChild, 0).catch(this.failed);
  }

  /** Makes rows of a text with lines or tabs, and of terms with commas between them. */
  paste(event) {
    const text = event.clipboardData?.getData("text/plain").trim() ?? "";
    const field = event.target;
    if (!(field instanceof HTMLInputElement)) return;
    const row = field.closest("tr");
    const column = this.fields(row).indexOf(field);
    const isList = /[\n\r\t]/.test(text) || (column === 0 && field.value.trim() === "" && /[,;、，；،]/.test(text));
    if (!isList) return;
    event.preventDefault();
    this.take(text, row, column).catch(this.failed);
  }

  async take(text, row, column) {
    const { rows } = await request("api/vocabulary/rows", { method: "POST", body: { text } });
    if (!row.isConnected) return;
    if (column > 0) this.put(rows.map(cellsOf), row, column);
    else this.insert(rows, row);
  }

  /** Writes cells into the fields from one on, as a spreadsheet does. */
  put(rows, first, column) {
    const before = this.cells;
    let row = first;
    for (const cells of rows) {
      this.fields(row).slice(column).forEach((field, index) => { if (cells[index]) field.value = cells[index]; });
      this.grow();
      if (!row.nextElementSibling) this.body.append(this.row());
      row = row.nextElementSibling;
    }
    this.grow();
    this.focus(row, column);
    this.done(before, `${count(rows.length)} filled.`);
  }

  /** Inserts rows at an empty row, else after it. A term that is there already is left out. */
  insert(rows, at) {
    const before = this.cells;
    const known = new Set(before.map(([term]) => term.trim()));
    const added = rows.filter(({ term, soundsLike, replaces }) => {
      const isKnown = known.has(term) && soundsLike.length + replaces.length === 0;
      known.add(term);
      return !isKnown;
    });
    const made = added.map((values) => this.row(cellsOf(values)));
    at.after(...made);
    const isSpare = this.isEmpty(at);
    if (isSpare && made.length > 0) at.remove();
    this.grow();
    const last = made.at(-1) ?? at;
    this.focus(last.nextElementSibling ?? last);
    const skipped = rows.length - added.length;
    const rest = skipped === 0 ? "" : `; ${skipped} ${skipped === 1 ? "was" : "were"} there already`;
    this.done(before, `${count(added.length)} added${rest}.`);
  }

  /** Shows under each row what became of its term. @param results the text of each term. */
  showTrial(results) {
    for (const old of this.body.querySelectorAll(".trial")) old.remove();
    for (const row of this.filled) {
      const result = results.get(this.fields(row)[0].value.trim());
      if (result) row.querySelector(".vocabulary-findings").append(element("p", { class: "trial" }, result));
    }
  }

  /** Shows what is found under the rows it is about. */
  showFindings(findings) {
    for (const old of this.body.querySelectorAll(".finding")) old.remove();
    const { filled } = this;
    for (const { severity, row, problem, remedy } of findings) {
      const note = element("p", { class: `finding ${severity}` }, `${severity === "mistake" ? "Mistake: " : ""}${problem}; ${remedy}.`);
      (filled[row] ?? this.body.lastElementChild).querySelector(".vocabulary-findings").append(note);
    }
  }
}
