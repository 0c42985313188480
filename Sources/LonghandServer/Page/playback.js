/** Highlights the word that is being played, and keeps its row in view until the user scrolls elsewhere. */
export class PlaybackHighlight {
  /** @param view has the `segments`, `rows` and `duration` of the open session. */
  constructor(player, view) {
    this.player = player;
    this.view = view;
    this.row = null;
  }

  /** Call this when playback starts, stops or jumps. */
  update() {
    if (this.player.isPlaying && !this.frame) {
      const tick = () => {
        this.frame = this.player.isPlaying ? requestAnimationFrame(tick) : 0;
        this.highlight();
      };
      this.frame = requestAnimationFrame(tick);
    }
    this.highlight();
  }

  highlight() {
    const { segments } = this.view;
    if (!segments) return;
    const time = this.player.time;
    const segment = this.row === null ? undefined : segments.get(this.row);
    const next = this.row === null ? undefined : segments.get(this.row + 1);
    if (segment && time >= segment.start && (time < segment.end || (next && time < next.start))) {
      this.mark(this.row, segment, time);
    } else if (next && segment && time >= next.start && time < next.end) {
      this.go(this.row + 1, next, time);
    } else if (time > 0 || this.player.isPlaying) {
      this.find(time);
    }
  }

  /** Finds the row at a time that is not in the last row or the next one. */
  async find(time) {
    if (this.isFinding) return;
    this.isFinding = true;
    const { segments, duration } = this.view;
    try {
      const row = await segments.rowAt(time, duration);
      const segment = await segments.load(row);
      if (segment && segments === this.view.segments) this.go(row, segment, time);
    } catch {
      // The segment cannot be loaded now. The next frame tries again.
    } finally {
      this.isFinding = false;
    }
  }

  go(row, segment, time) {
    const { rows } = this.view;
    const wasVisible = this.row !== null && rows.isVisible(this.row);
    if (row === this.row + 1 && wasVisible && !rows.isVisible(row) && !rows.sticksToEnd) rows.show(row, 0.3);
    this.row = row;
    this.mark(row, segment, time);
  }

  mark(row, segment, time) {
    const words = segment.words;
    let low = 0;
    let high = words.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (words[middle].start <= time) low = middle + 1;
      else high = middle;
    }
    const index = low - 1;
    // After the end of a word its highlight stays for a moment only.
    const isPlayed = index >= 0 && time < words[index].end + 0.3;
    const word = isPlayed ? this.view.rows.element(row)?.words[index] : undefined;
    if (word === this.word) return;
    this.word?.classList.remove("playing");
    word?.classList.add("playing");
    this.word = word;
  }

  /** Removes the highlight, when the session is closed. */
  clear() {
    this.word?.classList.remove("playing");
    this.word = undefined;
    this.row = null;
  }
}
