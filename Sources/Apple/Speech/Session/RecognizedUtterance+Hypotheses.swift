import SpeechServiceProtocol

extension RecognizedUtterance {
  /// What a service heard in an utterance, put on the clock of the whole audio.
  /// - Parameter nonspeech: where there is no speech; nil if that was not judged.
  init(audio: UtteranceAudio, hypotheses: [ServiceHypothesis], nonspeech: [Range<Int>]?) {
    let offset = Double(audio.start) / Double(SpeechSegmenter.sampleRate)
    self.init(
      audio: audio,
      candidates: hypotheses.filter { !$0.words.isEmpty }.map { hypothesis in
        RecognizedCandidate(
          words: RecognizedWord.words(of: hypothesis, offset: offset), confidence: hypothesis.confidence)
      })
    if let nonspeech { self = withoutFalseWords(nonspeech: nonspeech) }
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
