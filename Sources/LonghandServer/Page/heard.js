/** Marks the word that is being heard, and keeps its row in view as long as the reader has not gone elsewhere. */
export class Heard {
  /** @param place gives `segments`, `rows` and the `duration` of the session that is shown. */
  constructor(player, place) {
    this.player = player;
    this.place = place;
    this.row = null;
  }

  /** To be called when the player begins, stops or is sent elsewhere. */
  update() {
    if (this.player.isPlaying && !this.frame) {
      const tick = () => {
        this.frame = this.player.isPlaying ? requestAnimationFrame(tick) : 0;
        this.look();
      };
      this.frame = requestAnimationFrame(tick);
    }
    this.look();
  }

  look() {
    const { segments } = this.place;
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

  /** Finds the row of a time that is far from the last one. */
  async find(time) {
    if (this.isFinding) return;
    this.isFinding = true;
    const { segments, duration } = this.place;
    try {
      const row = await segments.rowAt(time, duration);
      const segment = await segments.load(row);
      if (segment && segments === this.place.segments) this.go(row, segment, time);
    } catch {
      // Not to be had just now: the next look tries again.
    } finally {
      this.isFinding = false;
    }
  }

  go(row, segment, time) {
    const { rows } = this.place;
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
    // A word that was said a while ago is not heard any more.
    const isHeard = index >= 0 && time < words[index].end + 0.3;
    const word = isHeard ? this.place.rows.element(row)?.words[index] : undefined;
    if (word === this.word) return;
    this.word?.classList.remove("heard");
    word?.classList.add("heard");
    this.word = word;
  }

  /** Forgets what was heard, of a session that is not shown any more. */
  clear() {
    this.word?.classList.remove("heard");
    this.word = undefined;
    this.row = null;
  }
}
