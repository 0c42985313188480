const piecesPerSecond = 2.5;
const levelsPerSecond = 10;

/** Makes 16-bit samples of the microphone's, in pieces, and measures their level. */
class Pieces extends AudioWorkletProcessor {
  constructor() {
    super();
    this.piece = new Int16Array(Math.round(sampleRate / piecesPerSecond));
    this.filled = 0;
    this.measured = 0;
    this.energy = 0;
    // What is left when the recording is paused or ends.
    this.port.onmessage = () => {
      this.send();
      this.port.postMessage({ isFlushed: true });
    };
  }

  process([[samples]]) {
    for (const sample of samples ?? []) {
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
    this.port.postMessage({ piece: buffer }, [buffer]);
  }

  measure() {
    this.port.postMessage({ dBFS: Math.max(-120, 10 * Math.log10(this.energy / this.measured + 1e-12)) });
    [this.measured, this.energy] = [0, 0];
  }
}

registerProcessor("pieces", Pieces);
