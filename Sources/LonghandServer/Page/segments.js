import { RefusedError, request, sessionPath } from "./api.js";

const blockSize = 100;
const blocksKept = 16;
const atOnce = 2;

/** The numbers of the blocks with these rows. */
function blocksOf(first, last) {
  const [from, to] = [first, last].map((row) => Math.max(0, Math.floor(row / blockSize)));
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/**
 * The segments of a session near the visible rows, loaded in blocks. The least recently used block is removed first.
 * Segments from live events are added, and an older response never replaces them. A segment keeps its key; its number, which is
 * its row, changes when another one before it is divided.
 */
export class Segments {
  /**
   * @param changed is called with the first and the last row that were loaded or changed.
   * @param moved is called with a function from an old row to the row that its segment has now.
   */
  constructor(session, count, { changed, moved }) {
    Object.assign(this, { session, count, changed, moved });
    this.blocks = new Map();
    this.loading = new Map();
    this.wanted = null;
    this.isClosed = false;
    // Whether segments have other rows than those that they are known by.
    this.isOutdated = false;
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

  /** The row of a segment, if it is loaded. */
  rowOf(key) {
    if (key === undefined) return undefined;
    for (const [number, block] of this.blocks) {
      const index = block.findIndex((segment) => segment?.key === key);
      if (index >= 0) return number * blockSize + index;
    }
    return undefined;
  }

  /** The row of a segment, which is asked for if it is not loaded. */
  async find(key) { return this.rowOf(key) ?? (await request(sessionPath(this.session, `segments/${key}`))).id; }

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
    if (known && known.key !== segment.key) {
      this.isOutdated = true;
      return false;
    }
    if (known && (known.revision > segment.revision || (known.revision === segment.revision && known.formatted === segment.formatted && known.speaker === segment.speaker
      && known.beginsParagraph === segment.beginsParagraph))) return false;
    block[segment.id % blockSize] = segment;
    return true;
  }

  /**
   * Loads what is shown again, and forgets the rest: segments may have other numbers, and there may be more of them.
   *
   * @param row a row that stays in sight.
   * @param end the row after those that are loaded in any case.
   */
  async renew(count, row, end = row) {
    this.called += 1;
    this.isOutdated = false;
    const { called } = this;
    const key = this.get(row)?.key;
    // Segments before it may be divided.
    const by = key === undefined || count === this.count ? 0
      : (await request(sessionPath(this.session, `segments/${key}`))).id - row;
    const [first, last] = this.wanted ?? [row, end];
    const numbers = [...new Set([
      ...blocksOf(first + by, last + by), ...blocksOf(row + by, end + Math.max(by, count - this.count)),
    ])];
    const answers = await Promise.all(numbers.map((number) =>
      request(`${sessionPath(this.session, "segments")}?from=${number * blockSize}&limit=${blockSize}`)));
    // The answers of a later call may have come sooner, and there may be more segments than were counted before.
    if (this.isClosed || called < this.renewed) return;
    this.renewed = called;
    const { blocks, count: before } = this;
    this.count = Math.max(count, ...answers.map(({ segments }) => (segments.at(-1)?.id ?? -1) + 1));
    this.blocks = new Map(numbers.map((number, index) => [number, answers[index].segments]));
    this.latest = undefined;
    this.moved((old) => (old >= before ? old - before + this.count
      : this.rowOf(blocks.get(Math.floor(old / blockSize))?.[old % blockSize]?.key) ?? old + by));
    this.changed(0, this.count - 1);
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
    const { renewed } = this;
    const work = request(`${sessionPath(this.session, "segments")}?from=${from}&limit=${blockSize}`)
      .then(({ segments }) => {
        if (renewed !== this.renewed) {
          // The segments may have other rows since.
          this.loading.delete(number);
          return this.fetch(number);
        }
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
