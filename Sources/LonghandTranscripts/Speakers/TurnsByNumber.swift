/// Who speaks when in the mix of a recording, for each number of voices that it may have: so the number can be corrected without
/// hearing the voices again. Nothing in it says what a voice sounds like.
package struct TurnsByNumber: Sendable, Hashable {
  /// What separated the voices, see `Speaker.engine`.
  package var engine: String
  /// The turns by the number of voices, in the order of time; the speakers are any names.
  package var turns: [Int: [SpeakerTurn]]

  package init(engine: String, turns: [Int: [SpeakerTurn]]) {
    self.engine = engine
    self.turns = turns
  }
}
