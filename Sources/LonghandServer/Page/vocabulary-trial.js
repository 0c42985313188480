import { request } from "./api.js";
import { byId } from "./element.js";

const pause = 500;

/** Lets voices say the terms of a vocabulary on the server, and shows beside each what became of it. */
export class VocabularyTrial {
  /** @param table shows the terms; `path` is the address of a vocabulary or of a part of it. */
  constructor(table, { path, failed, announcer }) {
    Object.assign(this, { table, path, failed, announcer, turn: null });
    byId("vocabulary-trial-stop").addEventListener("click", () => this.stop());
    byId("vocabulary-dialog").addEventListener("close", () => { this.turn = null; });
  }

  /** Begins, with the terms as they are stored. */
  async start(name) {
    await request(this.path(name, "/trial"), { method: "POST" });
    byId("vocabulary-trial-stop").focus();
    this.follow(name);
  }

  async stop() {
    try {
      await request(this.path(this.name, "/trial/stop"), { method: "POST" });
      byId("vocabulary-try").focus();
    } catch (error) {
      // It may have ended by itself.
      if (error.status !== 409) this.failed(error);
    }
    this.follow(this.name);
  }

  /** Shows the last trial of a vocabulary, and how it goes on while it runs and the dialog is open. */
  async follow(name) {
    const turn = (this.turn = {});
    this.name = name;
    try {
      for (let wasRunning = false; ; ) {
        const trial = await request(this.path(name, "/trial"));
        if (this.turn !== turn) return;
        this.show(trial);
        const isRunning = trial.state === "running";
        if (wasRunning && !isRunning) this.announcer.say(byId("vocabulary-trial-state").textContent);
        if (!isRunning) return;
        wasRunning = true;
        await new Promise((resolve) => setTimeout(resolve, pause));
        if (this.turn !== turn) return;
      }
    } catch (error) {
      this.failed(error);
    }
  }

  show(trial) {
    const isRunning = trial.state === "running";
    byId("vocabulary-trial").hidden = trial.state === "none";
    byId("vocabulary-progress").hidden = byId("vocabulary-trial-stop").hidden = !isRunning;
    byId("vocabulary-progress").value = trial.percent;
    byId("vocabulary-try").disabled = isRunning;
    byId("vocabulary-trial-state").textContent = summary(trial);
    this.table.showTrial(new Map(trial.terms.map((outcome) => [outcome.term, resultOf(outcome)])));
  }
}

function summary({ state, count, terms, problem }) {
  if (state === "failed") return problem;
  const tried = `${terms.length} of ${count} ${count === 1 ? "term" : "terms"}`;
  if (state === "running") return `Tried: ${tried}.`;
  if (state === "stopped") return `Stopped after ${tried}.`;
  const found = terms.filter((one) => one.found * 2 > one.voices).length;
  return `Found in most voices: ${found} of ${count} ${count === 1 ? "term" : "terms"}.`;
}

/** What became of a term, in words. */
function resultOf({ voices, found, foundWithout, heard, remedy }) {
  const others = heard.length === 0 ? "" : `; otherwise ${heard.map((text) => `“${text}”`).join(", ")}`;
  const without = foundWithout === voices ? ", also without the vocabulary: it is not needed" : "";
  return `Found in ${found} of ${voices} voices${without}${others}${remedy ? `; ${remedy}` : ""}.`;
}
