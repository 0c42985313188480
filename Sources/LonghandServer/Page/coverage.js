/**
 * What can become of a second, in the order of what must be seen first; as the store names it, but for silence that is
 * none: sound of which no words came.
 */
export const kinds = [
  { kind: "gap", label: "not captured", total: "gaps" },
  { kind: "failed", label: "failed", total: "failed" },
  { kind: "pending", label: "waiting for the recognizer", total: "pending" },
  { kind: "wordless", label: "without words", total: "wordless" },
  { kind: "silent", label: "silence", total: "silent" },
  { kind: "transcribed", label: "speech", total: "transcribed" },
];

const notable = new Set(["gap", "failed", "pending", "wordless"]);

/** The kind of a span, as a reader must know it. */
export const kindOf = ({ kind, reason }) => (kind === "silent" && reason ? "wordless" : kind);

/** The stretches between two times that a reader must know of: what failed, waits, has no words, was not captured. */
export function notableSpans(spans, from, to) {
  return spans.filter((span) => notable.has(kindOf(span)) && span.end > from + 0.05 && span.start < to - 0.05);
}

/** Without what waits: while a recording is made that is news of a moment, and stands on the timeline. */
export const withoutPending = (spans) => spans.filter(({ kind }) => kind !== "pending");

/** What became of a stretch, for a reader. */
export function spanText(span) {
  if (kindOf(span) === "wordless") return span.reason;
  const label = kinds.find(({ kind }) => kind === span.kind)?.label ?? span.kind;
  return span.reason ? `${label}: ${span.reason}` : label;
}

/** The spans among these that stand between rows; the many of speech and silence are only drawn. */
export const withoutOrdinary = (spans) => spans.filter((span) => notable.has(kindOf(span)));

/** The seconds of each kind, with a label; the store counts what has no words as silence. */
export function totals(coverage, spans) {
  const wordless = spans.filter((span) => kindOf(span) === "wordless");
  const seconds = wordless.reduce((sum, { start, end }) => sum + end - start, 0);
  const reasons = new Set(wordless.map(({ reason }) => reason));
  const all = { ...coverage, silent: coverage.silent - seconds, wordless: seconds };
  return kinds.map(({ kind, label, total }) => ({
    kind, label: kind === "wordless" && reasons.size === 1 ? [...reasons][0] : label, seconds: all[total],
  }));
}

/** Spans with the newest ones, which replace what was known from a time on. */
export function joined(spans, recent) {
  let kept = spans.length;
  while (kept > 0 && spans[kept - 1].start >= recent.from) kept -= 1;
  const before = spans.slice(0, kept);
  const last = before.at(-1);
  if (last && last.end > recent.from) before[kept - 1] = { ...last, end: recent.from };
  return before.concat(recent.spans);
}

/**
 * What is known of a recording that goes on, with what came since the server told of it: nothing was said in what was
 * heard already, or it would be known, and the rest waits.
 */
export function extended(spans, coverage, { heard, recorded }) {
  let count = spans.length;
  while (count > 0 && spans[count - 1].kind === "pending") count -= 1;
  const all = spans.slice(0, count);
  const known = all.at(-1)?.end ?? 0;
  const waits = Math.max(known, Math.min(heard, recorded));
  if (waits > known) all.push({ start: known, end: waits, kind: "silent" });
  if (recorded > waits) all.push({ start: waits, end: recorded, kind: "pending" });
  const silent = coverage.silent + waits - known;
  const pending = Math.max(0, recorded - coverage.transcribed - silent - coverage.failed - coverage.gaps);
  return { spans: all, coverage: { ...coverage, silent, pending } };
}
