/** Whether somebody is typing, or a dialog has the keys. */
const isTaken = (target) =>
  document.querySelector("dialog[open]") !== null
  || (target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null);

/** Whether the key means something to what has the focus. */
const isPressed = (target) => target instanceof Element && target.closest("button, a, summary") !== null;

/**
 * The page's keys. None with a modifier, none in a field, and neither space nor Enter on what they press.
 *
 * @param actions by key.
 */
export function listenToKeys(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return;
    if ((event.key === " " || event.key === "Enter") && isPressed(event.target)) return;
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
