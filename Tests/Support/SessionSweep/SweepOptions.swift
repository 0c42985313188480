import Foundation
import Longhand

/// The options of the command line.
struct SweepOptions: Sendable {
  /// A wrong use of the command line.
  struct Misuse: Error, CustomStringConvertible {
    let description: String
  }

  static let usage = """
    usage: SessionSweep analyzer|rolling|automatic [--first SEED] [--count N] [--jobs N] [--length SECONDS] [--fault FAULT]
                        [--model NAME] [--deadline SECONDS]

    Prints one line of JSON a seed; ends with 1 if anything is wrong with one.
      --jobs      seeds that run at a time
      --length    seconds of speech and long silence, three quarters of it silent, of a recording that is interrupted every
                  few minutes
      --fault     a defect that must be found: \(SweepFault.allCases.map(\.rawValue).joined(separator: ", "))
      --model     an installed model, whose recognizer is played
      --deadline  seconds after which a seed counts as one that does not end
      --in        a folder: runs the seed of --first in this process, served as the environment says
    """

  var engine = EngineSelection.analyzer
  var first: UInt64 = 1
  var count: UInt64 = 1
  var jobs = 4
  var fault: SweepFault?
  /// The model whose recognizer is played: what its client knows of it holds, without its weights.
  var model: String?
  /// The length of a long talk, in seconds; nil for a short talk with many faults.
  var length: TimeInterval?
  var deadline: TimeInterval = 180
  /// The folder of the only seed of this process; nil if each seed gets its own process.
  var folder: URL?

  /// - Throws: `Misuse`.
  init(_ arguments: some Sequence<String>) throws {
    var rest = Array(arguments)
    guard let name = rest.first, let engine = EngineSelection(rawValue: name),
      engine != .automatic || rest.contains("--length")
    else {
      throw Misuse(description: Self.usage)
    }
    self.engine = engine
    rest.removeFirst()
    while let option = rest.first {
      guard rest.count > 1, take(rest[1], for: option) else { throw Misuse(description: Self.usage) }
      rest.removeFirst(2)
    }
  }

  private mutating func take(_ value: String, for option: String) -> Bool {
    func set<Value>(_ path: WritableKeyPath<Self, Value>, _ value: Value?) -> Bool {
      guard let value else { return false }
      self[keyPath: path] = value
      return true
    }
    switch option {
    case "--first": return set(\.first, UInt64(value))
    case "--count": return set(\.count, UInt64(value))
    case "--jobs": return set(\.jobs, Int(value).map { max(1, $0) })
    case "--fault": return set(\.fault, SweepFault(rawValue: value).map(Optional.some))
    case "--model": return set(\.model, value)
    case "--length": return set(\.length, TimeInterval(value).map(Optional.some))
    case "--deadline": return set(\.deadline, TimeInterval(value))
    case "--in": return set(\.folder, URL(fileURLWithPath: value))
    default: return false
    }
  }

  /// The arguments that run one seed alone.
  func arguments(seed: UInt64) -> [String] {
    var arguments = [engine.rawValue, "--first", "\(seed)"]
    if let fault { arguments += ["--fault", fault.rawValue] }
    if let model { arguments += ["--model", model] }
    if let length { arguments += ["--length", "\(length)"] }
    if deadline != 180 { arguments += ["--deadline", "\(deadline)"] }
    return arguments
  }
}
