import Foundation

/// The faults of a scripted speech service: random ones from a seed, or given ones for each utterance.
///
/// ```swift
/// let script = SpeechScript(faults: [2: [.deathBeforeAnswer, .hang]])
/// let environment = try script.environment(in: folder)
/// ```
///
/// A program with this environment uses `scripted-speech-service`, which recognizes the words of `SpokenTones` and no
/// others. Its final results have no wrong, missing or extra words.
///
/// Utterances are counted from 0 over the whole run, also when the service is started again. An utterance with the same
/// first half second as an earlier one keeps its number and counts as another attempt.
public struct SpeechScript: Codable, Sendable, Equatable {
  /// The largest number of failed attempts at an utterance, unless the script is hopeless.
  public static let maxFaults = 2

  /// The faults of an utterance, one for each attempt. Faults beyond `maxFaults` are ignored. An empty list prevents
  /// random faults.
  public var faults: [Int: [Fault]]
  /// The numbers of the configurations that are unavailable, counted from 0 over the whole run.
  public var unavailableConfigurations: Set<Int>
  /// Whether the last fault of an utterance is repeated at every further attempt.
  public var isHopeless: Bool
  /// The seed of the random faults.
  public var seed: UInt64
  /// The probability, from 0 to 1, of a random fault for an utterance that is not in `faults`.
  public var faultRate: Double
  /// The kinds of the random faults.
  public var kinds: [Kind]
  /// What is recognized in place of the words of an utterance, the likeliest text first. A key is the words, separated by
  /// spaces; utterances of other words are those words.
  public var texts: [String: [String]] = [:]

  /// Creates a script with given faults.
  public init(
    faults: [Int: [Fault]] = [:], unavailableConfigurations: Set<Int> = [], isHopeless: Bool = false
  ) {
    self.faults = faults
    self.unavailableConfigurations = unavailableConfigurations
    self.isHopeless = isHopeless
    (seed, faultRate, kinds) = (0, 0, [])
  }

  /// Creates a script with random faults. Equal arguments give equal faults.
  /// - Parameters:
  ///   - seed: the seed of the random faults.
  ///   - faultRate: the probability that an utterance has a fault, from 0 to 1.
  ///   - kinds: the kinds of the faults.
  public static func random(
    seed: UInt64, faultRate: Double, kinds: [Kind] = Kind.allCases
  ) -> SpeechScript {
    var script = SpeechScript()
    (script.seed, script.faultRate, script.kinds) = (seed, faultRate, kinds)
    return script
  }

  /// The fault of an attempt at an utterance, both counted from 0; nil if it succeeds.
  public func fault(utterance: Int, attempt: Int) -> Fault? {
    let named = faults[utterance] ?? drawnFaults(utterance: utterance)
    let faults = isHopeless ? named[...] : named.prefix(Self.maxFaults)
    return faults.indices.contains(attempt) ? faults[attempt] : isHopeless ? faults.last : nil
  }

  /// Whether a configuration, counted from 0, is unavailable.
  public func isUnavailable(configuration: Int) -> Bool {
    if unavailableConfigurations.contains(configuration) { return true }
    // A program asks once, not for every utterance; the second request must succeed.
    guard kinds.contains(.unavailable), configuration.isMultiple(of: 2) else { return false }
    var generator = SeededGenerator(seed: seed, part: UInt64(configuration) << 32 | 1)
    return Double.random(in: 0..<1, using: &generator) < faultRate / 4
  }

  private func drawnFaults(utterance: Int) -> [Fault] {
    let kinds = kinds.filter { $0 != .unavailable }
    var generator = SeededGenerator(seed: seed, part: UInt64(utterance) << 32)
    guard Double.random(in: 0..<1, using: &generator) < faultRate else { return [] }
    let count = Int.random(in: 0..<3, using: &generator) == 0 ? 2 : 1
    return (0..<count).compactMap { _ in
      kinds.randomElement(using: &generator).flatMap { Fault.random($0, using: &generator) }
    }
  }
}

extension SpeechScript {
  /// The environment variable with the path of the script's file.
  public static let variable = "SPEECH_SCRIPT"

  /// The service in the folder of the running program, where the package manager puts its products.
  public static var service: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("scripted-speech-service")
  }

  /// Writes the script into a folder, and returns the environment variables with which a program uses it. The state of
  /// the run is kept in the same folder; a new folder starts a new run.
  ///
  /// - Parameters:
  ///   - folder: must exist, and must not be removed while the program runs.
  ///   - service: the executable of the scripted service.
  /// - Throws: an error of Foundation if the file cannot be written.
  public func environment(in folder: URL, service: URL = Self.service) throws -> [String: String] {
    let file = folder.appendingPathComponent("script.json")
    try JSONEncoder().encode(self).write(to: file, options: .atomic)
    // The service takes PocketSphinx's place: no other model may recognize instead.
    return [
      "SPEECH_SERVICE_PATH": service.path, "SPEECH_MODEL": "pocketsphinx", Self.variable: file.path,
    ]
  }
}

/// Random numbers that a seed determines (SplitMix64; Steele, Lea and Flood, 2014).
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// - Parameter part: selects one of several independent sequences of the same seed.
  package init(seed: UInt64, part: UInt64) {
    self.init(seed: seed)
    state = next() ^ part
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
