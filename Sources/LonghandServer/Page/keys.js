/** Whether somebody is typing, or a dialog or a menu has the keys. */
const isTaken = (target) =>
  document.querySelector("dialog[open], .export-menu:not([hidden])") !== null
  || (target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null);

/** Whether the key means something to what has the focus. */
const isPressed = (target) => target instanceof Element && target.closest("button, a, summary") !== null;

/** A key's name: a letter is small whether or not capitals are locked, and says so if shift is held. */
function nameOf({ key, shiftKey }) {
  if (/^[a-z]$/i.test(key)) return `${shiftKey ? "Shift+" : ""}${key.toLowerCase()}`;
  return shiftKey && key.startsWith("Arrow") ? `Shift+${key}` : key;
}

/**
 * The page's keys. None with another modifier than shift, none in a field, and neither space nor Enter on what they
 * press.
 *
 * @param actions by key, such as `p`, `Shift+p` or `ArrowLeft`.
 */
export function listenToKeys(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return;
    if ((event.key === " " || event.key === "Enter") && isPressed(event.target)) return;
    const action = actions[nameOf(event)];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
