import { notableSpans } from "./coverage.js";

/** Which segments are one paragraph. The row of its first segment has the text of all; the rows of the others are empty. */
export class Paragraphs {
  /** @param view the open session. */
  constructor(view) { this.view = view; }

  /** Whether a paragraph begins with a row. What is not loaded begins one. */
  begins(row) {
    const { segments, spans, editor } = this.view;
    const [segment, before] = [segments?.get(row), segments?.get(row - 1)];
    if (row <= 0 || !segment || !before) return true;
    if (editor.covers(row)) return row === editor.first;
    // A person removed the text.
    if (segment.text === "") return false;
    return segment.beginsParagraph || notableSpans(spans, before.end, segment.start).length > 0;
  }

  /** The first row of the paragraph with a row. */
  head(row) {
    let head = row;
    while (!this.begins(head)) head -= 1;
    return head;
  }

  /** The row after the paragraph with a row. */
  end(row) {
    const { segments } = this.view;
    let end = row + 1;
    while (end < segments.count && segments.get(end) && !this.begins(end)) end += 1;
    return end;
  }

  /** The rows of the paragraph with a row. */
  rows(row) {
    const head = this.head(row);
    return Array.from({ length: this.end(row) - head }, (_, index) => head + index);
  }
}
