import { request } from "./api.js";
import { element } from "./element.js";

const setting = "longhand.recognition";
const counts = [["none", "Not separated"], ["auto", "Unknown number"], ...Array.from({ length: 8 }, (_, index) => [
  `${index + 1}`, index === 0 ? "1 speaker" : `${index + 1} speakers`,
])];

/** The name of a language. */
export function languageName(locale) {
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(locale);
  } catch {
    return locale;
  }
}

const base = (locale) => locale.split("-")[0].toLowerCase();

/**
 * How a recording is transcribed: fields for the language, the model, the vocabulary and the number of speakers, which several
 * dialogs have. The last choice is remembered.
 */
export class RecognitionFields {
  /** @param place gets the fields; `prefix` begins their IDs. @param detects whether a language can be detected. */
  constructor(place, prefix, { detects = true } = {}) {
    this.detects = detects;
    const field = (name, label) => {
      this[name] = element("select", { id: `${prefix}-${name}` });
      return element("div", {}, element("label", { for: `${prefix}-${name}` }, label), this[name]);
    };
    place.replaceChildren(
      field("locale", "Language"), field("model", "Model"), field("vocabulary", "Vocabulary"), field("speakers", "Speakers"));
    this.locale.addEventListener("change", () => this.showModels());
  }

  /** Loads what can be chosen. @param given what to choose instead of the last choice. */
  async load(given = {}) {
    this.found = await request("api/recognition");
    const { locale, locales, detectsLanguage, vocabulary, vocabularies } = this.found;
    const named = [...new Set([locale, ...locales])].filter((one) => one !== "auto").map((one) => [one, languageName(one)])
      .sort(([, one], [, other]) => one.localeCompare(other));
    if (detectsLanguage && this.detects) named.unshift(["auto", "Detect"]);
    const wanted = { speakers: "none", ...this.last, ...given };
    this.fill(this.locale, named, wanted.locale, locale);
    this.fill(this.vocabulary, [["", vocabulary ?? "None"], ...vocabularies.map((one) => [one, one])], wanted.vocabulary, "");
    this.fill(this.speakers, counts, wanted.speakers, "none");
    this.showModels(wanted.model);
    return this.found;
  }

  /** The last choice. */
  get last() {
    try {
      return JSON.parse(localStorage.getItem(setting)) ?? {};
    } catch {
      // Another version has written it.
      return {};
    }
  }

  /** Shows the models that recognize the language. */
  showModels(wanted = this.model.value) {
    const { models } = this.found;
    const locale = this.locale.value;
    const fits = ({ languages, detectsLanguage }) =>
      (locale === "auto" ? detectsLanguage : languages.some((language) => base(language) === base(locale)));
    this.fill(this.model, [["", "Best installed"], ...models.filter(fits).map(({ name }) => [name, name])], wanted, "");
  }

  fill(select, choices, wanted, usual) {
    select.replaceChildren(...choices.map(([value, label]) => element("option", { value }, label)));
    select.value = choices.some(([value]) => value === wanted) ? wanted : usual;
  }

  /** What is chosen, as the API takes it. */
  get choice() {
    const { locale, model, vocabulary, speakers } = this;
    return { locale: locale.value, model: model.value, vocabulary: vocabulary.value, speakers: speakers.value };
  }

  remember() { localStorage.setItem(setting, JSON.stringify(this.choice)); }
}
