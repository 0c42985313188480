import { byId } from "./element.js";

/** The speed, the skipped silence and the repeated segment, by their buttons and by keys. */
export class PlaybackTools {
  /** @param view the open session. */
  constructor(view) {
    this.view = view;
    byId("speed").addEventListener("change", () => view.player.setSpeed(Number(byId("speed").value)));
    byId("skip-silence").addEventListener("click", () => this.toggleSkip());
    byId("loop").addEventListener("click", () => this.toggleLoop());
  }

  show() { byId("loop").setAttribute("aria-pressed", String(this.view.player.isLoop)); }

  /** Plays without the silent parts, or with them. */
  toggleSkip() {
    const { player, announcer } = this.view;
    const isOn = player.silences === null;
    player.silences = isOn ? () => this.view.allSpans : null;
    byId("skip-silence").setAttribute("aria-pressed", String(isOn));
    announcer.say(isOn ? "Silence is skipped" : "Silence is played");
  }

  /** Repeats the current segment, or ends that. */
  async toggleLoop() {
    const { player, announcer, segments, navigation: { currentRow: row } } = this.view;
    const isOn = player.part === null || !player.isLoop;
    const segment = row === null ? undefined : await segments?.load(row);
    if (isOn && !segment) return;
    if (isOn) player.playPart(segment.start, segment.end, true);
    else player.endPart();
    this.show();
    announcer.say(isOn ? "The segment is repeated" : "Nothing is repeated");
  }

  /** Changes the speed by a step. */
  stepSpeed(by) {
    const select = byId("speed");
    select.selectedIndex = Math.max(0, Math.min(select.options.length - 1, select.selectedIndex + by));
    this.view.player.setSpeed(Number(select.value));
    this.view.announcer.say(`Speed ${select.value}`);
  }
}
