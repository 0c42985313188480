import Foundation

/// The state of a script during a run. It counts utterances and attempts over all service processes of the run, in a
/// file beside the script.
///
/// ```swift
/// let run = ScriptedRun(folder: folder)
/// #expect(try !run.incidents().isEmpty, "no fault happened")
/// ```
public struct ScriptedRun: Sendable {
  /// A fault that happened.
  public struct Incident: Codable, Sendable, Equatable {
    /// The number of the utterance in the run.
    public let utterance: Int
    /// The attempt at the utterance, from 0.
    public let attempt: Int
    /// The fault.
    public let fault: SpeechScript.Fault
  }

  /// One attempt at an utterance.
  public struct Turn: Sendable, Equatable {
    /// The number of the utterance in the run.
    public let utterance: Int
    /// The attempt at the utterance, from 0.
    public let attempt: Int
    /// The fault of the attempt; nil if it succeeds.
    public let fault: SpeechScript.Fault?
  }

  /// The script.
  public let script: SpeechScript
  private let state: URL

  /// Opens the run of the script in a file.
  /// - Throws: an error of Foundation if the file cannot be read.
  public init(script file: URL) throws {
    script = try JSONDecoder().decode(SpeechScript.self, from: Data(contentsOf: file))
    state = file.appendingPathExtension("state")
  }

  /// Opens the run of the script that `SpeechScript.environment(in:)` wrote into a folder.
  /// - Throws: an error of Foundation if the file cannot be read.
  public init(folder: URL) throws { try self.init(script: folder.appendingPathComponent("script.json")) }

  /// The faults so far, in order.
  /// - Throws: `CocoaError` if the file cannot be read.
  public func incidents() throws -> [Incident] { try update { $0.incidents } }

  /// The number of utterances so far, without repetitions.
  /// - Throws: `CocoaError` if the file cannot be read.
  public func utterances() throws -> Int { try update { $0.utterances } }

  /// The number of configurations so far. A service gets one when it begins, and others only where they differ.
  /// - Throws: `CocoaError` if the file cannot be read.
  public func configurations() throws -> Int { try update { $0.configurations } }

  /// Counts a request for a configuration.
  /// - Returns: whether the configuration is unavailable.
  /// - Throws: `CocoaError` if the file cannot be read or written.
  public func configure() throws -> Bool {
    try update { state in
      defer { state.configurations += 1 }
      return script.isUnavailable(configuration: state.configurations)
    }
  }

  /// Counts an attempt at an utterance.
  /// - Parameter samples: the beginning of the utterance, which identifies it when it is repeated.
  /// - Throws: `CocoaError` if the file cannot be read or written.
  public func begin(_ samples: some Sequence<Int16>) throws -> Turn {
    // FNV-1a, because Swift's hashes differ between processes.
    let key = samples.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64(UInt16(bitPattern: $1))) &* 0x100_0000_01b3
    }
    return try update { $0.turn(key: String(key, radix: 16), script: script) }
  }

  private func update<Result>(_ change: (inout ScriptedState) throws -> Result) throws -> Result {
    let lock = open(state.appendingPathExtension("lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw CocoaError(.fileReadUnknown) }
    // Closing the file releases the lock.
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0 { guard errno == EINTR else { throw CocoaError(.fileLocking) } }
    let old = FileManager.default.contents(atPath: state.path)
    var value = try old.map { try JSONDecoder().decode(ScriptedState.self, from: $0) } ?? ScriptedState()
    let result = try change(&value)
    // Atomically, because a service may be killed at any moment.
    let new = try JSONEncoder().encode(value)
    if new != old { try new.write(to: state, options: .atomic) }
    return result
  }
}

/// The state of a run: a pure value.
///
/// A random fault is left out if it would not be transient. Every utterance succeeds in at most three attempts, also when
/// the same audio comes in other utterances, or when a fault affects only the next request.
struct ScriptedState: Codable {
  /// An utterance that has had no successful attempt.
  private struct Open: Codable {
    var utterance: Int
    var attempts = 0
    var faults = 0
    /// The turn of its last attempt.
    var turn = 0
  }

  /// The number of turns after a lingering fault in which an utterance has at most one fault, and no fault lingers.
  private static let lingering = 8

  private(set) var utterances = 0
  private(set) var incidents: [ScriptedRun.Incident] = []
  var configurations = 0
  private var open: [String: Open] = [:]
  /// The number of consecutive faults.
  private var streak = 0
  private var turns = 0
  /// The turn of the last lingering fault.
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
