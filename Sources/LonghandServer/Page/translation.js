import { request, sessionPath } from "./api.js";

/** The second text of the open session in English: a text of the model, not the words that were said. */
export class Translation {
  constructor() { this.clear(); }

  clear() { Object.assign(this, { id: null, model: "", passages: [] }); }

  /** Loads it. */
  async load(id) {
    const { model, passages } = await request(`${sessionPath(id)}/translation`);
    Object.assign(this, { id, model, passages });
  }

  /** The text of the passages whose middle is in a part of the recording. */
  text(start, end) {
    return this.passages.filter((one) => {
      const middle = (one.start + one.end) / 2;
      return start <= middle && middle <= end;
    }).map(({ text }) => text).filter(Boolean).join(" ");
  }
}
