import { element } from "./element.js";
import { date, percent } from "./format.js";

const ruleNames = { recognizer: "the recognizer's first choice", user: "chosen by hand" };

function ruleText({ rule, judgement }) {
  const name = ruleNames[rule] ?? `chosen by the rule “${rule}”`;
  return judgement ? `${name} (${judgement})` : name;
}

function candidate(segment, index, actions) {
  const { text, confidence } = segment.alternatives[index];
  const isChosen = segment.selection.index === index;
  return element(
    "li", {},
    element(
      "button", {
        class: "reading", "data-key": `reading-${index}`, "aria-pressed": String(isChosen),
        click: () => { if (!isChosen) actions.choose(segment.id, index); },
      },
      element("span", { class: "reading-text" }, text || "(nothing)"),
      element("span", { class: "reading-confidence" }, percent(confidence))));
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

/**
 * What the recognizer offered for a segment, what was chosen of it and by which rule, and how that came about.
 *
 * @param details the segment with its revisions; undefined until it was fetched.
 */
export function readings(segment, details, actions) {
  const chosen = element("p", { class: "reading-rule" }, `Shown: ${ruleText(segment.selection)}.`);
  if (segment.selection.index !== 0) {
    chosen.append(
      " ",
      element("button", {
        class: "plain-button", "data-key": "undo", click: () => actions.choose(segment.id, 0),
      }, "Undo"));
  }
  const list = element("ol", { class: "reading-list", "aria-label": "Readings" });
  for (const index of segment.alternatives.keys()) list.append(candidate(segment, index, actions));
  const panel = element("div", { class: "readings" }, chosen, list);
  if (details && details.revisions.length > 1) panel.append(revisionsList(details.revisions));
  return panel;
}
