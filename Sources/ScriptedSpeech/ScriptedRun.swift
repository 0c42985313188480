import Foundation

/// What a script has come to: counts utterances and attempts over all the services of a run, in a file beside
/// the script.
///
/// ```swift
/// let run = ScriptedRun(folder: folder)
/// #expect(try !run.incidents().isEmpty, "nothing went wrong")
/// ```
public struct ScriptedRun: Sendable {
  /// Something that went wrong.
  public struct Incident: Codable, Sendable, Equatable {
    /// The utterance's number in the run.
    public let utterance: Int
    /// Which attempt at the utterance it was, from 0.
    public let attempt: Int
    /// What went wrong.
    public let fault: SpeechScript.Fault
  }

  /// Whose turn it is.
  public struct Turn: Sendable, Equatable {
    /// The utterance's number in the run.
    public let utterance: Int
    /// Which attempt at the utterance it is, from 0.
    public let attempt: Int
    /// What goes wrong; nil if nothing does.
    public let fault: SpeechScript.Fault?
  }

  /// The script.
  public let script: SpeechScript
  private let state: URL

  /// The run of the script in a file.
  /// - Throws: what reading a file throws.
  public init(script file: URL) throws {
    script = try JSONDecoder().decode(SpeechScript.self, from: Data(contentsOf: file))
    state = file.appendingPathExtension("state")
  }

  /// The run of the script that `SpeechScript.environment(in:)` wrote into a folder.
  /// - Throws: what reading a file throws.
  public init(folder: URL) throws { try self.init(script: folder.appendingPathComponent("script.json")) }

  /// What went wrong so far, in order.
  /// - Throws: `CocoaError` if the file cannot be read.
  public func incidents() throws -> [Incident] { try update { $0.incidents } }

  /// How many utterances have come so far, those that came again not counted.
  /// - Throws: `CocoaError` if the file cannot be read.
  public func utterances() throws -> Int { try update { $0.utterances } }

  /// A configuration is asked for.
  /// - Returns: whether it is unavailable.
  /// - Throws: `CocoaError` if the file cannot be read or written.
  public func configure() throws -> Bool {
    try update { state in
      defer { state.configurations += 1 }
      return script.isUnavailable(configuration: state.configurations)
    }
  }

  /// An utterance, or enough of it to know it again, has come.
  /// - Parameter samples: of its beginning, the same when it comes again.
  /// - Throws: `CocoaError` if the file cannot be read or written.
  public func begin(_ samples: some Sequence<Int16>) throws -> Turn {
    // FNV-1a, which is the same in every process.
    let key = samples.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64(UInt16(bitPattern: $1))) &* 0x100_0000_01b3
    }
    return try update { $0.turn(key: String(key, radix: 16), script: script) }
  }

  private func update<Result>(_ change: (inout ScriptedState) throws -> Result) throws -> Result {
    let lock = open(state.appendingPathExtension("lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw CocoaError(.fileReadUnknown) }
    // Which gives the lock back.
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0 { guard errno == EINTR else { throw CocoaError(.fileLocking) } }
    let old = FileManager.default.contents(atPath: state.path)
    var value = try old.map { try JSONDecoder().decode(ScriptedState.self, from: $0) } ?? ScriptedState()
    let result = try change(&value)
    // Whole or not at all: a service may be killed at any moment.
    let new = try JSONEncoder().encode(value)
    if new != old { try new.write(to: state, options: .atomic) }
    return result
  }
}

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

  /// Turns after one whose fault lingers in which utterances have one fault at most, and in which none
  /// lingers again.
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
