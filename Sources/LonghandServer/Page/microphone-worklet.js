const piecesPerSecond = 2.5;
const levelsPerSecond = 10;
/** Milliseconds between two calls from which on audio is missing. The calls come more than a hundred times a second. */
const longestDelay = 2000;

/**
 * Makes 16-bit samples of the microphone's, in pieces, and measures their level. A piece before which audio is missing, because the
 * system had stopped the browser's audio or the microphone, has the number of seconds as `missing`.
 */
class Pieces extends AudioWorkletProcessor {
  constructor() {
    super();
    this.piece = new Int16Array(Math.round(sampleRate / piecesPerSecond));
    this.filled = 0;
    this.measured = 0;
    this.energy = 0;
    this.missing = 0;
    // What is left when the recording is paused or ends; and what is left out when it begins again.
    this.port.onmessage = ({ data }) => {
      this.send();
      if (data === "begin") [this.missing, this.last] = [0, Date.now()];
      this.port.postMessage({ isFlushed: true });
    };
  }

  process([[samples]]) {
    if (!samples) return true;
    // The audio's own clock stands still meanwhile.
    const now = Date.now();
    if (now - this.last > longestDelay) {
      this.send();
      this.missing += (now - this.last) / 1000 - samples.length / sampleRate;
    }
    this.last = now;
    for (const sample of samples) {
      this.piece[this.filled++] = Math.round(Math.max(-1, Math.min(1, sample)) * 32767);
      if (this.filled === this.piece.length) this.send();
      this.energy += sample * sample;
      if (++this.measured >= sampleRate / levelsPerSecond) this.measure();
    }
    return true;
  }

  send() {
    if (this.filled === 0) return;
    const { buffer } = this.piece.slice(0, this.filled);
    this.filled = 0;
    this.port.postMessage({ piece: buffer, missing: this.missing }, [buffer]);
    this.missing = 0;
  }

  measure() {
    this.port.postMessage({ dBFS: Math.max(-120, 10 * Math.log10(this.energy / this.measured + 1e-12)) });
    [this.measured, this.energy] = [0, 0];
  }
}

registerProcessor("pieces", Pieces);
