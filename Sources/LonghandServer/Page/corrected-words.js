import { request, sessionPath } from "./api.js";
import { byId, element } from "./element.js";
import { addToVocabulary } from "./vocabulary.js";

const common = "library";
const quoted = (texts) => texts.map((text) => `“${text}”`).join(", ");

/** The words that a person corrected in the open session: each is added to a vocabulary by one key. */
export class CorrectedWords {
  /** @param view the open session. */
  constructor(view, { failed, notices, announcer }) {
    Object.assign(this, { view, failed, notices, announcer });
    this.dialog = byId("corrected-dialog");
    byId("corrected-words").addEventListener("click", () => this.open());
    byId("corrected-vocabulary").addEventListener("change", ({ target }) => this.load(target.value).catch(failed));
    byId("corrected-list").addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      const buttons = [...byId("corrected-list").querySelectorAll("button")];
      const index = buttons.indexOf(event.target) + (event.key === "ArrowDown" ? 1 : -1);
      buttons[index]?.focus();
    });
  }

  async open() {
    if (!this.view.id) return;
    try {
      const { vocabularies } = await request("api/vocabularies");
      byId("corrected-vocabulary").replaceChildren(...vocabularies.map((name) =>
        element("option", { value: name }, name === common ? "For every recording" : name)));
      await this.load();
      this.dialog.showModal();
      (this.next() ?? byId("corrected-close")).focus();
    } catch (error) {
      this.failed(error);
    }
  }

  /** Says that words were corrected which the vocabulary does not have, when all unsure words are gone through. */
  async offer() {
    const { id } = this.view;
    const { words } = await request(sessionPath(id, "corrected"));
    if (id !== this.view.id || words.length === 0) return;
    this.notices.show(
      words.length === 1 ? "You corrected a word that may be a term." : `You corrected ${words.length} words that may be terms.`,
      "note", { about: "corrected", session: id, action: { label: "Show", run: () => this.open() } });
  }

  /** Loads the words that a vocabulary does not have; without a name, that of the session. */
  async load(name) {
    const query = name ? `?${new URLSearchParams({ vocabulary: name })}` : "";
    const { vocabulary, words } = await request(`${sessionPath(this.view.id, "corrected")}${query}`);
    byId("corrected-vocabulary").value = vocabulary;
    byId("corrected-none").hidden = words.length > 0;
    byId("corrected-list").replaceChildren(...words.map((word, index) => this.item(word, vocabulary, index)));
  }

  item({ text, recognized, count, sessions }, vocabulary, index) {
    const about = [
      recognized.length > 0 ? `instead of ${quoted(recognized)}` : "where nothing was recognized", count > 1 ? `${count} times` : null,
      sessions > 1 ? `in ${sessions} sessions` : null,
    ].filter(Boolean).join(", ");
    const button = element("button", {
      class: "quiet-button", type: "button", "aria-describedby": `corrected-${index}`, click: () => {
        (button.dataset.added ? this.remove(button, text, vocabulary) : this.add(button, text, recognized, vocabulary))
          .catch(this.failed);
      },
    });
    this.mark(button, text, false);
    return element(
      "li", {}, element("p", { id: `corrected-${index}`, dir: "auto" }, element("strong", {}, text), element("span", {}, about)), button);
  }

  mark(button, text, isAdded) {
    if (isAdded) button.dataset.added = "yes";
    else delete button.dataset.added;
    button.textContent = isAdded ? "Undo" : "Add";
    button.setAttribute("aria-label", isAdded ? `Take ${text} out of the vocabulary` : `Add ${text} to the vocabulary`);
  }

  /** The next word that is not added. */
  next(after = null) {
    const buttons = [...byId("corrected-list").querySelectorAll("button")];
    return buttons.slice(buttons.indexOf(after) + 1).find(({ dataset }) => !dataset.added);
  }

  async add(button, text, recognized, vocabulary) {
    for (const one of recognized.length > 0 ? recognized : [undefined]) {
      await addToVocabulary({ text, recognized: one, vocabulary });
    }
    this.mark(button, text, true);
    this.announcer.say(`${text} is expected from now on`);
    (this.next(button) ?? byId("corrected-close")).focus();
  }

  async remove(button, text, vocabulary) {
    await request(`api/vocabulary?${new URLSearchParams({ text, vocabulary })}`, { method: "DELETE" });
    this.mark(button, text, false);
  }
}
