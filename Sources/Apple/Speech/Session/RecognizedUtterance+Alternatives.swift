import Foundation

extension RecognizedUtterance {
  /// Where the utterance ends, in seconds.
  var end: TimeInterval { Double(audio.range.upperBound) / Double(SpeechSegmenter.sampleRate) }

  /// What other candidates have in the place of a word of the candidate at `index`: words whose middle lies
  /// within it, the likeliest candidate's first, without repetitions.
  func alternatives(toWord place: Int, ofCandidate index: Int) -> [String] {
    let word = candidates[index].words[place]
    var found: [String] = []
    for (other, candidate) in candidates.enumerated() where other != index {
      let text = candidate.words
        .filter { (word.start..<word.end).contains(($0.start + $0.end) / 2) }
        .map(\.text).joined(separator: " ")
      if !text.isEmpty, text != word.text, !found.contains(text) { found.append(text) }
    }
    return found
  }
}
