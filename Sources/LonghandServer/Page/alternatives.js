import { element } from "./element.js";
import { date, percent } from "./format.js";

const ruleNames = {
  recognizer: "the recognizer's first choice", user: "chosen by hand", correction: "written or confirmed by hand",
  paragraph: "written by hand as a paragraph",
};
const backTo = { recognizer: "Back to the recognizer's choice", user: "Back to the previous choice" };

function ruleText({ rule, judgement }) {
  const name = ruleNames[rule] ?? `chosen by the rule “${rule}”`;
  return judgement ? `${name} (${judgement})` : name;
}

const words = (text) => text.split(/\s+/).filter(Boolean);
const bare = (word) => word.toLowerCase();

/** Marks the words of an alternative that differ from the shown text: all outside their longest common subsequence. */
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

function alternativeText(text, shown) {
  const node = element("span", { class: "alternative-text", dir: "auto" });
  for (const { word, differs } of differing(text, shown)) {
    if (node.hasChildNodes()) node.append(" ");
    node.append(differs ? element("mark", { class: "differs" }, word) : word);
  }
  if (!node.hasChildNodes()) node.append("(no words)");
  return node;
}

function candidate(segment, index, actions, showsConfidence) {
  const { text, confidence } = segment.alternatives[index];
  const isChosen = segment.selection.index === index;
  return element(
    "li", {},
    element(
      "button", {
        class: "alternative", "data-key": `alternative-${index}`, "aria-pressed": String(isChosen),
        click: () => { if (!isChosen) actions.choose(segment, index); },
      },
      alternativeText(text, segment.alternatives[segment.selection.index]?.text ?? segment.text),
      showsConfidence ? element("span", { class: "alternative-confidence" }, percent(confidence, 1)) : null));
}

function revisionsList(segment, revisions, actions) {
  return element(
    "ol", { class: "revisions", "aria-label": "Revisions" },
    ...revisions.map((revision) =>
      element(
        "li", {},
        element("span", { class: "revision-text", dir: "auto" }, revision.text),
        element(
          "span", { class: "revision-facts" },
          [
            revision.revision === 0 ? "first version" : revision.reason || ruleText(revision.selection),
            revision.date ? date(revision.date) : "",
          ].filter(Boolean).join(" · ")),
        revision.revision === segment.revision ? null : element("button", {
          class: "plain-button restore", "data-key": `restore-${revision.revision}`,
          "aria-label": `Restore version ${revision.revision + 1}: ${revision.text}`,
          click: () => actions.restore(segment, revision.revision),
        }, "Restore"))));
}

/** The choice before the current one. A choice that was undone does not count, nor does the undo. */
function choiceBefore(revisions) {
  const history = [];
  for (const { selection, text } of revisions) {
    const before = history.at(-2);
    if (before && before.selection.rule === selection.rule && before.selection.index === selection.index && before.text === text) history.pop();
    else history.push({ selection, text });
  }
  return history.at(-2)?.selection;
}

function undo(segment, details, actions) {
  // The details of an older revision do not have the last choice.
  if (details && details.revision !== segment.revision) return null;
  const before = (details && choiceBefore(details.revisions)) ?? { index: 0, rule: "recognizer" };
  // What a person wrote is undone by restoring a version.
  if (["correction", "paragraph"].includes(before.rule)) return null;
  if (before.index === segment.selection.index || !segment.alternatives[before.index]) return null;
  return element("button", {
    class: "plain-button", "data-key": "undo", click: () => actions.choose(segment, before.index),
  }, backTo[before.rule] ?? `Back to the choice of the rule “${before.rule}”`);
}

/**
 * The alternatives of a segment, the rule that selected one of them, and the segment's revisions.
 *
 * @param details the segment with its revisions; undefined until they are loaded.
 */
export function alternativesPanel(segment, details, actions) {
  const chosen = element("p", { class: "alternative-rule" }, `Shown: ${ruleText(segment.selection)}.`);
  const back = undo(segment, details, actions);
  if (back) chosen.append(" ", back);
  const list = element("ol", { class: "alternative-list", "aria-label": "Alternatives" });
  const confidences = new Set(segment.alternatives.map(({ confidence }) => percent(confidence, 1)));
  for (const index of segment.alternatives.keys()) {
    list.append(candidate(segment, index, actions, confidences.size > 1));
  }
  const panel = element("div", { class: "alternatives" }, chosen, list);
  if (details && details.revisions.length > 1) panel.append(revisionsList(segment, details.revisions, actions));
  return panel;
}
