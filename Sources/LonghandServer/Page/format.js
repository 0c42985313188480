const two = (number) => String(number).padStart(2, "0");

/** Seconds as a clock shows them: 0:07, 12:30, 1:02:10. */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(whole % 60)}`
    : `${minutes}:${two(whole % 60)}`;
}

/** Seconds in words: 1 hour 2 minutes, 3 minutes 4 seconds. */
export function spoken(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [
    [Math.floor(whole / 3600), "hour"],
    [Math.floor(whole / 60) % 60, "minute"],
    [whole % 60, "second"],
  ].filter(([number]) => number > 0);
  if (parts.length === 0) return "0 seconds";
  return parts.map(([number, unit]) => `${number} ${unit}${number === 1 ? "" : "s"}`).join(" ");
}

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

const exactDates = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** A date in the user's time zone; to the second if `isExact`. */
export const date = (text, isExact = false) => (isExact ? exactDates : dates).format(new Date(text));

/** A confidence as a percentage; a dash if the recognizer reports none. */
export const percent = (confidence, digits = 0) =>
  confidence === null ? "–" : `${(confidence * 100).toFixed(digits)} %`;

/** The names of a session's states. */
const stateNames = { finishing: "finishing…", erasing: "being deleted", importing: "copying" };

/** The name of a session's state, with the part of the work that is done. */
export const stateText = (state, done) =>
  `${stateNames[state] ?? state}${typeof done === "number" && isLive(state) ? ` ${done} %` : ""}`;

const workNames = { transcription: "transcribing again", speakers: "separating speakers", translation: "translating" };

/** Whether something is done again with a session, or is going to be. */
export const isWorking = (work) => work?.state === "queued" || work?.state === "running";

/** What is done again with a complete session; null for nothing. */
export const workText = (work) => (isWorking(work)
  ? `${workNames[work.kind]}${work.percent === null ? "…" : ` ${work.percent} %`}` : null);

/** Whether a program works on a session in this state, so that it changes. */
export const isLive = (state) =>
  ["recording", "paused", "disconnected", "finishing", "queued", "importing", "transcribing"].includes(state);

/** Whether something is done with a session, or waits to be done, that can be stopped. */
export const canStop = ({ state, work }) => isLive(state) || isWorking(work);

/** Whether a session in this state never changes by itself. */
export const isFinal = (state) => state === "complete" || state === "incomplete";

/** The name of a session: the one that a person gave it, else that of its source, without the extension of a file. */
export const nameOf = ({ name, source }) => name ?? source.replace(/(.)\.[^.\s/]+$/, "$1");

const today = () => new Date().setHours(0, 0, 0, 0);
const weekdays = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });
const days = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long", year: "numeric" });
const times = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const exactTimes = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

/** The name of a day: Today, Yesterday, Monday 2 March, or 2 March 2024. */
export function day(text) {
  const date = new Date(text);
  const ago = Math.round((today() - new Date(date).setHours(0, 0, 0, 0)) / 86_400_000);
  if (ago === 0) return "Today";
  if (ago === 1) return "Yesterday";
  return (date.getFullYear() === new Date().getFullYear() ? weekdays : days).format(date);
}

/** The time of the day; to the second if `isExact`. */
export const timeOfDay = (text, isExact = false) => (isExact ? exactTimes : times).format(new Date(text));

/** A time that is left, roughly: about 3 min, less than a minute. */
export function left(seconds) {
  if (seconds < 50) return "less than a minute left";
  const minutes = Math.max(1, Math.round(seconds / 60));
  return minutes < 90 ? `about ${minutes} min left` : `about ${Math.round(minutes / 60)} h left`;
}

const starts = new Map();

/**
 * The seconds that are left of work of which a part is done, from what this page has seen of it; null until it has seen enough.
 */
export function secondsLeft(id, state, percent) {
  const now = Date.now();
  const start = starts.get(id);
  if (typeof percent !== "number" || !start || start.state !== state || percent < start.percent) {
    if (typeof percent === "number") starts.set(id, { state, percent, now });
    return null;
  }
  const [done, time] = [percent - start.percent, (now - start.now) / 1000];
  return done >= 3 && time >= 2 ? (time / done) * (100 - percent) : null;
}
