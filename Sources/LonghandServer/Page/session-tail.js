import { notableSpans } from "./coverage.js";
import { byId } from "./element.js";
import { isFinal } from "./format.js";
import { betweenRows } from "./segment-row.js";

const waiting = {
  recording: "Recording… The transcript appears here.",
  paused: "Paused. The transcript continues when you resume.",
  disconnected: "The browser that records is disconnected. Its audio comes when it is connected again.",
  finishing: "Transcribing the rest…",
  queued: "Waiting for its turn. The transcript appears here.",
  importing: "Copying the audio. The transcript appears here after that.",
  transcribing: "Transcribing… The transcript appears here.",
};

/** What follows the last row: the text that may still change, and pauses and gaps up to the end. */
export class SessionTail {
  /** @param view the open session. */
  constructor(view) {
    this.view = view;
    this.partial = null;
  }

  showPartial(partial) {
    this.partial = partial.text ? partial : null;
    byId("partial").textContent = partial.text ?? "";
    byId("partial-row").hidden = !this.partial;
    this.show();
    this.view.rows.schedule();
  }

  /** Shows what follows the last row. */
  show() {
    const { segments, session, duration, isLive, player, recorder } = this.view;
    if (!segments) return;
    const isEmpty = segments.count === 0;
    const end = isEmpty ? 0 : segments.get(segments.count - 1)?.end;
    const spans = end === undefined ? [] : notableSpans(this.view.spans, end, duration);
    // During a recording the last pause has not ended. Without segments there is no pause.
    const lines = end === undefined ? [] : betweenRows(end, duration, spans, {
      pauses: !isLive && !isEmpty, play: (time) => player.play(time),
    });
    // Equal lines are kept, so that the user does not lose a button while pressing it.
    const after = byId("after");
    const isSame = lines.length === after.children.length
      && lines.every((line, index) => line.isEqualNode(after.children[index]));
    if (!isSame) after.replaceChildren(...lines);
    byId("nothing").hidden = !isEmpty || this.partial !== null || (!isLive && spans.length > 0);
    byId("nothing").textContent = isLive ? waiting[recorder.stateOf(session)]
      : isFinal(session.state) ? "No speech was recognized." : "Nothing is transcribed yet.";
  }
}
