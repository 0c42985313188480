import { alternativesPanel } from "./alternatives.js";
import { element, playIcon, spokenOnly } from "./element.js";
import { kindOf, notableSpans, spanText } from "./coverage.js";
import { clock, percent, spoken } from "./format.js";

const shortestPause = 2;
// About half of Whisper's words below it are wrong, and they are half of its wrong words: "Confidence" in docs/measurements.md.
export const lowConfidence = 0.79;
const veryLowConfidence = 0.5;

/**
 * Divides the text, as it is written in sentences, into the recognizer's words and what is between them. A word that the text
 * does not contain, because it was rewritten, gets no part of its own.
 */
function textParts(segment) {
  const found = [];
  let offset = 0;
  for (const [index, word] of segment.words.entries()) {
    const start = segment.formatted.indexOf(word.display, offset);
    if (start < 0 || word.display === "") continue;
    if (start > offset) found.push({ text: segment.formatted.slice(offset, start) });
    offset = start + word.display.length;
    found.push({ text: word.display, index });
  }
  if (offset < segment.formatted.length) found.push({ text: segment.formatted.slice(offset) });
  return found;
}

/**
 * What the vocabulary writes in the place of words, with the marks and the capital of the sentence. The recognizer's words are
 * its description.
 */
function changedElement({ text, original }, first, last) {
  const mark = last.match(/[^\p{L}\p{M}\p{N}]*$/u)[0];
  const isCapital = /^\p{Lu}/u.test(first) && !/^\p{Lu}/u.test(original);
  const shown = isCapital ? text[0].toUpperCase() + text.slice(1) : text;
  return element(
    "span", { class: "changed", title: `recognized: ${original}` }, shown + (shown.endsWith(mark) ? "" : mark),
    spokenOnly(` (recognized: ${original})`));
}

