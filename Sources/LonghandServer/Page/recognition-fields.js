import { request } from "./api.js";
import { element } from "./element.js";

const setting = "longhand.transcription";
const counts = [["none", "Not separated"], ["auto", "Unknown number"], ...Array.from({ length: 8 }, (_, index) => [
  `${index + 1}`, index === 0 ? "1 speaker" : `${index + 1} speakers`,
])];

const base = (locale) => locale.split("-")[0].toLowerCase();

/** The English name of a language, without its region. */
export function languageName(locale, inLanguage = "en") {
  try {
    return new Intl.DisplayNames([inLanguage], { type: "language" }).of(base(locale));
  } catch {
    return locale;
  }
}

/** Languages for a list, each once: their tags, and their own and English names. @param first is preferred to others like it. */
function languageChoices(first, locales) {
  const found = new Map();
  for (const locale of [first, ...locales]) if (locale !== "auto" && !found.has(base(locale))) found.set(base(locale), locale);
  return [...found.values()].map((locale) => {
    const [own, english] = [languageName(locale, locale), languageName(locale)];
    return [locale, own.toLowerCase() === english.toLowerCase() ? english : `${english} – ${own}`];
  }).sort(([, one], [, other]) => one.localeCompare(other, "en"));
}

/**
 * How a recording is transcribed: fields for the language, the model, the vocabulary and the number of speakers, which several
 * dialogs have. The last choice is remembered.
 */
export class RecognitionFields {
  /** @param place gets the fields; `prefix` begins their IDs. */
  constructor(place, prefix) {
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
    const wanted = { speakers: "none", ...this.last, ...given };
    const named = languageChoices(wanted.locale ?? locale, locales);
    if (detectsLanguage) named.unshift(["auto", "Detect the language"]);
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
