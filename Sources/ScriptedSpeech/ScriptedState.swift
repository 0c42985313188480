/// How far a run of a script has come: a pure value.
///
/// Faults that are drawn are left out where they would not be transient: whatever is tried three times
/// succeeds, also when the same audio comes in other utterances or when what went wrong before is met only by
/// whoever asks next.
struct ScriptedState: Codable {
  /// An utterance that has come and was not answered without a fault.
  private struct Open: Codable {
    var utterance: Int
    var attempts = 0
    var faults = 0
    /// When it came last.
    var turn = 0
  }

  /// Turns after one whose fault lingers in which utterances have one fault at most, and in which none lingers
  /// again.
  private static let lingering = 8

  private(set) var utterances = 0
  private(set) var incidents: [ScriptedRun.Incident] = []
  var configurations = 0
  private var open: [String: Open] = [:]
  /// Faults in a row.
  private var streak = 0
  private var turns = 0
  /// When a fault was dealt that lingers.
  private var lastLingering: Int?

  init() {}

  mutating func turn(key: String, script: SpeechScript) -> ScriptedRun.Turn {
    let known = open[key]
    var current = known ?? Open(utterance: utterances)
    if known == nil { utterances += 1 }
    let attempt = current.attempts
    var fault = script.fault(utterance: current.utterance, attempt: attempt)
    if let drawn = fault, script.faults[current.utterance] == nil, !script.isHopeless {
      fault = isTransient(drawn, at: current) ? drawn : nil
    }
    turns += 1
    current.turn = turns
    current.attempts += 1
    if fault?.isLingering == true { lastLingering = turns }
    if let fault {
      streak += 1
      current.faults += 1
      open[key] = current
      incidents.append(.init(utterance: current.utterance, attempt: attempt, fault: fault))
    } else {
      streak = 0
      open[key] = nil
    }
    return .init(utterance: current.utterance, attempt: attempt, fault: fault)
  }

  private func isTransient(_ fault: SpeechScript.Fault, at utterance: Open) -> Bool {
    guard streak < SpeechScript.maxFaults else { return false }
    let isNear = lastLingering.map(isRecent) ?? false
    if utterance.faults > 0 { return !isNear && !fault.isLingering }
    return !fault.isLingering || !isNear && !open.values.contains { isRecent($0.turn) }
  }

  private func isRecent(_ turn: Int) -> Bool { turns - turn < Self.lingering }
}