/** A text without the marks of the sentence around it. What belongs to a word stays: C++, C#, and signs that stand with letters. */
export const withoutMarks = (text) =>
  text.replace(/^[\s"'“”„‟«»‹›‘’‚(\[{¿¡「『（【《〈]+|[\s"'“”„‟«»‹›‘’‚)\]}.,;:!?…،؛؟۔।॥。、，．；：？！」』）】》〉]+$/gu, "");

/** A word without the marks around it, to compare it. */
export const bareWord = (text) => text.toLowerCase().replace(/^[^\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, "");

function wordElement(word, text, { showsConfidence, mark }) {
  const node = element("span", { class: "word" }, text);
  if (word.echo) {
    node.classList.add("echo");
    node.title = "echo of another channel";
  }
  if (word.corrected) {
    node.classList.add("corrected");
    node.title = "written by a person";
    node.append(spokenOnly(" (corrected)"));
  }
  if (mark.size > 0 && mark.has(bareWord(text))) node.classList.add("found");
  if (showsConfidence && word.confidence !== null && word.confidence < lowConfidence) {
    node.classList.add(word.confidence < veryLowConfidence ? "very-doubtful" : "doubtful");
    node.title = `confidence ${percent(word.confidence)}`;
    node.append(spokenOnly(` (unsure, ${percent(word.confidence)})`));
  }
  return node;
}

/** A line for a span without text. If it was captured, it can be played. */
function spanLine(span, play) {
  const kind = kindOf(span);
  const length = span.end - span.start;
  const line = element(
    "p", { class: `between ${kind}` }, element("span", {}, `${spanText(span)} · ${clock(length)}`));
  if (kind !== "gap") {
    line.append(element("button", {
      class: "play-span", "data-key": `play-${span.start}`, title: "Play",
      "aria-label": `Play ${spoken(length)}: ${spanText(span)}`, click: () => play(span.start),
    }, playIcon()));
  }
  return line;
}

/** The lines between a row and the previous one: a pause, or spans without text. */
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

/** Whether the lines before a row are out of date. */
export function isBehind(item, row, { segments, spans }) {
  const segment = segments.get(row);
  const before = row > 0 ? segments.get(row - 1) : { end: 0 };
  if (!segment || !before) return false;
  return item.between !== keyOf(notableSpans(spans, before.end, segment.start));
}

const keyOf = (spans) => spans.map((span) => `${kindOf(span)} ${span.start} ${span.end}`).join();

/** A selector for an element of a row, to find it again after the row was filled again. */
const keyFor = (node) =>
  node.dataset.word === undefined ? `[data-key="${node.dataset.key}"]` : `.part[data-row="${rowOf(node)}"] [data-word="${node.dataset.word}"]`;

/** The row of the segment to which an element belongs; undefined outside of the rows. */
export function rowOf(node) {
  const place = node?.closest("#rows [data-row]");
  return place ? Number(place.dataset.row) : undefined;
}

/** Where a word begins in the text of its segment. */
export function wordOffset(segment, index) {
  let offset = 0;
  for (const part of textParts(segment)) {
    if (part.index === index) break;
    offset += part.text.length;
  }
  return offset;
}

/** Makes an empty row for a segment. */
export function makeRow(row, { segments }) {
  const item = element("li", {
    class: "row", "data-row": row, tabindex: "-1", "aria-posinset": row + 1, "aria-setsize": segments.count,
    "aria-busy": "true",
  });
  item.words = [];
  return item;
}

/** Who begins to speak in a segment, and with which words. */
export const voices = ({ turns, speaker }) => turns ?? [{ word: 0, speaker }];

/** What names another speaker within a paragraph. */
function turnElement(id, speakers) {
  const speaker = speakers.known.get(id) ?? { name: "Unknown", colour: "unknown" };
  return element("span", { class: `turn colour-${speaker.colour}` }, `${speaker.name}: `);
}

/** The text of a segment, with an element for each word and what stands before words. Returns also the elements of the words. */
function segmentText(segment, shown, before = new Map()) {
  const text = element("span", { class: "part", "data-row": segment.id });
  const words = [];
  const changes = shown.showsNormalized ? segment.normalized?.spans ?? [] : [];
  // Words before `done` are in the text.
  let done = 0;
  let last = -1;
  for (const part of textParts(segment)) {
    if (part.index === undefined) {
      if (last + 1 >= done) text.append(part.text);
      continue;
    }
    last = part.index;
    if (before.has(last)) text.append(before.get(last));
    if (last < done) continue;
    const change = changes.find(({ words: [first, end] }) => first === last && first < end);
    if (change) {
      done = change.words[1];
      text.append(changedElement(change, part.text, segment.words[done - 1].display));
      continue;
    }
    const word = wordElement(segment.words[last], part.text, shown);
    word.dataset.word = last;
    words[last] = word;
    text.append(word);
  }
  return { text, words };
}

const unspaced = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Tibetan}\p{Script=Myanmar}\p{Script=Khmer}\u3000-\u30ff\uff00-\uff9f]`;
const [unspacedStart, unspacedEnd] = [new RegExp(`^${unspaced}`, "u"), new RegExp(`${unspaced}$`, "u")];

/** Whether writing without spaces goes on from one text to another. */
const isUnspaced = (before, after) =>
  unspacedEnd.test(before)
  && unspacedStart.test(after);

/** The texts of segments as one. */
export const joinedText = (texts) =>
  texts.filter(Boolean).reduce((text, next) => text + (text === "" || isUnspaced(text, next) ? "" : " ") + next, "");

/** The text of a paragraph; its words are kept at the elements of their rows. */
function paragraphText(item, parts, { shown, rows, speakers }) {
  const text = element("p", { class: "text", dir: "auto" });
  let before = "";
  let speaker = parts[0] && voices(parts[0])[0].speaker;
  item.parts = new Map();
  for (const segment of parts) {
    if (segment.formatted === "") continue;
    if (before !== "" && !isUnspaced(before, segment.formatted)) text.append(" ");
    const names = new Map();
    // What a person joined to the paragraph of another speaker is said by who said the text before.
    for (const turn of segment.speaker === parts[0].speaker ? voices(segment) : []) {
      if (turn.speaker === speaker) continue;
      speaker = turn.speaker;
      if (speakers.all.length > 0 && !speakers.awaits(speaker)) names.set(turn.word, turnElement(speaker, speakers));
    }
    const part = segmentText(segment, shown, names);
    text.append(part.text);
    item.parts.set(segment.id, part.words);
    const own = rows.element(segment.id);
    if (own) own.words = part.words;
    before = segment.formatted;
  }
  return text;
}

/**
 * Fills a row: the lines before it, and its paragraph with its time, its words, and the alternatives that are open. A row in
 * a paragraph that began before is empty. The focus stays on the same element. Returns whether the segment is loaded.
 */
export function fillRow(item, row, view) {
  const { segments, spans, shown, actions, player, speakers, speakerPopup, paragraphs, editor, rows, translation } = view;
  const segment = segments.get(row);
  item.segment = segment;
  // The browser would take the focus from a text that is being edited.
  if (editor.isIn(item)) return true;
  const focused = item.contains(document.activeElement) ? keyFor(document.activeElement) : undefined;
  item.setAttribute("aria-setsize", segments.count);
  item.words = [];
  if (!segment) {
    item.setAttribute("aria-busy", "true");
    item.classList.remove("inside");
    item.replaceChildren();
    return false;
  }
  item.removeAttribute("aria-busy");
  const before = row > 0 ? segments.get(row - 1) : { end: 0 };
  const own = paragraphs.rows(row);
  const parts = own.map((one) => segments.get(one)).filter(Boolean);
  // A person may have removed all of its text.
  const isEmpty = parts.every(({ text }) => text === "") && editor.first !== row;
  const isInside = isEmpty || !paragraphs.begins(row);
  item.classList.toggle("inside", isInside);
  if (isInside) {
    item.between = isEmpty && before ? keyOf(notableSpans(spans, before.end, segment.start)) : keyOf([]);
    item.words = rows.home(row)?.parts?.get(row) ?? [];
    item.replaceChildren();
    return true;
  }
  const isCurrent = own.includes(shown.current);
  item.classList.toggle("current", isCurrent);
  if (isCurrent) item.setAttribute("aria-current", "true");
  item.between = before ? keyOf(notableSpans(spans, before.end, segment.start)) : "";
  const text = editor.first === row ? editor.box : paragraphText(item, parts, view);
  // Another one may say most of it.
  const begun = segment.turns ? { ...segment, speaker: segment.turns[0].speaker, speakerConfidence: undefined } : segment;
  const [speaker, badge] = [speakers.of(begun), speakers.badge(begun)];
  const last = row > 0 ? segments.get(paragraphs.head(row - 1)) : undefined;
  item.classList.toggle("dimmed", parts.every((one) => speakers.dims(one)));
  item.classList.toggle("all-echo", parts.every(({ echo }) => echo === true));
  const body = element(
    "div", { class: "segment" },
    element("button", {
      class: "time", "data-key": "time", "aria-label": `Play from ${spoken(segment.start)}`,
      click: () => actions.play(row),
    }, clock(segment.start)),
    badge ? element("button", {
      class: `said-by badge colour-${badge.colour}`, "data-key": "speaker", "aria-haspopup": "dialog",
      "aria-label": `${badge.name}, change the speaker`, title: `${badge.name} (w)`, click: () => speakerPopup.open(row),
    }, badge.label) : null,
    speaker && (!last || (before?.turns ? voices(before).at(-1) : last).speaker !== begun.speaker)
      ? element("span", { class: `speaker-name colour-${speaker.colour}` }, speaker.name) : null,
    text);
  const english = shown.showsTranslation && parts.length > 0 ? translation.text(parts[0].start, parts[parts.length - 1].end) : "";
  if (english !== "") {
    body.append(element("p", { class: "translation", lang: "en", dir: "ltr", title: `Translated by ${translation.model}: a text of the model, not the words that were said` }, english));
  }
  for (const one of parts.filter(({ key }) => shown.open.has(key))) {
    body.append(alternativesPanel(one, shown.details.get(one.key), actions));
  }
  const play = (time) => player.play(time);
  const between = before && betweenRows(before.end, segment.start, spans, { play });
  item.replaceChildren(...(before ? between : []), body);
  if (view.popup.isOpen) view.popup.mark();
  else if (view.speakerPopup.turn) view.speakerPopup.mark();
  if (focused !== undefined) {
    const again = item.querySelector(focused) ?? item;
    if (again.matches(".word")) again.tabIndex = -1;
    again.focus({ preventScroll: true });
  }
  return true;
}
