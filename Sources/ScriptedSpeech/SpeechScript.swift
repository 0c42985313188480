import Foundation

/// What a scripted speech service does wrong, and when: by a seed, or utterance by utterance.
///
/// ```swift
/// let script = SpeechScript(faults: [2: [.deathBeforeAnswer, .hang]])
/// let environment = try script.environment(in: folder)
/// ```
///
/// A program with that environment has its speech recognized by `scripted-speech-service`, which hears the
/// words of `SpokenTones` and no others. It never leaves out or adds a word where it says that a result is
/// final.
///
/// Utterances are counted from 0 over everything that the script is used for, however often a service is
/// started again. A utterance that comes again, because its first half second is the same, keeps its number:
/// it is tried again.
public struct SpeechScript: Codable, Sendable, Equatable {
  /// Attempts at an utterance that go wrong at most, unless the script is hopeless.
  public static let maxFaults = 2

  /// What goes wrong with an utterance, attempt by attempt; of those beyond `maxFaults` nothing comes. A list
  /// without faults keeps those away that are drawn.
  public var faults: [Int: [Fault]]
  /// The configurations that are not served, each counted from 0 over everything that the script is used for.
  public var unavailableConfigurations: Set<Int>
  /// Whether the last fault of an utterance comes at every further attempt too.
  public var isHopeless: Bool
  /// What `kinds` are drawn by.
  public var seed: UInt64
  /// How likely an utterance that `faults` does not name has one, 0 to 1.
  public var faultRate: Double
  /// What is drawn of for utterances that `faults` does not name.
  public var kinds: [Kind]

  /// A script that says which utterances go wrong.
  public init(
    faults: [Int: [Fault]] = [:], unavailableConfigurations: Set<Int> = [], isHopeless: Bool = false
  ) {
    self.faults = faults
    self.unavailableConfigurations = unavailableConfigurations
    self.isHopeless = isHopeless
    (seed, faultRate, kinds) = (0, 0, [])
  }

  /// A script that draws what goes wrong; the same for the same values.
  /// - Parameters:
  ///   - faultRate: how likely an utterance has a fault, 0 to 1.
  ///   - kinds: what is drawn of.
  public static func random(
    seed: UInt64, faultRate: Double, kinds: [Kind] = Kind.allCases
  ) -> SpeechScript {
    var script = SpeechScript()
    (script.seed, script.faultRate, script.kinds) = (seed, faultRate, kinds)
    return script
  }

  /// What goes wrong with an attempt at an utterance, both counted from 0; nil if nothing does.
  public func fault(utterance: Int, attempt: Int) -> Fault? {
    let named = faults[utterance] ?? drawnFaults(utterance: utterance)
    let faults = isHopeless ? named[...] : named.prefix(Self.maxFaults)
    return faults.indices.contains(attempt) ? faults[attempt] : isHopeless ? faults.last : nil
  }

  /// Whether a configuration is said to be unavailable, counted from 0.
  public func isUnavailable(configuration: Int) -> Bool {
    if unavailableConfigurations.contains(configuration) { return true }
    // A program asks once, not for every utterance; and asking again has to help.
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
  /// The variable that names the script's file to the service.
  public static let variable = "SCRIPTED_SERVICE"

  /// The service beside the running program, where the package manager puts what it builds.
  public static var service: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("scripted-speech-service")
  }

  /// Writes the script into a folder, and tells with which variables a program, beside those that it has, is
  /// served by it. What the script has come to is kept in the same folder: another folder begins anew.
  ///
  /// - Parameters:
  ///   - folder: is there already, and stays there as long as the program runs.
  ///   - service: the executable.
  /// - Throws: what writing a file throws.
  public func environment(in folder: URL, service: URL = Self.service) throws -> [String: String] {
    let file = folder.appendingPathComponent("script.json")
    try JSONEncoder().encode(self).write(to: file, options: .atomic)
    return ["SPEECH_SERVICE_PATH": service.path, Self.variable: file.path]
  }
}

/// Random numbers that a seed determines (SplitMix64; Steele, Lea and Flood, 2014).
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// - Parameter part: another for each purpose that has a sequence of its own.
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
