import { request, sessionPath } from "./api.js";

/** What a reader can do with a segment. */
export class SegmentActions {
  constructor(view) { this.view = view; }

  async play(row) {
    const { segments, player } = this.view;
    this.view.makeCurrent(row, { isShown: true, takesFocus: false });
    const segment = await segments.load(row);
    if (segment) player.play(segment.start);
  }

  /** Opens or closes the readings of a row. */
  toggle(row) {
    const { open, details } = this.view.view;
    if (open.delete(row)) details.delete(row);
    else {
      open.add(row);
      this.loadDetails(row);
    }
    this.view.rows.invalidate(row, row);
  }

  /** Fetches how a segment came to its text. */
  async loadDetails(row) {
    const { id, view, failed } = this.view;
    try {
      const details = await request(sessionPath(id, `segments/${row}`));
      if (id !== this.view.id || !view.open.has(row)) return;
      view.details.set(row, details);
      this.view.segments.put(details);
      this.view.loaded(row, row);
    } catch (error) {
      failed(error);
    }
  }

  /** Chooses another reading. */
  async choose(row, index) {
    const { id, announcer, failed } = this.view;
    try {
      const segment = await request(sessionPath(id, `segments/${row}/selection`), { method: "PUT", body: { index } });
      if (id !== this.view.id) return;
      this.view.segments.put(segment);
      this.view.loaded(row, row);
      announcer.say(`Now: ${segment.text}`);
      if (this.view.view.open.has(row)) this.loadDetails(row);
    } catch (error) {
      failed(error);
    }
  }
}
