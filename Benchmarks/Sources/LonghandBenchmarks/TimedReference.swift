import Foundation
import Longhand

/// What was said in a recording, and when: utterances with their times.
struct TimedReference {
  /// How many words stand where their utterance was spoken.
  struct Check {
    var matches = 0
    var misplacedMatches = 0
    var substitutions = 0
    var misplacedSubstitutions = 0
  }

  /// Seconds by which a word may leave its utterance.
  static let tolerance = 0.3

  /// The words in order.
  var words: [String] = []
  /// For each word, the time of its utterance.
  var times: [ClosedRange<Double>] = []
  /// The time of each utterance, in order.
  var utterances: [ClosedRange<Double>] = []

  /// Reads lines of start, end and text, parted by tabs.
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

  /// How many seconds of a stretch are utterances.
  func seconds(ofSpeechIn stretch: ClosedRange<Double>) -> Double {
    utterances.filter(stretch.overlaps).map { $0.clamped(to: stretch) }
      .reduce(0) { $0 + $1.upperBound - $1.lowerBound }
  }

  /// Aligns words with the reference and looks where each of them was heard.
  func check(_ heard: [Word]) -> Check {
    let flat = heard.flatMap { word in TextNormalizer().words(in: word.text).map { (text: $0, word: word) } }
    var check = Check()
    var place = (reference: 0, heard: 0)
    for operation in WordAlignment(reference: words, hypothesis: flat.map(\.text)).operations {
      if operation == .match || operation == .substitution {
        let (time, word) = (times[place.reference], flat[place.heard].word)
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
      if operation != .insertion { place.reference += 1 }
      if operation != .deletion { place.heard += 1 }
    }
    return check
  }
}
