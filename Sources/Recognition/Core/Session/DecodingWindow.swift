import RecognitionProtocol

/// Utterances that a recognizer decodes together, with short silences between them.
struct DecodingWindow: Sendable, Equatable {
  /// An utterance in the window.
  struct Part: Sendable, Equatable {
    var audio: UtteranceAudio
    /// The ranges of the utterance that hold no speech; nil if this is not known.
    var nonspeech: [Range<Int>]?
    /// Its samples in those of the window; empty if it is not decoded.
    fileprivate(set) var extent = 0..<0

    /// The ranges that hold no speech, from the start of the utterance.
    var localNonspeech: [Range<Int>] {
      (nonspeech ?? []).map { $0.lowerBound - audio.start..<$0.upperBound - audio.start }
    }

    /// The utterance in pieces: long ranges without speech, and what lies between them. A recognizer that gets only the
    /// speech gives no word to the rest.
    func divided() -> [Part] {
      guard let nonspeech else { return [self] }
      let gaps = nonspeech.filter { $0.count >= DecodingWindow.minGap }
      let ends = gaps.flatMap { [$0.lowerBound, $0.upperBound] } + [audio.range.upperBound]
      return zip([audio.start] + ends, ends).filter { $0 < $1 }.map { start, end in
        let samples = audio.samples[start - audio.start..<end - audio.start]
        return Part(
          audio: UtteranceAudio(start: start, samples: Array(samples)),
          nonspeech: nonspeech.map { $0.clamped(to: start..<end) }.filter { !$0.isEmpty })
      }
    }

    /// Samples of speech.
    var speechLength: Int { audio.speechLength(without: nonspeech) }

    /// The utterance, louder if it is quiet speech. Noise that is raised draws words to itself.
    func evened() -> Part {
      guard !isNonspeech, let raised = audio.raised() else { return self }
      var part = self
      part.audio = raised
      return part
    }

    fileprivate var isNonspeech: Bool { nonspeech != nil && speechLength <= 0 }
  }

  /// Samples of silence that stay between two utterances: longer pauses cost time and bring nothing.
  static let maxPause = SpeechSegmenter.sampleRate / 2
  /// Samples of a range without speech that a recognizer does not get, if it is as long as this.
  private static let minGap = SpeechSegmenter.sampleRate

  /// Whether utterances without speech are not decoded, because no word in them would be kept.
  private let omitsNonspeech: Bool
  private(set) var parts: [Part] = []
  /// 16 kHz, mono.
  private(set) var samples: [Int16] = []
  /// The end of the last utterance that is decoded, in the whole audio.
  private var end = 0

  init(_ part: Part, omitsNonspeech: Bool = false) {
    self.omitsNonspeech = omitsNonspeech
    append(part)
  }

  /// The samples of the whole audio from the first utterance to the end of the last.
  var range: Range<Int> { parts[0].audio.start..<parts[parts.count - 1].audio.range.upperBound }

  /// Samples of speech.
  var speechLength: Int { parts.reduce(0) { $0 + $1.speechLength } }

  /// The ranges of the window's samples that hold no speech. Silences between utterances are not among them.
  var nonspeech: [Range<Int>] {
    parts.filter { !$0.extent.isEmpty }.flatMap { part in
      part.localNonspeech.map {
        $0.lowerBound + part.extent.lowerBound..<$0.upperBound + part.extent.lowerBound
      }
    }
  }

  /// The number of samples that the window has with one more utterance.
  func length(with part: Part) -> Int {
    isOmitted(part) ? samples.count : samples.count + pause(before: part) + part.audio.samples.count
  }

  mutating func append(_ part: Part) {
    var part = part
    if !isOmitted(part) {
      samples += [Int16](repeating: 0, count: pause(before: part))
      part.extent = samples.count..<samples.count + part.audio.samples.count
      samples += part.audio.samples
      end = part.audio.range.upperBound
    }
    parts.append(part)
  }

  /// The window's utterances up to one of them, and the rest, as windows of their own.
  /// - Parameter count: the number of utterances in the first; at least 1, and fewer than all.
  func divided(after count: Int) -> [DecodingWindow] {
    [parts.prefix(count), parts.dropFirst(count)].map { parts in
      parts.dropFirst().reduce(into: DecodingWindow(parts[parts.startIndex], omitsNonspeech: omitsNonspeech))
      {
        $0.append($1)
      }
    }
  }

  /// The hypotheses of each utterance, with times in the utterance, out of those of the window. A word belongs to the
  /// utterance in which its middle lies, or to the nearest one. Hypotheses of the same text are one.
  func hypotheses(of whole: [ServiceHypothesis]) -> [[ServiceHypothesis]] {
    guard parts.count > 1 else { return [whole] }
    var found = [[ServiceHypothesis]](repeating: [], count: parts.count)
    for (rank, hypothesis) in whole.enumerated() {
      for (index, words) in words(of: hypothesis).enumerated() {
        var part = ServiceHypothesis(
          words: words, confidence: hypothesis.confidence, source: hypothesis.source)
        part.election = hypothesis.election
        // Where the best hypothesis has no words, another one does not replace it.
        let isPossible = rank == 0 || found[index].first?.words.isEmpty == false && !words.isEmpty
        guard isPossible else { continue }
        guard let same = found[index].firstIndex(where: { $0.text == part.text }) else {
          found[index].append(part)
          continue
        }
        // The texts differ in another utterance.
        if found[index][same].source == .biased, part.source != .outvoted {
          (found[index][same].source, found[index][same].election) = (part.source, part.election)
        } else if found[index][same].source == .elected, part.source == .outvoted {
          (found[index][same].source, found[index][same].election) = (.best, nil)
        }
      }
    }
    return found
  }

  /// The words of each utterance.
  private func words(of hypothesis: ServiceHypothesis) -> [[ServiceHypothesis.Word]] {
    let rate = Double(SpeechSegmenter.sampleRate)
    var words = [[ServiceHypothesis.Word]](repeating: [], count: parts.count)
    var decoded = parts.indices.filter { !parts[$0].extent.isEmpty }[...]
    for word in hypothesis.words {
      let middle = (word.start + word.end) / 2 * rate
      // The words are in order, and so are the utterances.
      while let index = decoded.first, let next = decoded.dropFirst().first,
        middle >= Double(parts[index].extent.upperBound + parts[next].extent.lowerBound) / 2
      { decoded.removeFirst() }
      guard let index = decoded.first else { break }
      let extent = parts[index].extent
      let offset = Double(extent.lowerBound) / rate
      let end = Double(extent.count) / rate
      var moved = word
      moved.start = min(max(word.start - offset, words[index].last?.end ?? 0), end)
      moved.end = min(max(word.end - offset, moved.start), end)
      words[index].append(moved)
    }
    return words
  }

  private func isOmitted(_ part: Part) -> Bool { omitsNonspeech && part.isNonspeech }

  private func pause(before part: Part) -> Int {
    samples.isEmpty ? 0 : min(Self.maxPause, max(0, part.audio.start - end))
  }
}
