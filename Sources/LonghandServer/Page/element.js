/**
 * Makes an element. An attribute that is a function listens, true and false set or leave out, null leaves out.
 * Text is only ever set as text, so that nothing of what was said or named can become markup.
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (typeof value === "boolean") made.toggleAttribute(key, value);
    else if (value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** The element of the page that has this id. */
export const byId = (id) => document.getElementById(id);

/** Text that is there to be heard, not seen. */
export const spokenOnly = (text) => element("span", { class: "visually-hidden" }, text);

/** A picture: hidden from those who hear the page. */
function picture(outline) {
  const namespace = "http://www.w3.org/2000/svg";
  const made = document.createElementNS(namespace, "svg");
  made.setAttribute("viewBox", "0 0 24 24");
  made.setAttribute("aria-hidden", "true");
  made.setAttribute("class", "icon");
  const path = document.createElementNS(namespace, "path");
  path.setAttribute("d", outline);
  made.append(path);
  return made;
}

/** A picture that says "opens". */
export const chevron = () => picture("M7.400 9 12 13.600 16.600 9 18 10.400l-6 6-6-6z");

/** A picture that says "plays". */
export const playPicture = () => picture("M8 5v14l11-7z");
