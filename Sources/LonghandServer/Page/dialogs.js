import { byId } from "./element.js";

/** Opens a dialog and returns the value of the button that closed it. */
function answer(dialog) {
  return new Promise((resolve) => {
    dialog.returnValue = "";
    dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
    dialog.showModal();
  });
}

/** Asks whether to delete a session. @param stops whether work on it stops. */
export async function confirmsDeletion(name, stops) {
  byId("delete-stops").hidden = !stops;
  byId("delete-name").textContent = name;
  return (await answer(byId("delete-dialog"))) === "delete";
}

/** Asks a question. Returns whether the answer is yes. */
export async function ask({ title, text, yes, no, isDangerous = false }) {
  byId("question-title").textContent = title;
  byId("question-text").textContent = text;
  byId("question-yes").textContent = yes;
  byId("question-no").textContent = no;
  byId("question-yes").classList.toggle("danger", isDangerous);
  return (await answer(byId("question-dialog"))) === "yes";
}

/** Lets Enter in a list of choices do what the button of the form does. Space opens the list. */
export function submitByEnter(form) {
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.defaultPrevented || !(event.target instanceof HTMLSelectElement)) return;
    event.preventDefault();
    form.requestSubmit();
  });
}

/** Asks before a dialog is left, by Esc or by its button, while something that was typed would be lost. */
export class LeaveGuard {
  /**
   * @param button leaves the dialog without storing anything.
   * @param isChanged whether something would be lost; else, whether a field has another text than at first.
   * @param what says what would be lost.
   */
  constructor(dialog, button, { isChanged = () => this.texts !== this.before, what = () => "What you typed is not stored." } = {}) {
    Object.assign(this, { dialog, isChanged, what });
    // Not only the event `cancel`: if Esc is pressed twice, browsers close a dialog without it.
    dialog.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.preventDefault();
      this.leave();
    });
    dialog.addEventListener("cancel", (event) => {
      if (event.target !== dialog) return;
      event.preventDefault();
      this.leave();
    });
    button.addEventListener("click", () => this.leave());
  }

  get texts() { return JSON.stringify([...this.dialog.querySelectorAll("input, textarea")].map(({ value }) => value)); }

  /** Opens the dialog, whose fields are filled. */
  open() {
    this.before = this.texts;
    this.dialog.showModal();
  }

  async leave() {
    const isLeft = !this.isChanged() || await ask({
      title: "Leave without saving?", text: this.what(), yes: "Discard", no: "Keep editing", isDangerous: true,
    });
    if (isLeft) this.dialog.close();
  }
}
