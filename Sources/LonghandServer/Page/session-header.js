import { byId, element } from "./element.js";
import { canStop, clock, date, isFinal, isWorking, spoken, stateText, workText } from "./format.js";

/** The header of a session: its date and settings. */
export class SessionHeader {
  constructor() { this.expected = []; }

  /** Shows how many words are probably wrong. @param errors null if that is not known. */
  showExpected(errors) {
    for (const old of this.expected) old.remove();
    const { count, low, high, words } = errors ?? {};
    const title = errors && `Of ${words} words, by their confidence: between ${low} and ${high} in nine of ten recordings`;
    this.expected = errors
      ? [element("span", { class: "minor", id: "expected-errors", title }, `about ${Math.round(count)} ${Math.round(count) === 1 ? "word" : "words"} wrong`)] : [];
    byId("facts").querySelector(".last-fact")?.after(...this.expected);
    this.showWhole();
  }

  /** @param state the state, which may be newer than that of the store. */
  show(session, state = session.state) {
    const facts = [date(session.start), clock(session.duration)].map((fact) => element("span", {}, fact));
    facts.at(-1).classList.add("last-fact");
    // Narrow pages hide these.
    const recognizer = session.model ? `model: ${session.model.name}` : `engine: ${session.engine}`;
    const minor = [
      session.locale === "auto" ? "language: not known yet" : session.locale, recognizer,
      session.vocabulary ? `vocabulary: ${session.vocabulary.name}` : null,
    ].filter(Boolean).map((fact) => element("span", { class: "minor" }, fact));
    const badge = element("span", { class: `state ${state}` }, stateText(state, session.percent));
    const work = isWorking(session.work) ? [element("span", { class: "state transcribing" }, workText(session.work))] : [];
    byId("facts").replaceChildren(badge, ...work, ...facts, ...this.expected, ...minor);
    this.showWhole();
    for (const id of ["again", "separate"]) {
      byId(id).hidden = !isFinal(session.state) || !session.hasAudio;
      byId(id).disabled = isWorking(session.work);
    }
    byId("stop-work").hidden = !canStop(session);
    byId("delete").textContent = canStop(session) ? "Stop and remove…" : "Delete…";
    for (const id of ["move-first", "move-up"]) byId(id).hidden = !(session.position > 1);
    byId("resume").hidden = !session.canResume;
  }

  /** The facts are on one line, which may be too short for all of them. */
  showWhole() { byId("facts").title = [...byId("facts").children].map(({ textContent }) => textContent).join(" · "); }

  showTime(time, duration) {
    const text = `${clock(time)} / ${clock(duration)}`;
    if (byId("time").textContent === text) return;
    byId("time").textContent = text;
    byId("time").title = `${spoken(time)} of ${spoken(duration)}`;
  }
}
