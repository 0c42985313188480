import { Turns } from "./turns.js";

/** The rate that recognizers need. A browser that cannot convert to it records at the rate of its device. */
const wantedRate = 16000;

/** Where the page keeps the ID of the device that was chosen. */
const setting = "longhand.microphone";

/** Why this browser's microphone cannot be used on this page; null if it can. */
export function whyNoMicrophone() {
  if (!window.isSecureContext) {
    return "Browsers give pages their microphone only at https:// addresses, and on the server's own computer. "
      + "'longhand help serve' says how to have such an address (--origin).";
  }
  return navigator.mediaDevices?.getUserMedia && window.AudioWorkletNode ? null : "This browser gives no page its microphone.";
}

const refusals = {
  NotAllowedError: "The microphone is not allowed. Allow it for this page in the browser, and try again.",
  NotFoundError: "The browser finds no microphone. Connect one, or choose another source.",
  NotReadableError: "Another program uses the microphone. Close that, and try again.",
};

/** The microphone of this browser: its level, and its audio in pieces of 16-bit samples, with the seconds that are missing before. */
export class Microphone {
  /** The devices that can be chosen. They have names after a microphone was opened. */
  static async devices() {
    return (await navigator.mediaDevices.enumerateDevices()).filter(({ kind, label }) => kind === "audioinput" && label);
  }

  /** Chooses the device for the next time. */
  static choose(device) { localStorage.setItem(setting, device); }

  /** Opens the chosen device, or another one if it is not connected. @throws an error with a sentence for people. */
  static async open() {
    const why = whyNoMicrophone();
    if (why) throw new Error(why);
    let stream;
    try {
      stream = await capture(localStorage.getItem(setting)).catch((error) => {
        if (error.name !== "OverconstrainedError") throw error;
        return capture(null);
      });
    } catch (error) {
      throw new Error(refusals[error.name] ?? `The microphone cannot be used: ${error.message}`);
    }
    try {
      return new Microphone(stream, ...(await nodes(stream, wantedRate).catch(() => nodes(stream))));
    } catch (error) {
      for (const track of stream.getTracks()) track.stop();
      throw new Error(`The microphone cannot be used: ${error.message}`);
    }
  }

  constructor(stream, context, worklet) {
    Object.assign(this, { stream, context, worklet, onlevel: () => {}, onpiece: null, isPaused: false });
    Object.assign(this, { onended: () => {}, onmute: () => {} });
    this.flushed = [];
    // The end of a pause must not silence what began meanwhile.
    this.turns = new Turns();
    worklet.port.onmessage = ({ data }) => {
      if (data.piece && this.isPaused) return;
      if (data.piece) this.onpiece?.(data.piece, data.missing);
      else if (data.isFlushed) this.flushed.shift()?.();
      else this.onlevel(data);
    };
    for (const track of stream.getTracks()) {
      track.onended = () => this.onended();
      track.onmute = () => this.onmute();
    }
  }

  /** The ID of the device. */
  get device() { return this.stream.getTracks()[0].getSettings().deviceId; }

  /** Samples in a second. */
  get rate() { return this.context.sampleRate; }

  /** Hands over what was captured, and captures nothing until `resume`. */
  pause() {
    return this.turns.take(async () => {
      await this.flush();
      this.isPaused = true;
      this.pauseStart = Date.now();
      for (const track of this.stream.getTracks()) track.enabled = false;
    });
  }

  /**
   * Captures again. The browser's audio was not stopped: to start again can take it seconds. Resolves to the seconds of the pause;
   * not a number if there was none.
   */
  resume() {
    return this.turns.take(async () => {
      for (const track of this.stream.getTracks()) track.enabled = true;
      await this.context.resume();
      // What came in the pause is left out.
      await this.flush("begin");
      this.isPaused = false;
      const seconds = (Date.now() - this.pauseStart) / 1000;
      this.pauseStart = undefined;
      return seconds;
    });
  }

  /** Starts the browser's audio again, if the system has stopped it. */
  wake() {
    if (this.context.state !== "running" && this.context.state !== "closed") this.context.resume().catch(() => {});
  }

  flush(message = "flush") {
    if (this.context.state !== "running") return Promise.resolve();
    return new Promise((resolve) => {
      this.flushed.push(resolve);
      // The system may have stopped it.
      setTimeout(resolve, 1000);
      this.worklet.port.postMessage(message);
    });
  }

  /** Hands over what was captured, and closes the microphone. */
  async close() {
    await this.flush();
    for (const track of this.stream.getTracks()) track.stop();
    if (this.context.state !== "closed") await this.context.close();
  }
}

function capture(device) {
  const deviceId = device ? { exact: device } : undefined;
  // What is meant for calls takes away quiet speech.
  return navigator.mediaDevices.getUserMedia(
    { audio: { deviceId, channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: true } });
}

async function nodes(stream, sampleRate) {
  const context = new AudioContext(sampleRate ? { sampleRate } : {});
  try {
    await context.audioWorklet.addModule("page/microphone-worklet.js");
    // Its output is silent: without one, no browser need run it.
    const worklet = new AudioWorkletNode(
      context, "pieces", { channelCount: 1, channelCountMode: "explicit", channelInterpretation: "speakers" });
    context.createMediaStreamSource(stream).connect(worklet).connect(context.destination);
    await context.resume();
    return [context, worklet];
  } catch (error) {
    await context.close();
    throw error;
  }
}
