import { sessionPath } from "./api.js";
import { byId, element } from "./element.js";

async function exported(id, format) {
  const response = await fetch(`${sessionPath(id, "export")}?format=${format}`);
  if (!response.ok) throw new Error("The transcript cannot be read. Reload the page and try again.");
  return response.text();
}

/** Copies the transcript as it is exported, with the time of each paragraph or without. */
export async function copyTranscript(id, hasTimes) {
  const text = exported(id, hasTimes ? "md" : "txt");
  // The text comes after the click; some browsers allow it only in this form.
  const blob = text.then((content) => new Blob([content], { type: "text/plain" }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}

/** Prints the whole transcript as the exported page has it; the page itself has only the visible rows. */
export async function printTranscript({ id, tags, note }) {
  // Its styles are those of a page by itself, which this page's policy refuses.
  const page = (await exported(id, "html")).replace(/<style>.*?<\/style>/s, "");
  const { body } = new DOMParser().parseFromString(page, "text/html");
  const [title, facts, ...text] = body.children;
  // They would lead from the paper to this page.
  for (const link of body.querySelectorAll("a")) link.removeAttribute("href");
  byId("printed").replaceChildren(
    title, facts,
    ...(tags.length > 0 ? [element("p", { class: "facts" }, tags.join(" · "))] : []),
    ...(note ? [element("p", { class: "printed-note" }, note)] : []),
    ...text);
  window.print();
  byId("printed").replaceChildren();
}
