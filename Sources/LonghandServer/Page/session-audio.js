import { request, sessionPath } from "./api.js";
import { byId } from "./element.js";
import { PlaybackHighlight } from "./playback.js";
import { PlaybackTools } from "./playback-tools.js";
import { Player } from "./player.js";
import { bareWord } from "./segment-row.js";
import { Timeline } from "./timeline.js";

const waveformEvery = 5000;
const maxPeaks = 2000;

/** The audio of the open session: the player with its tools, the timeline with the waveform, the word that is played. */
export class SessionAudio {
  /** @param view the open session. */
  constructor(view) {
    this.view = view;
    this.player = new Player(byId("audio"), { changed: () => this.played(), failed: view.failed });
    this.highlight = new PlaybackHighlight(this.player, view);
    this.timeline = new Timeline(byId("timeline"), byId("legend"), (time) => this.seek(time));
    byId("show-legend").addEventListener("click", ({ currentTarget }) => {
      byId("legend").hidden = !byId("legend").hidden;
      currentTarget.setAttribute("aria-expanded", String(!byId("legend").hidden));
    });
    // Messages are above the player, whose height varies.
    const player = document.querySelector(".player");
    new ResizeObserver(() => document.documentElement.style.setProperty("--player", `${player.offsetHeight}px`))
      .observe(player);
    byId("play").addEventListener("click", () => this.player.toggle());
    this.tools = new PlaybackTools(view);
  }

  close() {
    clearTimeout(this.waveformTimer);
    this.player.open(null, false);
    this.highlight.clear();
    this.timeline.show({ duration: 0, spans: [], peaks: [], waveformEnd: 0, coverage: {} });
  }

  /** Moves the playback position to the first marked word of a row. */
  async cue(row) {
    const { id } = this.view;
    const segment = await this.view.segments.load(row);
    if (!segment || id !== this.view.id) return;
    const word = segment.words.find(({ display }) => this.view.shown.mark.has(bareWord(display)));
    await this.player.seek((word ?? segment).start);
    this.showTime();
  }

  /** Plays the current row: from the focused word, else from a search result in it, else from its start. */
  async playCurrent() {
    const row = this.view.navigation.currentRow;
    const segment = row === null ? undefined : await this.view.segments.load(row);
    if (!segment) return;
    const words = (this.view.rows.element(row)?.words ?? []).filter(Boolean);
    const found = words.find((one) => one.matches(":focus")) ?? words.find((one) => one.matches(".found"));
    const word = found ? segment.words[Number(found.dataset.word)] : undefined;
    this.player.play((word ?? segment).start);
  }

  /** Goes to a time, in the audio and in the rows. */
  async seek(time) {
    if (!this.view.segments) return;
    try {
      this.timeline.setTime(time);
      const audio = this.player.seek(time);
      // The text is shown also if the audio cannot be played. The error is reported below.
      audio.catch(() => {});
      if (this.view.segments.count > 0) {
        this.view.rows.reveal(await this.view.segments.rowAt(time, this.view.duration));
        this.view.follow.show();
      }
      await audio;
    } catch (error) {
      this.view.failed(error);
    }
  }

  played() {
    byId("play").dataset.playing = String(this.player.isPlaying);
    byId("play").setAttribute("aria-label", this.player.isPlaying ? "Pause" : "Play");
    byId("play").disabled = !this.player.hasAudio;
    this.tools?.show();
    this.showTime();
    this.highlight?.update();
  }

  showTime() {
    this.view.header.showTime(this.player.time, this.view.duration);
    this.timeline?.setTime(this.player.time);
  }

  async loadWaveform() {
    clearTimeout(this.waveformTimer);
    const id = this.view.id;
    const duration = this.view.duration;
    const points = Math.min(maxPeaks, Math.max(200, Math.round(this.timeline.width)));
    try {
      if (this.view.session.hasAudio && duration > 0) {
        const query = new URLSearchParams({ from: 0, to: duration, points });
        const { peaks } = await request(`${sessionPath(id, "waveform")}?${query}`);
        if (this.view.id !== id) return;
        this.timeline.show({ peaks: Float32Array.from(peaks), waveformEnd: duration });
      }
    } catch {
      // The timeline works without a waveform.
    }
    if (this.view.isLive && this.view.id === id) this.waveformTimer = setTimeout(() => this.loadWaveform(), waveformEvery);
  }
}
