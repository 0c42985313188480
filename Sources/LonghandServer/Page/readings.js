import { element } from "./element.js";
import { date, percent } from "./format.js";

const ruleNames = { recognizer: "the recognizer's first choice", user: "chosen by hand" };
const backTo = { recognizer: "Back to the recognizer's choice", user: "Back to the choice before" };

function ruleText({ rule, judgement }) {
  const name = ruleNames[rule] ?? `chosen by the rule “${rule}”`;
  return judgement ? `${name} (${judgement})` : name;
}

const words = (text) => text.split(/\s+/).filter(Boolean);
const bare = (word) => word.toLowerCase();

/** Which words of a reading differ from those shown: all outside the longest sequence that both have. */
function differing(text, shown) {
  const [own, other] = [words(text), words(shown)];
  const lengths = Array.from({ length: own.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let i = own.length - 1; i >= 0; i -= 1) {
    for (let j = other.length - 1; j >= 0; j -= 1) {
      lengths[i][j] = bare(own[i]) === bare(other[j])
        ? lengths[i + 1][j + 1] + 1
        : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const differs = own.map(() => true);
  for (let i = 0, j = 0; i < own.length && j < other.length;) {
    if (bare(own[i]) === bare(other[j])) {
      differs[i] = false;
      i += 1;
      j += 1;
    } else if (lengths[i + 1][j] >= lengths[i][j + 1]) i += 1;
    else j += 1;
  }
  return own.map((word, index) => ({ word, differs: differs[index] }));
}

function readingText(text, shown) {
  const made = element("span", { class: "reading-text" });
  for (const { word, differs } of differing(text, shown)) {
    if (made.hasChildNodes()) made.append(" ");
    made.append(differs ? element("mark", { class: "differs" }, word) : word);
  }
  if (!made.hasChildNodes()) made.append("(nothing)");
  return made;
}

function candidate(segment, index, actions, showsConfidence) {
  const { text, confidence } = segment.alternatives[index];
  const isChosen = segment.selection.index === index;
  return element(
    "li", {},
    element(
      "button", {
        class: "reading", "data-key": `reading-${index}`, "aria-pressed": String(isChosen),
        click: () => { if (!isChosen) actions.choose(segment.id, index); },
      },
      readingText(text, segment.alternatives[segment.selection.index]?.text ?? segment.text),
      showsConfidence ? element("span", { class: "reading-confidence" }, percent(confidence, 1)) : null));
}

function revisionsList(revisions) {
  return element(
    "ol", { class: "revisions", "aria-label": "Revisions" },
    ...revisions.map((revision) =>
      element(
        "li", {},
        element("span", { class: "revision-text" }, revision.text),
        element(
          "span", { class: "revision-facts" },
          [
            revision.revision === 0 ? "as it was committed" : revision.reason || ruleText(revision.selection),
            revision.date ? date(revision.date) : "",
          ].filter(Boolean).join(" · ")))));
}

/** The choice that stood before the present one. One that was taken back, and the way back, count as never made. */
function choiceBefore(revisions) {
  const standing = [];
  for (const { selection, text } of revisions) {
    const before = standing.at(-2);
    if (before && before.selection.index === selection.index && before.text === text) standing.pop();
    else standing.push({ selection, text });
  }
  return standing.at(-2)?.selection;
}

function undo(segment, details, actions) {
  // What is known of an older revision would lead to the wrong place.
  if (details && details.revision !== segment.revision) return null;
  const before = (details && choiceBefore(details.revisions)) ?? { index: 0, rule: "recognizer" };
  if (before.index === segment.selection.index || !segment.alternatives[before.index]) return null;
  return element("button", {
    class: "plain-button", "data-key": "undo", click: () => actions.choose(segment.id, before.index),
  }, backTo[before.rule] ?? `Back to the choice of the rule “${before.rule}”`);
}

/**
 * What the recognizer offered for a segment, what was chosen of it and by which rule, and how that came about.
 *
 * @param details the segment with its revisions; undefined until it was fetched.
 */
export function readings(segment, details, actions) {
  const chosen = element("p", { class: "reading-rule" }, `Shown: ${ruleText(segment.selection)}.`);
  const back = undo(segment, details, actions);
  if (back) chosen.append(" ", back);
  const list = element("ol", { class: "reading-list", "aria-label": "Readings" });
  const confidences = new Set(segment.alternatives.map(({ confidence }) => percent(confidence, 1)));
  for (const index of segment.alternatives.keys()) {
    list.append(candidate(segment, index, actions, confidences.size > 1));
  }
  const panel = element("div", { class: "readings" }, chosen, list);
  if (details && details.revisions.length > 1) panel.append(revisionsList(details.revisions));
  return panel;
}
