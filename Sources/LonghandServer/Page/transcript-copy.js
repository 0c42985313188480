import { sessionPath } from "./api.js";
import { byId, element } from "./element.js";
import { clock, date, nameOf } from "./format.js";

async function exported(id, format) {
  const response = await fetch(`${sessionPath(id, "export")}?format=${format}`);
  if (!response.ok) throw new Error("The transcript cannot be read. Reload the page and try again.");
  return response.text();
}

/** Copies the transcript, with the time of each paragraph or without. */
export async function copyTranscript(id, hasTimes) {
  const text = exported(id, hasTimes ? "md" : "txt");
  // The text comes after the click; some browsers allow it only in this form.
  const blob = text.then((content) => new Blob([content], { type: "text/plain" }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}

/** Prints the whole transcript, with the time of each paragraph; the page itself has only the visible rows. */
export async function printTranscript(session) {
  const text = await exported(session.id, "md");
  byId("printed").replaceChildren(
    element("h1", {}, nameOf(session)),
    element("p", { class: "printed-facts" }, [date(session.start), clock(session.duration), ...session.tags].join(" · ")),
    ...(session.note ? [element("p", { class: "printed-note" }, session.note)] : []),
    ...text.split(/\n\n+/).filter(Boolean).map((paragraph) => element("p", {}, paragraph)));
  window.print();
  byId("printed").replaceChildren();
}
