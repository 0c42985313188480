import { chevron, element, playPicture, spokenOnly } from "./element.js";
import { kindOf, notableSpans, spanText } from "./coverage.js";
import { clock, percent, spoken } from "./format.js";
import { readings } from "./readings.js";

const shortestPause = 2;
const doubtful = 0.7;
const veryDoubtful = 0.4;

/**
 * The words of a text with their places in it: the recognizer's words are looked up one after the other. A word that is
 * not found (a text that was written otherwise) has no place, and is part of what stands around it.
 */
function pieces(segment) {
  const found = [];
  let place = 0;
  for (const [index, word] of segment.words.entries()) {
    const start = segment.text.indexOf(word.text, place);
    if (start < 0 || word.text === "") continue;
    if (start > place) found.push({ text: segment.text.slice(place, start) });
    place = start + word.text.length;
    found.push({ text: word.text, index });
  }
  if (place < segment.text.length) found.push({ text: segment.text.slice(place) });
  return found;
}

function wordElement(word, text, { showsDoubt, mark }) {
  const made = element("span", { class: "word" }, text);
  const bare = text.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  if (mark.has(bare)) made.classList.add("found");
  if (showsDoubt && word.confidence < doubtful) {
    made.classList.add(word.confidence < veryDoubtful ? "very-doubtful" : "doubtful");
    made.title = `confidence ${percent(word.confidence)}`;
    made.append(spokenOnly(` (unsure, ${percent(word.confidence)})`));
  }
  return made;
}

/** A stretch that is not in the text. What was captured of it can be heard. */
function spanLine(span, play) {
  const kind = kindOf(span);
  const length = span.end - span.start;
  const line = element(
    "p", { class: `between ${kind}` }, element("span", {}, `${spanText(span)} · ${clock(length)}`));
  if (kind !== "gap") {
    line.append(element("button", {
      class: "hear", "data-key": `hear-${span.start}`, title: "Hear it",
      "aria-label": `Hear ${spoken(length)}: ${spanText(span)}`, click: () => play(span.start),
    }, playPicture()));
  }
  return line;
}

/** What stands between a row and the one before it: a pause, and stretches that are not in the text. */
export function betweenRows(from, to, spans, { pauses = true, play }) {
  const between = notableSpans(spans, from, to);
  const lines = between.map((span) => spanLine(span, play));
  if (pauses && between.length === 0 && to - from >= shortestPause) {
    lines.push(
      element(
        "p", { class: "between pause" },
        element("span", {}, `pause ${clock(to - from)}`)));
  }
  return lines;
}

/** Whether the row shows something else before it than it should. */
export function isBehind(item, row, { segments, spans }) {
  const segment = segments.get(row);
  const before = row > 0 ? segments.get(row - 1) : { end: 0 };
  if (!segment || !before) return false;
  return item.between !== keyOf(notableSpans(spans, before.end, segment.start));
}

const keyOf = (spans) => spans.map((span) => `${kindOf(span)} ${span.start} ${span.end}`).join();

/** How something in a row is found again when the row was filled anew. */
const keyFor = ({ dataset }) =>
  dataset.word === undefined ? `[data-key="${dataset.key}"]` : `[data-word="${dataset.word}"]`;

/** Makes the row of a segment, still empty. */
export function makeRow(row, { segments }) {
  const item = element("li", {
    class: "row", "data-row": row, tabindex: "-1", "aria-posinset": row + 1, "aria-setsize": segments.count,
    "aria-busy": "true",
  });
  item.words = [];
  return item;
}

/**
 * Fills a row anew: what was before it, its time, its words, and its readings if they are open. What had the focus in it
 * has it again. Whether its segment is at hand.
 */
export function fillRow(item, row, { segments, spans, view, actions, player }) {
  const segment = segments.get(row);
  const focused = item.contains(document.activeElement) ? keyFor(document.activeElement) : undefined;
  item.setAttribute("aria-setsize", segments.count);
  item.words = [];
  item.segment = segment;
  if (!segment) {
    item.setAttribute("aria-busy", "true");
    item.replaceChildren();
    return false;
  }
  item.removeAttribute("aria-busy");
  item.classList.toggle("current", view.current === row);
  if (view.current === row) item.setAttribute("aria-current", "true");
  const text = element("p", { class: "text" });
  for (const piece of pieces(segment)) {
    if (piece.index === undefined) text.append(piece.text);
    else {
      const word = wordElement(segment.words[piece.index], piece.text, view);
      word.dataset.word = piece.index;
      item.words[piece.index] = word;
      text.append(word);
    }
  }
  const before = row > 0 ? segments.get(row - 1) : { end: 0 };
  item.between = before ? keyOf(notableSpans(spans, before.end, segment.start)) : "";
  const isOpen = view.open.has(row);
  const body = element(
    "div", { class: "segment" },
    element("button", {
      class: "time", "data-key": "time", "aria-label": `Play from ${spoken(segment.start)}`,
      click: () => actions.play(row),
    }, clock(segment.start)),
    text);
  if (segment.alternatives.length > 1) {
    const isChosen = segment.selection.index > 0;
    body.append(element("button", {
      class: isChosen ? "more chosen" : "more", "data-key": "more", "aria-expanded": String(isOpen),
      title: `${segment.alternatives.length} readings (a)`,
      "aria-label": `${segment.alternatives.length} readings${isChosen ? ", another than the first was chosen" : ""}`,
      click: () => actions.toggle(row),
    }, `${segment.alternatives.length}`, chevron()));
  }
  if (isOpen) body.append(readings(segment, view.details.get(row), actions));
  const play = (time) => player.play(time);
  const between = before && betweenRows(before.end, segment.start, spans, { play });
  item.replaceChildren(...(before ? between : []), body);
  if (focused !== undefined) {
    const again = item.querySelector(focused) ?? item;
    if (again.matches(".word")) again.tabIndex = -1;
    again.focus({ preventScroll: true });
  }
  return true;
}
