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

/** A confidence as a percentage; a dash if the recognizer does not tell it. */
export const percent = (confidence, digits = 0) =>
  confidence === null ? "–" : `${(confidence * 100).toFixed(digits)} %`;

/** The names of a session's states. */
const stateNames = { finishing: "finishing…", erasing: "being deleted" };

/** The name of a session's state, with the part of the work that is done. */
export const stateText = (state, done) =>
  `${stateNames[state] ?? state}${typeof done === "number" && isLive(state) ? ` ${done} %` : ""}`;

/** Whether a program works on a session in this state, so that it changes. */
export const isLive = (state) => ["recording", "paused", "finishing", "importing", "transcribing"].includes(state);

/** Whether a session in this state never changes by itself. */
export const isFinal = (state) => state === "complete" || state === "incomplete";
