import Foundation
import Longhand
import Synchronization
import TestSupport

/// The recordings that come with the recognizer.
enum Recordings {
  static let folder =
    (ProcessInfo.processInfo.environment["PREFIX"] ?? "/usr/local") + "/share/pocketsphinx/samples/librivox"

  /// The first is the longest (7.1 s), the second the shortest (3.0 s).
  static let paths = ["0870", "0880", "0890", "0920", "0930"].map {
    "\(folder)/sense_and_sensibility_01_austen_64kb-\($0).wav"
  }
  static var long: String { paths[0] }
  static var short: String { paths[1] }
}

extension Recordings {
  /// What is said in it.
  static func reference(of path: String) throws -> String {
    try String(contentsOfFile: path.dropLast(3) + "txt", encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The share of wrong words in what was understood of it.
  static func errorRate(_ text: String, of path: String) throws -> Double {
    let normalizer = TextNormalizer()
    return WordErrorRate(
      reference: normalizer.words(in: try reference(of: path)), hypothesis: normalizer.words(in: text)
    ).rate
  }

  /// Its samples: mono, 16 bits, 16 kHz, after a header of 44 bytes.
  static func samples(of path: String) throws -> Data {
    Data(try Data(contentsOf: URL(fileURLWithPath: path)).dropFirst(44))
  }

  /// How long it is.
  static func seconds(of path: String) throws -> Double { Double(try samples(of: path).count) / 32000 }

  /// A few short ones, 9 s together; all of them in `make soak`.
  static var sample: [String] { isSoak ? paths : [short, paths[4], short] }

  private static let transcribed = Mutex<[[String]: Task<LonghandProcess.Result, any Error>]>([:])

  /// What `longhand transcribe OPTION… RECORDING` gives, run once for all tests that compare with it.
  static func transcribed(_ path: String, _ options: String...) async throws -> LonghandProcess.Result {
    let arguments = ["transcribe"] + options + [path]
    let key = [TestedRecognizer.current.model] + arguments
    return try await transcribed.withLock { tasks in
      let task = tasks[key] ?? Task { try await LonghandProcess(arguments).result() }
      tasks[key] = task
      return task
    }.value
  }

  /// Two sentences of a reader, and as another voice would say them: played faster, so that it is higher.
  static func reader() throws -> (own: [Int16], other: [Int16]) {
    let own = try [0, 3].flatMap { WaveFile.samples(try samples(of: paths[$0])) }
    let other = (0..<own.count * 4 / 5).map { index in own[min(own.count - 1, index * 5 / 4)] }
    return (own, other)
  }

  /// Writes a recording that is long because it says the same again and again.
  static func repeated(seconds: Int, to path: String) throws {
    let samples = try samples(of: long)
    var repeated = Data()
    while repeated.count < seconds * 32000 { repeated += samples }
    try write(repeated, to: path)
  }

  /// Writes samples as `samples(of:)` gives them; the path.
  @discardableResult static func write(_ samples: Data, to path: String) throws -> String {
    var header = try Data(contentsOf: URL(fileURLWithPath: long)).prefix(44)
    for (offset, number) in [(4, UInt32(samples.count + 36)), (40, UInt32(samples.count))] {
      withUnsafeBytes(of: number.littleEndian) { header.replaceSubrange(offset..<offset + 4, with: $0) }
    }
    try (header + samples).write(to: URL(fileURLWithPath: path))
    return path
  }
}
