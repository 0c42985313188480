import { joinedText } from "./segment-row.js";

const words = (text) => text.split(/\s+/).filter(Boolean);

/** For each of the first words, the index of the same word in the others, by their longest common subsequence; else -1. */
function matches(own, other) {
  const lengths = Array.from({ length: own.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let i = own.length - 1; i >= 0; i -= 1) {
    for (let j = other.length - 1; j >= 0; j -= 1) {
      lengths[i][j] = own[i] === other[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const found = own.map(() => -1);
  for (let i = 0, j = 0; i < own.length && j < other.length;) {
    if (own[i] === other[j]) found[i++] = j++;
    else if (lengths[i + 1][j] >= lengths[i][j + 1]) i += 1;
    else j += 1;
  }
  return found;
}

/**
 * What the recognizer offers in the place of some words of a segment: its alternatives of the word, or what the alternatives of
 * the whole segment have between the same neighbours.
 */
export function wordAlternatives(segment, first, end) {
  const own = segment.words.map(({ text }) => text.toLowerCase());
  const current = joinedText(segment.words.slice(first, end).map(({ text }) => text));
  const found = new Map();
  const add = (text, confidence) => {
    const key = text.toLowerCase();
    if (text === "" || key === current.toLowerCase()) return;
    if (!found.has(key) || (confidence ?? 0) > (found.get(key).confidence ?? 0)) found.set(key, { text, confidence });
  };
  if (end - first === 1) for (const { text, confidence } of segment.words[first].alternatives ?? []) add(text, confidence);
  for (const { text, confidence, source } of segment.alternatives) {
    if (source === "person") continue;
    const other = words(text);
    const found = matches(own, other.map((word) => word.toLowerCase()));
    const left = first === 0 ? -1 : found[first - 1];
    const right = end === own.length ? other.length : found[end];
    // Without both neighbours the position of the words is unknown.
    if ((first > 0 && left < 0) || right < 0 || right <= left) continue;
    add(joinedText(other.slice(left + 1, right)), confidence);
  }
  return [...found.values()].slice(0, 6);
}
