import { request, sessionPath } from "./api.js";
import { byId, element } from "./element.js";
import { voices } from "./segment-row.js";

const colours = 8;
/** A speaker that is less probable has a question mark. */
const sureSpeaker = 0.8;

/** Short labels for the speakers, all different, so that colour is never the only difference. */
function labels(speakers) {
  const taken = new Set();
  return speakers.map(({ name }, index) => {
    const letters = name.match(/[\p{L}\p{N}]/gu) ?? [];
    const number = name.match(/\p{N}+$/u)?.[0] ?? "";
    const candidates = [letters[0] + number, letters.slice(0, 2).join(""), `${index + 1}`];
    const label = candidates.find((one) => one && one !== "undefined" && !taken.has(one)) ?? `#${index + 1}`;
    taken.add(label);
    return label;
  });
}

/**
 * The speakers of the open session: their names with what can be done with them, above the transcript. One can be chosen:
 * then the rows of the others are dimmed, and the keys j and k go through that speaker's rows.
 */
export class Speakers {
  /** @param view the open session. */
  constructor(view) {
    this.view = view;
    this.list = byId("speakers");
    this.bar = byId("speaker-bar");
    byId("speaker-name-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.rename(byId("speaker-name").value.trim());
    });
    byId("speaker-name").addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      this.choose(null);
    });
    byId("speaker-search").addEventListener("click", () => this.search());
    byId("speaker-unmerge").addEventListener("click", () => this.unmerge());
    byId("speaker-all").addEventListener("click", () => this.choose(null));
    this.close();
  }

  close() {
    this.all = [];
    this.known = new Map();
    this.chosen = null;
    this.isLoading = false;
    this.echoWords = 0;
    this.unsureTurns = 0;
    // The changes of this page that Ctrl+Z takes back, and those that it has taken back.
    Object.assign(this, { changes: [], unmade: [] });
    this.showsEcho = false;
    this.show();
  }

  /** The speaker of a segment, with a label and the number of a colour; undefined if the speakers are unknown. */
  of(segment) { return this.known.get(segment.speaker); }

  /** Whether it may still be found out who a speaker is: in a recording, that takes longer than the text. */
  awaits(speaker) { return this.view.isLive && !this.known.has(speaker); }

  /**
   * What the badge of a segment shows and says, and the number of a colour; undefined in a session without speakers, and where
   * the speaker is awaited.
   */
  badge(segment) {
    if (this.all.length === 0 || this.awaits(segment.speaker)) return undefined;
    const speaker = this.of(segment);
    if (!speaker) return { label: "?", name: "Unknown speaker", colour: "unknown" };
    const { speakerConfidence: sure } = segment;
    if (sure === undefined) return speaker;
    const name = `${speaker.name}, ${Math.round(sure * 100)} % sure`;
    return { ...speaker, name, label: sure < sureSpeaker ? `${speaker.label}?` : speaker.label };
  }

  /** Whether a segment or a word is hidden, because all of it is the echo of another channel. */
  hides(part) { return part?.echo === true && !this.showsEcho; }

  /** Whether a segment is dimmed: the chosen speaker says nothing of it. */
  dims(segment) { return this.chosen !== null && !voices(segment).some(({ speaker }) => speaker === this.chosen); }

  async load() {
    const { id } = this.view;
    this.isLoading = true;
    try {
      const { speakers, echoWords } = await request(sessionPath(id, "speakers"));
      if (id !== this.view.id) return;
      this.echoWords = echoWords;
      this.take(speakers);
    } catch {
      // The transcript works without names.
    } finally {
      this.isLoading = false;
    }
  }

  /** A segment was received. Its speaker may be a new one. */
  received({ speaker }) { if (speaker && !this.known.has(speaker) && !this.isLoading) this.load(); }

  take(speakers) {
    const short = labels(speakers);
    this.all = speakers.map((speaker, index) => ({ ...speaker, label: short[index], colour: index % colours }));
    this.known = new Map(this.all.map((speaker) => [speaker.id, speaker]));
    if (!this.known.has(this.chosen)) this.chosen = null;
    this.show();
    this.view.refillAll();
  }

  show() {
    this.list.hidden = this.all.length === 0;
    byId("session").classList.toggle("with-speakers", this.all.length > 0);
    const focused = document.activeElement?.dataset.speaker;
    this.list.replaceChildren(...this.all.map((speaker) => element("li", {}, element("button", {
      class: `speaker colour-${speaker.colour}`, type: "button", "data-speaker": speaker.id,
      "aria-pressed": String(speaker.id === this.chosen),
      click: () => this.choose(speaker.id === this.chosen ? null : speaker.id),
    }, element("span", { class: "speaker-dot", "aria-hidden": "true" }), speaker.name))));
    if (this.unsureTurns > 0) this.list.append(element("li", {}, this.unsureButton()));
    if (this.echoWords > 0) this.list.append(element("li", {}, this.echoButton()));
    byId("rows").classList.toggle("with-echo", this.showsEcho);
    if (focused !== undefined) this.list.querySelector(`[data-speaker="${CSS.escape(focused)}"]`)?.focus();
    const chosen = this.known.get(this.chosen);
    this.bar.hidden = !chosen;
    byId("speaker-unmerge").hidden = !chosen?.merged.length;
    byId("speaker-unmerge").title = chosen ? chosen.merged.join(", ") : "";
    if (chosen && document.activeElement !== byId("speaker-name")) byId("speaker-name").value = chosen.name;
  }

  showUnsure(turns) {
    if (turns === this.unsureTurns) return;
    this.unsureTurns = turns;
    this.show();
  }

  /** Goes through the turns whose speaker is unsure. */
  unsureButton() {
    return element("button", {
      class: "speaker colour-unknown", type: "button", "data-speaker": "unsure", title: "Says who speaks there, one after the other",
      click: () => {
        byId("unsure-of").value = "speakers";
        this.view.unsure.next(1);
      },
    }, `${this.unsureTurns} unsure ${this.unsureTurns === 1 ? "voice" : "voices"}`);
  }

  /** Shows and hides words that are the echo of another channel, as of a loudspeaker in a microphone. */
  echoButton() {
    return element("button", {
      class: "speaker", type: "button", "data-speaker": "echo", "aria-pressed": String(this.showsEcho),
      title: "Words that one channel has from another one",
      click: () => {
        this.showsEcho = !this.showsEcho;
        this.show();
        this.view.announcer.say(this.showsEcho ? "Echo is shown" : "Echo is hidden");
      },
    }, `Echo (${this.echoWords} words)`);
  }

  choose(id) {
    this.chosen = id;
    this.show();
    this.view.refillAll();
    const chosen = this.known.get(id);
    this.view.announcer.say(chosen ? `${chosen.name}: ${chosen.segments.length} rows` : "All speakers");
    if (!chosen) this.list.querySelector("button")?.focus();
    else if (chosen.segments.length > 0) this.view.navigation.makeCurrent(this.near(chosen.segments), { takesFocus: false });
  }

  near(rows) {
    const current = this.view.navigation.currentRow ?? 0;
    return rows.find((row) => row >= current) ?? rows.at(-1);
  }

  /** The next or the previous row of the chosen speaker; undefined if none is chosen. */
  step(row, by) {
    const chosen = this.known.get(this.chosen);
    if (!chosen) return undefined;
    const rows = [...new Set(chosen.segments.map((one) => this.view.paragraphs.head(one)))];
    return (by > 0 ? rows.find((one) => one > row) : rows.findLast((one) => one < row)) ?? row;
  }

  /** Gives the chosen speaker another name. If another speaker has it already, the two can be merged. */
  async rename(name) {
    const chosen = this.known.get(this.chosen);
    if (!chosen || name === chosen.name || name === "") return;
    try {
      const other = this.all.find((one) => one.id !== chosen.id && one.name.toLowerCase() === name.toLowerCase());
      if (other) await this.merge(other, chosen);
      else await this.change(`speakers/${encodeURIComponent(chosen.id)}`, "PATCH", { name });
    } catch (error) {
      this.view.failed(error);
    }
  }

  async merge(kept, merged) {
    byId("merge-text").textContent = `${merged.name} and ${kept.name} become one speaker.`;
    const dialog = byId("merge-dialog");
    dialog.returnValue = "";
    dialog.showModal();
    await new Promise((resolve) => { dialog.addEventListener("close", resolve, { once: true }); });
    if (dialog.returnValue !== "merge") return;
    this.chosen = kept.id;
    const into = (how) => `speakers/${encodeURIComponent(kept.id)}/${how}`;
    await this.make({
      kept: kept.id, make: () => this.change(into("merge"), "POST", { other: merged.id }),
      back: () => this.change(into("unmerge"), "POST", { other: merged.id }),
    });
  }

  /** Makes a change that Ctrl+Z takes back. Returns what it returns. @param change its `make` and `back`. */
  async make(change) {
    const { id, session } = this.view;
    // As it is now: the text may be changed while the change is on its way.
    const { step = 0 } = session;
    const result = await change.make();
    this.changes.push({ ...change, session: id, step });
    return result;
  }

  /**
   * Takes the last change back, or makes it again, if it is next among the changes of the text. Returns whether it did.
   * @param way "undo" or "redo".
   */
  async history(way) {
    const { id, session } = this.view;
    const isUndo = way === "undo";
    const last = (isUndo ? this.changes : this.unmade).at(-1);
    if (last?.session !== id || last.step !== (session.step ?? 0)) return false;
    if (isUndo) {
      const next = session.nextStep;
      await last.back();
      this.unmade.push({ ...this.changes.pop(), next });
      return true;
    }
    // Another change came after it was taken back.
    if (last.next !== session.nextStep) return false;
    await last.make();
    this.changes.push(this.unmade.pop());
    return true;
  }

  /** Makes the speakers that were merged into the chosen one speakers of their own again. */
  async unmerge() {
    const { chosen } = this;
    try {
      await this.change(`speakers/${encodeURIComponent(chosen)}/unmerge`, "POST", {});
      this.changes = this.changes.filter(({ session, kept }) => session !== this.view.id || kept !== chosen);
    } catch (error) {
      this.view.failed(error);
    }
  }

  /** Says who speaks in the paragraph of a row, up to where another one is named in it. Returns whether it is stored. */
  async assign(row, speaker) {
    const segments = this.view.paragraphs.rows(row).map((one) => this.view.segments.get(one)).filter(Boolean);
    const parts = [];
    for (const segment of segments) {
      const { key, revision, turns } = segment;
      // What a person joined to it has no names.
      const isNamed = turns !== undefined && segment.speaker === segments[0].speaker;
      if (isNamed && turns[0].speaker !== voices(segments[0])[0].speaker) break;
      parts.push(isNamed ? { key, revision, first: 0, end: turns[1].word } : { key });
      if (isNamed) break;
    }
    const said = await this.say(parts, speaker);
    if (said !== null) {
      this.view.notices.show(`${said.text}.`, "note", {
        session: this.view.id, action: { label: "Undo", run: () => this.view.actions.history("undo") },
      });
    }
    return said !== null;
  }

  /**
   * Says who speaks in segments, or in words of them, as one change. Returns what was done, in words, and how many turns moved too;
   * null if it failed.
   * @param parts each with the key of the segment, and with `first` and `end` of the words in its `revision`.
   */
  async say(parts, speaker) {
    const replaced = [];
    let isAgain = false;
    const make = async () => {
      replaced.length = 0;
      const moved = { before: 0, after: 0 };
      try {
        for (const { key, first, end, revision: known } of parts) {
          const { revision } = known !== undefined && !isAgain ? { revision: known }
            : this.view.segments.get(this.view.segments.rowOf(key)) ?? await request(sessionPath(this.view.id, `segments/${key}`));
          const { assigned } = await this.change(`segments/${key}/speaker`, "PUT", { speaker, revision, first, end });
          replaced.unshift(assigned.replaced);
          for (const side of ["before", "after"]) {
            moved[side] += assigned[side].filter((one) => first !== undefined || !parts.some((part) => part.key === one)).length;
          }
        }
      } catch (error) {
        // It is one change: what is stored of it would not be taken back by Ctrl+Z.
        await back().catch(() => {});
        replaced.length = 0;
        throw error;
      }
      isAgain = true;
      return moved;
    };
    const back = async () => {
      for (const one of replaced) await this.change("assignments", "PUT", one);
    };
    try {
      const moved = await this.make({ make, back });
      const name = (this.known.get(speaker) ?? this.all.find((one) => one.name.toLowerCase() === speaker.toLowerCase()))?.name ?? speaker;
      const others = ["before", "after"].filter((side) => moved[side] > 0)
        .map((side) => `${moved[side]} ${moved[side] === 1 ? "turn" : "turns"} ${side} it`);
      const text = `${name} says it${others.length > 0 ? `, and ${others.join(" and ")}` : ""}`;
      this.view.announcer.say(text);
      return { text, moved: moved.before + moved.after };
    } catch (error) {
      this.view.failed(error);
      return null;
    }
  }

  async change(path, method, body) {
    const { id } = this.view;
    const answer = await request(sessionPath(id, path), { method, body });
    if (id !== this.view.id) return answer;
    this.view.session.speakersRevision = answer.revision;
    this.take(answer.speakers);
    await this.view.renew(this.view.segments.count);
    this.view.announcer.say("The speakers were changed");
    this.view.unsure.count();
    return answer;
  }

  /** Searches what the chosen speaker said, in all sessions. */
  search() {
    const { name } = this.known.get(this.chosen);
    const field = byId("query");
    field.value = `speaker:${/\s/.test(name) ? `"${name}"` : name} `;
    this.view.openSearch();
    field.focus();
    field.dispatchEvent(new Event("input"));
  }
}
