import { sendPart, UnreachableError } from "./api.js";

const shortestWait = 500;
const longestWait = 4000;
/** Bytes of one request, which may have many pieces after an outage: fewer while the connection is too slow for them. */
const [minPart, maxPart] = [1 << 14, 1 << 20];
/** Milliseconds of a request after which the next one is not larger. */
const shortRequest = 5000;
/** Seconds that are kept while the server cannot be reached. */
const maxUnsent = 3600;

/**
 * Sends the pieces of a microphone one after the other, each until the server has it, and between them what else is asked of the
 * server, in order. While the server cannot be reached, they are kept.
 */
export class PieceSender {
  /**
   * @param stream the name of the server's stream.
   * @param changed is called when something was sent or has to wait; with the state of the recording, where the server says it.
   * @param full is called when no more can be kept.
   * @param again is called when the server does not know the stream any more. Returns the name of another one, or null.
   * @param stopped is called when the recording was stopped elsewhere, or goes on nowhere.
   */
  constructor(stream, rate, { changed, full, again, stopped }) {
    Object.assign(this, { stream, rate, changed, full, again, stopped });
    this.queue = [];
    this.offset = 0;
    this.kept = 0;
    this.partLimit = maxPart;
    this.isRunning = false;
    this.online = () => this.wake?.();
    window.addEventListener("online", this.online);
  }

  /** Seconds that the server does not have yet. */
  get unsent() { return this.kept / 2 / this.rate; }

  /** Whether the server has everything, and was asked everything. */
  get isIdle() { return this.queue.length === 0; }

  /** @param missing the seconds that were not captured before the piece. */
  add(piece, missing = 0) {
    this.queue.push(Object.assign(new Uint8Array(piece), { missing }));
    this.kept += piece.byteLength;
    if (this.unsent > maxUnsent) this.full();
    this.run();
  }

  /** Does something after all pieces before are sent. Resolves to its result. */
  then(act) {
    return new Promise((resolve, reject) => {
      this.queue.push({ act, resolve, reject });
      this.run();
    });
  }

  close() {
    this.isClosed = true;
    window.removeEventListener("online", this.online);
    this.wake?.();
  }

  async run() {
    if (this.isRunning) return;
    this.isRunning = true;
    let wait = shortestWait;
    while (this.queue.length > 0 && !this.isClosed) {
      try {
        await this.next();
        wait = shortestWait;
        this.failure = null;
      } catch (error) {
        if (error.code === "no_stream") {
          this.stream = null;
        } else if (error.code === "stopped") {
          this.stopped();
        } else {
          // Not reachable, a full disk, signed out: nothing is lost by another attempt.
          if (error instanceof UnreachableError) this.partLimit = Math.max(minPart, this.partLimit / 2);
          this.failure = error instanceof UnreachableError ? null : error.message;
          this.changed();
          await this.pause(wait);
          wait = Math.min(2 * wait, longestWait);
        }
      }
    }
    this.isRunning = false;
  }

  async next() {
    const [first] = this.queue;
    if (first.act) {
      await first.act().then(first.resolve, (error) => {
        if (error instanceof UnreachableError) throw error;
        first.reject(error);
      });
      this.queue.shift();
      return;
    }
    if (!this.stream) {
      this.stream = await this.again();
      this.offset = 0;
      if (!this.stream) return this.stopped();
    }
    const part = this.part();
    // What is missing within the first second of a stream is of the recording before.
    const isOwn = first.missing > 0 && this.offset >= 2 * this.rate;
    const missing = isOwn ? `&missing=${first.missing}` : "";
    const start = performance.now();
    const { received, state } = await sendPart(
      `api/recording/audio/${this.stream}?offset=${this.offset}${missing}`, part, { isSignedIn: false });
    if (performance.now() - start < shortRequest) this.partLimit = Math.min(maxPart, 2 * this.partLimit);
    this.forget(Math.max(0, Math.min(received - this.offset, part.size)));
    this.changed(state);
  }

  /** The pieces before the next act or gap, as far as they fit. */
  part() {
    const pieces = [];
    let size = 0;
    for (const piece of this.queue) {
      if (piece.act || (size > 0 && (piece.missing > 0 || size + piece.length > this.partLimit))) break;
      pieces.push(piece);
      size += piece.length;
    }
    return new Blob(pieces);
  }

  forget(count) {
    this.offset += count;
    this.kept -= count;
    while (count > 0) {
      const [piece] = this.queue;
      if (piece.length > count) this.queue[0] = piece.subarray(count);
      else this.queue.shift();
      count -= piece.length;
    }
  }

  /** What was not sent, as a file; null if that is less than a second. */
  rest() {
    if (this.unsent < 1) return null;
    const pieces = this.queue.filter((piece) => !piece.act);
    return new File([header(this.kept, this.rate), ...pieces], "Rest of a recording.wav",
      { type: "audio/wav", lastModified: Date.now() });
  }

  pause(time) {
    return new Promise((resolve) => {
      this.wake = resolve;
      setTimeout(resolve, time);
    });
  }
}

/** The header of a WAVE file with 16-bit samples of one channel. */
function header(bytes, rate) {
  const view = new DataView(new ArrayBuffer(44));
  const text = (offset, letters) => [...letters].forEach((letter, index) => view.setUint8(offset + index, letter.charCodeAt(0)));
  text(0, "RIFF");
  view.setUint32(4, 36 + bytes, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, 2 * rate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, bytes, true);
  return view;
}
