/** What can become of a second, in the order of what must be seen first; as the store names it. */
export const kinds = [
  { kind: "gap", label: "not captured", total: "gaps" },
  { kind: "failed", label: "failed", total: "failed" },
  { kind: "pending", label: "waiting for the recognizer", total: "pending" },
  { kind: "silent", label: "silence", total: "silent" },
  { kind: "transcribed", label: "speech", total: "transcribed" },
];

const notable = new Set(["gap", "failed", "pending"]);

/** The stretches between two times that a reader must know of: what failed, waits, or was not captured. */
export function notableSpans(spans, from, to) {
  return spans.filter((span) => notable.has(span.kind) && span.end > from + 0.05 && span.start < to - 0.05);
}

/** Without what waits: while a recording is made that is news of a moment, and stands on the timeline. */
export const withoutPending = (spans) => spans.filter(({ kind }) => kind !== "pending");

/** What became of a stretch, for a reader. */
export function spanText(span) {
  const label = kinds.find(({ kind }) => kind === span.kind)?.label ?? span.kind;
  return span.reason ? `${label}: ${span.reason}` : label;
}

/** The spans among these that stand between rows; the many of speech and silence are only drawn. */
export const withoutOrdinary = (spans) => spans.filter((span) => notable.has(span.kind));

/** Spans with the newest ones, which replace what was known from a time on. */
export function joined(spans, recent) {
  let kept = spans.length;
  while (kept > 0 && spans[kept - 1].start >= recent.from) kept -= 1;
  const before = spans.slice(0, kept);
  const last = before.at(-1);
  if (last && last.end > recent.from) before[kept - 1] = { ...last, end: recent.from };
  return before.concat(recent.spans);
}
