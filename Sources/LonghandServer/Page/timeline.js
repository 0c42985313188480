import { kindOf, kinds, totals } from "./coverage.js";
import { element } from "./element.js";
import { clock, spoken } from "./format.js";

const bandHeight = 10;
const order = new Map(kinds.map(({ kind }, index) => [kind, index]));
const ordinary = order.get("silent");

/** The kind to draw in each column: the most important one, or else the one with the most seconds. */
export function columns(spans, duration, count) {
  const best = new Int8Array(count).fill(-1);
  const longest = new Float64Array(count);
  const scale = count / Math.max(duration, 0.001);
  for (const span of spans) {
    const { start, end } = span;
    const rank = order.get(kindOf(span)) ?? ordinary;
    const last = Math.min(count - 1, Math.ceil(end * scale) - 1);
    for (let column = Math.max(0, Math.floor(start * scale)); column <= last; column += 1) {
      const length = rank < ordinary ? Infinity : Math.min(end * scale, column + 1) - Math.max(start * scale, column);
      const isBetter = rank < ordinary ? best[column] < 0 || best[column] > rank : length > longest[column];
      if (best[column] < 0 || isBetter) {
        best[column] = rank;
        longest[column] = length;
      }
    }
  }
  return best;
}

/** The timeline of a session: the waveform, the coverage below it, and the playback position. */
export class Timeline {
  constructor(slider, legend, seek) {
    this.slider = slider;
    this.legend = legend;
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.playhead = element("div", { class: "playhead", "aria-hidden": "true" });
    slider.append(this.canvas, this.playhead);
    this.duration = 0;
    this.spans = [];
    this.peaks = [];
    this.waveformEnd = 0;
    this.time = 0;
    slider.addEventListener("pointerdown", (event) => this.drag(event, seek));
    slider.addEventListener("keydown", (event) => this.key(event, seek));
    new ResizeObserver(() => this.draw()).observe(slider);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  get width() { return this.slider.clientWidth; }

  /** @param waveformEnd the length of the waveform in seconds, which may be older than the coverage. */
  show({ duration = this.duration, spans = this.spans, peaks = this.peaks, waveformEnd = this.waveformEnd, coverage }) {
    Object.assign(this, { duration, spans, peaks, waveformEnd });
    if (coverage) this.showTotals(totals(coverage, spans));
    this.slider.setAttribute("aria-valuemax", Math.round(duration));
    this.schedule();
  }

  /** Shows the seconds of each kind as text. */
  showTotals(all) {
    this.legend.replaceChildren(
      ...all.toReversed().filter(({ seconds }) => seconds >= 0.05).map(({ kind, label, seconds }) =>
        element(
          "li", {},
          element("span", { class: `swatch ${kind}`, "aria-hidden": "true" }),
          `${label} ${clock(seconds)}`)));
  }

  setTime(time) {
    this.time = time;
    const share = this.duration > 0 ? Math.min(1, time / this.duration) : 0;
    this.playhead.style.transform = `translateX(${share * this.width}px)`;
    this.slider.setAttribute("aria-valuenow", Math.round(time));
    this.slider.setAttribute("aria-valuetext", `${spoken(time)} of ${spoken(this.duration)}`);
  }

  drag(event, seek) {
    if (event.button !== 0) return;
    const box = this.slider.getBoundingClientRect();
    const time = (at) => Math.max(0, Math.min(1, (at.clientX - box.left) / box.width)) * this.duration;
    const move = (at) => this.setTime(time(at));
    const up = (at) => {
      this.slider.removeEventListener("pointermove", move);
      this.slider.removeEventListener("pointerup", up);
      seek(time(at));
    };
    this.slider.setPointerCapture(event.pointerId);
    this.slider.addEventListener("pointermove", move);
    this.slider.addEventListener("pointerup", up);
    move(event);
  }

  key(event, seek) {
    const steps = {
      ArrowLeft: -5, ArrowRight: 5, ArrowDown: -5, ArrowUp: 5, PageUp: 60, PageDown: -60,
      Home: -Infinity, End: Infinity,
    };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    seek(Math.max(0, Math.min(this.duration, this.time + step)));
  }

  schedule() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.draw();
    });
  }

  draw() {
    const { canvas, slider } = this;
    const scale = devicePixelRatio || 1;
    const width = slider.clientWidth;
    const height = slider.clientHeight;
    if (width === 0 || height === 0) return;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    const style = getComputedStyle(slider);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    this.drawWaveform(pen, width, height - bandHeight - 6, colour("wave"));
    this.drawBand(pen, width, height - bandHeight, colour);
    this.setTime(this.time);
  }

  drawWaveform(pen, width, height, colour) {
    pen.fillStyle = colour;
    const middle = height / 2;
    const step = 3;
    const whole = this.waveformEnd > 0 && this.duration > 0 ? (width * this.waveformEnd) / this.duration : width;
    for (let x = 0; x < width; x += step) {
      const first = Math.floor((x / whole) * this.peaks.length);
      const last = Math.max(first + 1, Math.floor(((x + step) / whole) * this.peaks.length));
      let peak = 0;
      for (let index = first; index < last && index < this.peaks.length; index += 1) {
        peak = Math.max(peak, this.peaks[index]);
      }
      // The square root makes quiet speech visible.
      const half = Math.max(0.75, Math.sqrt(peak) * middle);
      pen.fillRect(x, middle - half, step - 1, 2 * half);
    }
  }

  /** Each kind has a height and a pattern of its own, for users who cannot distinguish the colours. */
  drawBand(pen, width, top, colour) {
    const shown = columns(this.spans, this.duration, Math.ceil(width));
    for (let x = 0; x < shown.length; x += 1) {
      const kind = kinds[shown[x]]?.kind;
      if (!kind) continue;
      pen.fillStyle = colour(kind);
      if (kind === "transcribed") pen.fillRect(x, top, 1, bandHeight);
      else if (kind === "silent") pen.fillRect(x, top + bandHeight / 2 - 1, 1, 2);
      else if (kind === "nonspeech") pen.fillRect(x, top + (x % 4 < 2 ? 2 : 6), 1, 2);
      else if (kind === "wordless") pen.fillRect(x, top + (x % 6 < 3 ? 1 : 6), 1, 3);
      else if (kind === "pending") for (let y = x % 4 < 2 ? 0 : 3; y < bandHeight; y += 6) pen.fillRect(x, top + y, 1, 3);
      else if (kind === "failed") for (let y = -(x % 5); y < bandHeight; y += 5) pen.fillRect(x, top + y, 1, 2.5);
      else {
        pen.fillRect(x, top, 1, 2);
        pen.fillRect(x, top + bandHeight - 2, 1, 2);
        if (x % 4 === 0) pen.fillRect(x, top, 1, bandHeight);
      }
    }
  }
}
