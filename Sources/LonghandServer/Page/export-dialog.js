import { sessionPath } from "./api.js";
import { submitByEnter } from "./dialogs.js";
import { byId, element } from "./element.js";

const setting = "longhand.export";
const formats = [
  ["txt", "Plain text"], ["md", "Markdown"], ["srt", "SubRip captions"], ["vtt", "WebVTT captions"],
  ["json", "JSON, one document"], ["jsonl", "JSON lines"], ["tsv", "Tab-separated"], ["ctm", "CTM, word times"],
  ["textgrid", "TextGrid (Praat)"], ["html", "Web page"], ["docx", "Word document"],
  ["edl", "Markers (EDL)"], ["fcpxml", "Markers (Final Cut Pro)"], ["eaf", "ELAN annotations"],
  ["otr", "oTranscribe"],
];
/** Formats that are saved at once, with the options of the last time. */
const common = [["txt", "Text"], ["docx", "Word"], ["srt", "Captions"], ["html", "Web page"]];
const captions = new Set(["srt", "vtt"]);
const withWordTimes = new Set(["txt", "srt", "vtt", "tsv", "jsonl"]);
const withRecognizedNumbers = new Set(["json", "jsonl"]);
const withSpeakers = new Set(["txt", "md", "srt", "vtt", "json", "jsonl", "textgrid", "html", "docx", "edl", "fcpxml", "eaf",
  "otr"]);

/** Asks for a format and its options, which it remembers, and saves the transcript. */
export class ExportDialog {
  /** @param view the open session. */
  constructor(view) {
    this.view = view;
    byId("export-format").replaceChildren(
      ...formats.map(([format, name]) => element("option", { value: format }, `${name} (.${format})`)));
    byId("export-common").append(...common.map(([format, name]) => element(
      "button", { class: "quiet-button", type: "button", value: format, click: () => this.saveAs(format) }, name)));
    byId("export").addEventListener("click", () => this.open());
    byId("export-format").addEventListener("change", () => this.show());
    byId("export-cancel").addEventListener("click", () => byId("export-dialog").close());
    submitByEnter(byId("export-form"));
    byId("export-form").addEventListener("submit", () => this.save());
  }

  /** Whether the document can say who speaks. */
  get hasSpeakers() { return withSpeakers.has(this.format) && this.view.speakers.all.length > 0; }

  get format() { return byId("export-format").value; }

  open() {
    let last = {};
    try {
      last = JSON.parse(localStorage.getItem(setting)) ?? {};
    } catch {
      // Another version has written it.
    }
    byId("export-format").value = formats.some(([format]) => format === last.format) ? last.format : "txt";
    byId("export-width").value = last.width ?? 42;
    byId("export-lines").value = last.lines ?? 2;
    byId("export-overlap").value = last.overlap ?? "together";
    byId("export-numbers").value = last.numbers ?? "";
    byId("export-words").checked = last.words ?? false;
    byId("export-corrections").checked = last.corrections ?? true;
    byId("export-speakers").checked = last.speakers ?? true;
    this.show();
    byId("export-dialog").showModal();
  }

  /** Shows the options that the format has. */
  show() {
    byId("export-captions").hidden = !captions.has(this.format);
    byId("export-overlap-field").hidden = !captions.has(this.format) || this.view.speakers.all.length < 2;
    byId("export-numbers-field").hidden = withRecognizedNumbers.has(this.format);
    byId("export-words").closest("label").hidden = !withWordTimes.has(this.format);
    byId("export-speakers").closest("label").hidden = !this.hasSpeakers;
  }

  saveAs(format) {
    byId("export-format").value = format;
    this.show();
    this.save();
    byId("export-dialog").close();
  }

  save() {
    const chosen = {
      format: this.format, width: byId("export-width").valueAsNumber, lines: byId("export-lines").valueAsNumber,
      words: byId("export-words").checked, corrections: byId("export-corrections").checked,
      speakers: byId("export-speakers").checked, overlap: byId("export-overlap").value,
      numbers: byId("export-numbers").value,
    };
    localStorage.setItem(setting, JSON.stringify(chosen));
    const query = new URLSearchParams({ format: chosen.format });
    if (captions.has(chosen.format)) {
      if (Number.isFinite(chosen.width)) query.set("width", chosen.width);
      if (Number.isFinite(chosen.lines)) query.set("lines", chosen.lines);
      if (!byId("export-overlap-field").hidden) query.set("overlap", chosen.overlap);
    }
    if (!byId("export-numbers-field").hidden && chosen.numbers) query.set("numbers", chosen.numbers);
    if (withWordTimes.has(chosen.format) && chosen.words) query.set("words", "yes");
    if (this.hasSpeakers && !chosen.speakers) query.set("speakers", "no");
    if (!chosen.corrections) query.set("corrections", "no");
    const link = element("a", { href: `${sessionPath(this.view.id, "export")}?${query}`, download: true });
    document.body.append(link);
    link.click();
    link.remove();
  }
}
