import Foundation
import LonghandTranscripts

/// The binary form of candidates in the store. It keeps every number and every text to the bit.
///
/// Candidates of a segment share most words. Each different word, text and confidence is therefore written once, and a
/// word that follows the same word as before takes one byte; times are whole milliseconds where that is exact. For
/// PocketSphinx this is less than a quarter of a form that writes all of them.
enum CandidateCoding {
  /// The first byte, which identifies this form.
  static let mark: UInt8 = 1

  static func data(_ candidates: [Candidate]) -> Data {
    var writer = CandidateWriter()
    writer.write(candidates)
    return Data(writer.bytes)
  }

  /// The candidates in `data`; nil if they are not in this form.
  static func candidates(_ data: Data) -> [Candidate]? {
    data.withUnsafeBytes { bytes in
      guard bytes.first == mark else { return nil }
      var reader = CandidateReader(bytes.dropFirst())
      return reader.candidates()
    }
  }

  /// The number before a candidate.
  struct Flags: OptionSet {
    let rawValue: UInt8
    /// The text is that of the words with spaces between them.
    static let isJoined = Flags(rawValue: 1)
    static let hasSource = Flags(rawValue: 2)
    static let hasLanguage = Flags(rawValue: 4)
  }

  /// What is added to the number of a word's voice for each `WordMarks.code`: greater than any such number.
  static let marksStep = 512

  /// Milliseconds from the start of the audio; nil if that is not exact.
  static func milliseconds(_ seconds: Double) -> Int? {
    guard seconds.isFinite, abs(seconds) <= 1e10 else { return nil }
    let count = (seconds * 1000).rounded()
    return (count / 1000).bitPattern == seconds.bitPattern ? Int(count) : nil
  }

  /// Words with spaces between them.
  static func joined(_ words: [Word]) -> String { words.map(\.text).joined(separator: " ") }
}
