import { RefusedError, request, sessionPath } from "./api.js";

const blockSize = 100;
const blocksKept = 16;
const atOnce = 2;

/**
 * The segments of a session near the visible rows, loaded in blocks. The least recently used block is removed first.
 * Segments from live events are added, and an older response never replaces them.
 */
export class Segments {
  /** @param changed is called with the first and the last row that were loaded or changed. */
  constructor(session, count, changed) {
    this.session = session;
    this.count = count;
    this.changed = changed;
    this.blocks = new Map();
    this.loading = new Map();
    this.wanted = null;
    this.isClosed = false;
    // The number of the last call of `renew`, and of the last one that is done.
    this.called = 0;
    this.renewed = 0;
  }

  /** The segment, if it is loaded. */
  get(id) {
    const number = Math.floor(id / blockSize);
    const block = this.blocks.get(number);
    if (!block) return undefined;
    if (this.latest !== number) {
      this.blocks.delete(number);
      this.blocks.set(number, block);
      this.latest = number;
    }
    return block[id % blockSize];
  }

  /** Adds a segment from a live event. Returns whether it is new or changed. */
  put(segment) {
    const { id } = segment;
    const number = Math.floor(id / blockSize);
    const isNew = id >= this.count;
    if (isNew) this.count = id + 1;
    // A block that is not shown is loaded when it is.
    if (!this.blocks.has(number) && !isNew) return false;
    return this.store(segment);
  }

  store(segment) {
    const number = Math.floor(segment.id / blockSize);
    let block = this.blocks.get(number);
    if (!block) {
      block = [];
      this.blocks.set(number, block);
      this.evict();
    }
    const known = block[segment.id % blockSize];
    if (known && (known.revision > segment.revision || (known.revision === segment.revision && known.formatted === segment.formatted && known.speaker === segment.speaker
      && known.beginsParagraph === segment.beginsParagraph))) return false;
    block[segment.id % blockSize] = segment;
    return true;
  }

  /** Forgets what was loaded: all of it may be different. */
  forget() {
    this.blocks.clear();
    this.latest = undefined;
    this.pump();
  }

  /** Loads what is shown again, and forgets the rest: segments may have other numbers, and there may be more of them. */
  async renew(count) {
    this.called += 1;
    const { called } = this;
    const [first, last] = (this.wanted ?? [0, -1]).map((row) => Math.max(0, Math.floor(row / blockSize)));
    const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const answers = await Promise.all(numbers.map((number) =>
      request(`${sessionPath(this.session, "segments")}?from=${number * blockSize}&limit=${blockSize}`)));
    // The answers of a later call may have come sooner, and there may be more segments than were counted before.
    if (this.isClosed || called < this.renewed) return;
    this.renewed = called;
    count = Math.max(count, ...answers.map(({ segments }) => (segments.at(-1)?.id ?? -1) + 1));
    this.blocks = new Map(numbers.map((number, index) => [number, answers[index].segments]));
    this.latest = undefined;
    this.count = count;
    this.changed(0, count - 1);
    this.pump();
  }

  evict() {
    for (const number of this.blocks.keys()) {
      if (this.blocks.size <= blocksKept) return;
      this.blocks.delete(number);
    }
  }

  /** Sets the rows to load. Rows of an earlier call that have not been requested yet are dropped. */
  want(first, last) {
    this.wanted = [Math.max(0, first), last];
    this.pump();
  }

  isWhole(number) {
    const end = Math.min(blockSize, this.count - number * blockSize);
    const block = this.blocks.get(number);
    if (!block) return end <= 0;
    for (let index = 0; index < end; index += 1) if (!block[index]) return false;
    return true;
  }

  pump() {
    if (!this.wanted || this.isClosed) return;
    const [first, last] = this.wanted;
    for (let row = first; row <= Math.min(last, this.count - 1); row += 1) {
      if (this.loading.size >= atOnce) return;
      if (this.get(row)) continue;
      const number = Math.floor(row / blockSize);
      if (!this.loading.has(number)) this.fetch(number).catch(() => {});
      row = (number + 1) * blockSize - 1;
    }
  }

  /** Loads a block, with one request at a time. */
  fetch(number) {
    const running = this.loading.get(number);
    if (running) return running;
    const from = number * blockSize;
    const work = request(`${sessionPath(this.session, "segments")}?from=${from}&limit=${blockSize}`)
      .then(({ segments }) => {
        let isChanged = segments.length === 0;
        for (const segment of segments) {
          this.count = Math.max(this.count, segment.id + 1);
          if (this.store(segment)) isChanged = true;
        }
        this.loading.delete(number);
        if (isChanged && !this.isClosed) this.changed(from, from + segments.length - 1);
        this.pump();
      })
      .catch((error) => {
        this.loading.delete(number);
        // Try again if the server was unreachable, but not if it refused the request.
        if (!(error instanceof RefusedError)) setTimeout(() => this.pump(), 1000);
        throw error;
      });
    this.loading.set(number, work);
    return work;
  }

  /** The segment, which is loaded if necessary; undefined if there is none. */
  async load(id) {
    if (id < 0 || id >= this.count) return undefined;
    if (!this.get(id)) await this.fetch(Math.floor(id / blockSize));
    return this.get(id);
  }

  /** The last row that starts at or before a time, by interpolation between the times of loaded blocks. */
  async rowAt(time, duration) {
    let low = 0;
    let high = this.count - 1;
    let lowTime = 0;
    let highTime = Math.max(duration, time + 1);
    for (let tries = 0; low < high; tries += 1) {
      const share = tries % 2 ? 0.5 : (time - lowTime) / Math.max(highTime - lowTime, 0.001);
      const guess = Math.min(high, low + Math.max(0, Math.round((high - low) * share)));
      const number = Math.floor(guess / blockSize);
      if (!this.isWhole(number)) await this.fetch(number);
      const block = this.blocks.get(number);
      if (!block?.[0]) return low;
      const after = block.findIndex((segment) => segment?.start > time);
      if (after > 0) return number * blockSize + after - 1;
      if (after === 0) {
        high = Math.max(low, number * blockSize - 1);
        highTime = block[0].start;
      } else {
        const next = (number + 1) * blockSize;
        if (next > high) return Math.min(high, number * blockSize + block.length - 1);
        const first = await this.load(next);
        if (!first || first.start > time) return next - 1;
        low = next;
        lowTime = first.start;
      }
    }
    return low;
  }

  close() { this.isClosed = true; }
}
