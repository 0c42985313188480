import SpeechServiceProtocol

extension RecognizedPiece {
  /// What a service heard in a piece, put on the clock of the whole audio.
  init(audio: AudioPiece, hypotheses: [ServiceHypothesis]) {
    let offset = Double(audio.start) / Double(SpeechSegmenter.sampleRate)
    self.init(
      audio: audio,
      candidates: hypotheses.filter { !$0.words.isEmpty }.map { hypothesis in
        RecognizedCandidate(
          words: RecognizedWord.words(of: hypothesis, offset: offset), confidence: hypothesis.confidence)
      })
  }
}

extension RecognizedWord {
  /// A service's words, `offset` seconds later.
  static func words(of hypothesis: ServiceHypothesis, offset: Double) -> [RecognizedWord] {
    hypothesis.words.map { word in
      RecognizedWord(
        text: word.text, start: offset + word.start, end: offset + word.end, confidence: word.confidence)
    }
  }
}
