import { request, sessionPath, UnreachableError } from "./api.js";
import { submitByEnter } from "./dialogs.js";
import { byId, element } from "./element.js";
import { RecognitionFields } from "./recognition-fields.js";

const namesShown = 5;
const asking = "longhand.transcription.ask";

/** Asks how recordings are transcribed: before they are added, and when a session is transcribed again. */
export class RecognitionDialog {
  /** @param changed is called when the server begins to do something with a session. */
  constructor({ failed, notices, changed }) {
    Object.assign(this, { failed, notices, changed });
    this.dialog = byId("recognition-dialog");
    this.fields = new RecognitionFields(byId("recognition-fields"), "recognition");
    byId("recognition-cancel").addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("keydown", (event) => this.key(event));
    submitByEnter(byId("recognition-form"));
    byId("recognition-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      byId("recognition-error").textContent = "";
      try {
        const { choice } = this.fields;
        if (!this.isForSpeakers) this.fields.remember();
        if (this.isForFiles) this.asks = byId("recognition-ask").checked;
        await this.use(choice);
        this.dialog.close();
      } catch (error) {
        // What was chosen is not lost.
        byId("recognition-error").textContent = error.message;
      }
    });
  }

  /** Whether files are added only after a question. */
  get asks() { return localStorage.getItem(asking) !== "no"; }

  set asks(asks) { localStorage.setItem(asking, asks ? "yes" : "no"); }

  /**
   * Outside of the fields, a letter goes to the languages; there and outside, a digit to the number of speakers. The browser
   * chooses by it. Names of models and vocabularies may have digits.
   */
  key({ key, target, ctrlKey, metaKey, altKey }) {
    if (ctrlKey || metaKey || altKey || target.matches("input")) return;
    const { locale, speakers } = this.fields;
    const isOutside = !target.matches("select");
    if (/^\d$/.test(key) && (isOutside || target === locale)) speakers.focus();
    else if (/^\p{L}$/u.test(key) && isOutside && !this.isForSpeakers) locale.focus();
  }

  /** @param use is called with the choice. */
  async open({ title, button, names = [], given, isForSpeakers = false, use }) {
    Object.assign(this, { use, isForSpeakers, isForFiles: names.length > 0 });
    byId("recognition-ask").checked = true;
    byId("recognition-ask").parentElement.hidden = !this.isForFiles;
    byId("recognition-title").textContent = title;
    byId("recognition-start").textContent = button;
    byId("recognition-error").textContent = "";
    const rest = names.length - namesShown;
    byId("recognition-names").hidden = names.length === 0;
    byId("recognition-names").replaceChildren(
      ...names.slice(0, rest > 1 ? namesShown : names.length).map((name) => element("li", {}, name)),
      ...(rest > 1 ? [element("li", {}, `and ${rest} more`)] : []));
    for (const field of ["locale", "model", "vocabulary"]) this.fields[field].parentElement.hidden = isForSpeakers;
    try {
      await this.fields.load(given);
      // Speakers are to be separated.
      this.fields.speakers.options[0].hidden = isForSpeakers;
      this.fields.speakers.options[0].disabled = isForSpeakers;
      if (isForSpeakers && this.fields.speakers.value === "none") this.fields.speakers.value = "auto";
      if (!this.dialog.open) this.dialog.showModal();
    } catch (error) {
      // Without a server, files are added as the last ones were, and sent when it is back.
      if (names.length > 0 && error instanceof UnreachableError) use(this.fields.last);
      else this.failed(error);
    }
  }

  /** Asks how files are transcribed, or adds them at once as the last ones. */
  async add(files, use) {
    if (!this.asks) {
      const isLoaded = await this.fields.load().then(() => true, () => false);
      use(isLoaded ? this.fields.choice : this.fields.last);
      return this.notices.show("Added with the options of the last time.", "note", {
        action: { label: "Ask again next time", run: () => { this.asks = true; } },
      });
    }
    return this.open({
      title: files.length === 1 ? "Add a recording" : `Add ${files.length} recordings`, button: "Add",
      names: files.map(({ name }) => name), use,
    });
  }

  /** Transcribes a session again. @param locale the language to choose at first. */
  again(session, locale = session.locale) {
    return this.open({
      title: "Transcribe again", button: "Transcribe",
      given: { locale, vocabulary: session.vocabulary?.name ?? "" },
      use: (choice) => this.begin(session, "transcription", choice),
    });
  }

  /** Separates the speakers of a session again. */
  separate(session) {
    return this.open({
      title: "Separate speakers", button: "Separate", isForSpeakers: true,
      use: ({ speakers }) => this.begin(session, "speakers", { speakers }),
    });
  }

  async begin(session, work, body) {
    await request(sessionPath(session.id, work), { method: "POST", body });
    this.changed();
  }
}
