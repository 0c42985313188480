/**
 * Makes an element. An attribute with a function is an event listener, one with a Boolean is set or left out, and one with
 * null is left out. Text is always set as text, so that no transcript and no name can become markup.
 */
export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(key, value);
    else if (typeof value === "boolean") node.toggleAttribute(key, value);
    else if (value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** The element with this ID. */
export const byId = (id) => document.getElementById(id);

/** Text for screen readers only. */
export const spokenOnly = (text) => element("span", { class: "visually-hidden" }, text);

/** An icon, which screen readers skip. */
function icon(outline) {
  const namespace = "http://www.w3.org/2000/svg";
  const node = document.createElementNS(namespace, "svg");
  node.setAttribute("viewBox", "0 0 24 24");
  node.setAttribute("aria-hidden", "true");
  node.setAttribute("class", "icon");
  const path = document.createElementNS(namespace, "path");
  path.setAttribute("d", outline);
  node.append(path);
  return node;
}

/** The icon of a button that plays audio. */
export const playIcon = () => icon("M8 5v14l11-7z");
