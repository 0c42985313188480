import Longhand

/// Whether a transcript of much silence has lost anything, or has it twice.
struct SilenceCheck {
  var reference: TimedReference
  var transcript: LonghandProgram.Transcript

  /// Utterances with a word in them.
  var answeredUtterances: Int {
    let middles = words.map { ($0.start + $0.end) / 2 }
    return reference.utterances.count { middles.contains(where: $0.contains) }
  }

  /// Words that touch no utterance.
  var wordsInSilence: Int {
    words.count { word in
      !reference.utterances.contains {
        word.start <= $0.upperBound + TimedReference.tolerance
          && word.end >= $0.lowerBound - TimedReference.tolerance
      }
    }
  }

  /// Segments that begin before the one before them has ended: out of order, or of the same audio.
  var overlappingSegments: Int { pairs.count { $1.start < $0.end } }

  /// Segments that say what the one before them said: of one word they may be right.
  var repeatedSegments: Int { pairs.count { $0.words.count > 1 && $0.text == $1.text } }

  /// The errors by alignment.
  var errors: WordErrorRate {
    WordErrorRate(reference: reference.words, hypothesis: transcript.normalizedWords)
  }

  private var words: [Word] { transcript.segments.flatMap(\.words) }

  private var pairs: some Sequence<(LonghandProgram.Transcript.Segment, LonghandProgram.Transcript.Segment)> {
    zip(transcript.segments, transcript.segments.dropFirst())
  }
}
