import Foundation
import Longhand

/// The reference of a recording: utterances with their times.
struct TimedReference {
  /// How many words have a time outside their utterance.
  struct Check {
    var matches = 0
    var misplacedMatches = 0
    var substitutions = 0
    var misplacedSubstitutions = 0
  }

  /// How many seconds a word may extend beyond its utterance.
  static let tolerance = 0.3

  /// All words in order.
  var words: [String] = []
  /// For each word, the time of its utterance.
  var times: [ClosedRange<Double>] = []
  /// The time of each utterance, in order.
  var utterances: [ClosedRange<Double>] = []

  /// Reads lines of start, end and text, separated by tabs.
  init(contentsOf file: URL) throws {
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard columns.count == 3, let start = Double(columns[0]), let end = Double(columns[1]), start <= end
      else { throw Program.Failure(description: "\(file.path): not start, end, text: \(line)") }
      let own = TextNormalizer().words(in: String(columns[2]))
      utterances.append(start...end)
      words += own
      times += Array(repeating: start...end, count: own.count)
    }
  }

  /// How many seconds of a range are utterances.
  func seconds(ofSpeechIn range: ClosedRange<Double>) -> Double {
    utterances.filter(range.overlaps).map { $0.clamped(to: range) }
      .reduce(0) { $0 + $1.upperBound - $1.lowerBound }
  }

  /// Aligns words with the reference and checks their times.
  func check(_ words: [Word]) -> Check {
    let flat = words.flatMap { word in TextNormalizer().words(in: word.text).map { (text: $0, word: word) } }
    var check = Check()
    var index = (reference: 0, hypothesis: 0)
    for operation in WordAlignment(reference: self.words, hypothesis: flat.map(\.text)).operations {
      if operation == .match || operation == .substitution {
        let (time, word) = (times[index.reference], flat[index.hypothesis].word)
        let isMisplaced =
          word.start < time.lowerBound - Self.tolerance || word.end > time.upperBound + Self.tolerance
        switch operation {
        case .match:
          check.matches += 1
          if isMisplaced { check.misplacedMatches += 1 }
        default:
          check.substitutions += 1
          if isMisplaced { check.misplacedSubstitutions += 1 }
        }
      }
      if operation != .insertion { index.reference += 1 }
      if operation != .deletion { index.hypothesis += 1 }
    }
    return check
  }
}
