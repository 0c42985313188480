/** Whether the user types text, or a dialog or a menu uses the keys. */
const isTaken = (target) =>
  document.querySelector("dialog[open], .word-popup:not([hidden]), .menu:not([hidden])") !== null
  || (target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null);

/** Whether Esc has just closed something, or would: it is pressed once too often, and plays nothing. */
let isLeaving = false;
document.addEventListener("keydown", (event) => { isLeaving = event.key === "Escape" && (isLeaving || isTaken(event.target)); }, true);
document.addEventListener("pointerdown", () => { isLeaving = false; }, true);
document.addEventListener("close", () => { isLeaving = true; }, true);

/** Whether the focused element itself reacts to space and Enter. */
const isPressed = (target) => target instanceof Element && target.closest("button, a, summary") !== null;

// What an input method takes is no key of the page: Enter chooses a word there, and arrows go through the choices. Safari's last
// one comes after the composition, with this code.
window.addEventListener("keydown", (event) => { if (event.isComposing || (event.keyCode === 229 && event.key === "Enter")) event.stopImmediatePropagation(); }, true);

/** The letter of a key, in lower case; by its place, where the layout of the keyboard has other letters. */
export const letterOf = ({ key, code }) =>
  /^\P{Script=Latin}$/u.test(key) && /^\p{L}$/u.test(key) && /^Key[A-Z]$/.test(code ?? "") ? code.at(-1).toLowerCase() : key.toLowerCase();

/**
 * The name of a key: letters in lower case, whether or not caps lock is on, with prefixes for Control (or Meta) and Shift; Enter
 * and Backspace with that for Control.
 */
function nameOf(event) {
  const { key, shiftKey, ctrlKey, metaKey } = event;
  const command = ctrlKey || metaKey ? "Control+" : "";
  const letter = letterOf(event);
  if (/^[a-z]$/.test(letter)) return `${command}${shiftKey ? "Shift+" : ""}${letter}`;
  if (key === "Enter" || key === "Backspace") return `${command}${key}`;
  return shiftKey && key.startsWith("Arrow") ? `Shift+${key}` : key;
}

/**
 * Handles the page's keyboard shortcuts. They do not apply with Alt, or in a text field; with Control (or Meta) only
 * those that are named so; space and Enter
 * do not apply to a focused button or link.
 *
 * @param actions the function of each key, such as `p`, `Shift+p` or `ArrowLeft`. That of `Escape` gets whether Esc has just
 *   closed something, and returns whether it did so itself.
 */
export function handleKeys(actions) {
  document.addEventListener("keydown", (event) => {
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.defaultPrevented || event.altKey || isTaken(event.target)) return;
    if (isCommand && !nameOf(event).startsWith("Control+")) return;
    if ((event.key === " " || event.key === "Enter") && isPressed(event.target)) return;
    const action = actions[nameOf(event)];
    if (!action) return;
    event.preventDefault();
    if (event.key === "Escape") isLeaving = action(isLeaving) === true;
    else action();
  });
}
