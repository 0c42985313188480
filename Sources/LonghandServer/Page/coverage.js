/**
 * The kinds of coverage, the most important first. `wordless` is speech without recognized words, and `nonspeech` is other
 * sound.
 */
export const kinds = [
  { kind: "gap", label: "not captured", total: "gaps" },
  { kind: "failed", label: "failed", total: "failed" },
  { kind: "pending", label: "not transcribed yet", total: "pending" },
  { kind: "wordless", label: "without words", total: "wordless" },
  { kind: "nonspeech", label: "sound without speech", total: "nonspeech" },
  { kind: "silent", label: "silence", total: "silent" },
  { kind: "transcribed", label: "speech", total: "transcribed" },
];

const notable = new Set(["gap", "failed", "pending", "wordless"]);

/** The kind of a span. */
export const kindOf = ({ kind }) => kind;

/** The spans between two times that are shown between rows: failed, pending, without words, not captured. */
export function notableSpans(spans, from, to) {
  return spans.filter((span) => notable.has(kindOf(span)) && span.end > from + 0.05 && span.start < to - 0.05);
}

/** Spans without pending ones. During a recording these change all the time; the timeline shows them. */
export const withoutPending = (spans) => spans.filter(({ kind }) => kind !== "pending");

/** The description of a span. */
export function spanText(span) {
  if (kindOf(span) === "wordless") return span.reason;
  const label = kinds.find(({ kind }) => kind === span.kind)?.label ?? span.kind;
  return span.reason ? `${label}: ${span.reason}` : label;
}

/** The spans that can be shown between rows. Speech and silence are only drawn on the timeline. */
export const withoutOrdinary = (spans) => spans.filter((span) => notable.has(kindOf(span)));

/** The seconds of each kind, with a label. */
export function totals(coverage, spans) {
  const reasons = new Set(spans.filter(({ kind }) => kind === "wordless").map(({ reason }) => reason));
  return kinds.map(({ kind, label, total }) => ({
    kind, label: kind === "wordless" && reasons.size === 1 ? [...reasons][0] : label, seconds: coverage[total],
  }));
}

/** Replaces the spans from the start of the newest ones on. */
export function joined(spans, recent) {
  let kept = spans.length;
  while (kept > 0 && spans[kept - 1].start >= recent.from) kept -= 1;
  const before = spans.slice(0, kept);
  const last = before.at(-1);
  if (last && last.end > recent.from) before[kept - 1] = { ...last, end: recent.from };
  return before.concat(recent.spans);
}

/**
 * The coverage of a running recording, extended beyond the server's last report: what the recognizer has processed since
 * then was silent, or a segment would have come, and the rest is pending.
 */
export function extended(spans, coverage, { transcribed, recorded }) {
  let count = spans.length;
  while (count > 0 && spans[count - 1].kind === "pending") count -= 1;
  const all = spans.slice(0, count);
  const known = all.at(-1)?.end ?? 0;
  const pendingFrom = Math.max(known, Math.min(transcribed, recorded));
  if (pendingFrom > known) all.push({ start: known, end: pendingFrom, kind: "silent" });
  if (recorded > pendingFrom) all.push({ start: pendingFrom, end: recorded, kind: "pending" });
  const silent = coverage.silent + pendingFrom - known;
  const { transcribed: text, wordless, nonspeech, failed, gaps } = coverage;
  const pending = Math.max(0, recorded - text - silent - wordless - nonspeech - failed - gaps);
  return { spans: all, coverage: { ...coverage, silent, pending } };
}
