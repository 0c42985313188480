import { request, sessionPath, UnreachableError } from "./api.js";
import { byId, element } from "./element.js";
import { RecognitionFields } from "./recognition-fields.js";

const namesShown = 5;

/** Asks how recordings are transcribed: before they are added, and when a session is transcribed again. */
export class RecognitionDialog {
  /** @param changed is called when the server begins to do something with a session. */
  constructor({ failed, changed }) {
    Object.assign(this, { failed, changed });
    this.dialog = byId("recognition-dialog");
    this.fields = new RecognitionFields(byId("recognition-fields"), "recognition");
    byId("recognition-cancel").addEventListener("click", () => this.dialog.close());
    byId("recognition-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      byId("recognition-error").textContent = "";
      try {
        const { choice } = this.fields;
        if (!this.isForSpeakers) this.fields.remember();
        await this.use(choice);
        this.dialog.close();
      } catch (error) {
        // What was chosen is not lost.
        byId("recognition-error").textContent = error.message;
      }
    });
  }

  /** @param use is called with the choice. */
  async open({ title, button, names = [], given, isForSpeakers = false, use }) {
    Object.assign(this, { use, isForSpeakers });
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

  /** Asks how files are transcribed. */
  add(files, use) {
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
