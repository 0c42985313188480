import RecognitionProtocol

/// Recognizes the utterances of windows. What it finds depends on the audio and the language alone.
struct WindowRecognition {
  /// Asks a service about audio: 16 kHz, mono.
  typealias Decode = ([Int16], ServiceRequest, ServiceConfiguration) throws -> [ServiceHypothesis]

  private let configuration: ServiceConfiguration
  private let decode: Decode

  /// - Parameters:
  ///   - configuration: how windows are decoded.
  ///   - decode: asks a service.
  init(_ configuration: ServiceConfiguration, _ decode: @escaping Decode) {
    (self.configuration, self.decode) = (configuration, decode)
  }

  /// - Parameter languages: in what the window is recognized; nil for the language of the configuration.
  func outcome(
    of window: DecodingWindow, in languages: LanguageTracker.Decision?
  ) throws -> UtteranceJob.Status {
    switch languages {
    case nil:
      return .recognized(
        try utterances(of: window, by: configuration).found, .whole(configuration.locale), heard: nil)
    case .whole(let language)?:
      let (found, heard) = try utterances(of: window, by: configuration.with(language))
      return .recognized(found, .whole(language), heard: heard)
    case .change(let before, let after, let leaning)?:
      let utterances = try window.parts.map { part in
        let heard = try decode(part.audio.samples, .end, configuration).language(
          speech: part.speechLength, minSpeech: LanguageTracker.minSpeech.utterance,
          minProbability: LanguageTracker.minProbability.utterance)
        return (part.speechLength, ([before, after].first { $0 == heard } ?? leaning) == after)
      }
      let count = LanguageTracker.change(in: utterances)
      let isDivided = (1..<window.parts.count).contains(count)
      let windows = isDivided ? window.divided(after: count) : [window]
      let each = isDivided ? [before, after] : [count > 0 ? before : after]
      let found = try zip(windows, each).flatMap { window, language in
        try self.utterances(of: window, by: configuration.with(language)).found
      }
      return .recognized(found, .change(from: before, to: after, leaning: leaning), heard: nil)
    }
  }

  /// The utterances of a window in the configuration's language, and the language that the window sounds like; nil if that is
  /// not clear.
  private func utterances(
    of window: DecodingWindow, by configuration: ServiceConfiguration
  ) throws -> (found: [RecognizedUtterance], heard: String?) {
    let hypotheses =
      window.samples.isEmpty
      ? [] : try timed(window.samples, nonspeech: window.nonspeech, by: configuration)
    let found = try zip(window.parts, window.hypotheses(of: hypotheses)).map { part, hypotheses in
      var utterance = part.utterance(hypotheses, of: configuration)
      // What a recognizer leaves out of a window, it often finds in the utterance alone.
      if window.parts.count > 1, utterance.isWithoutWords {
        utterance = part.utterance(
          try timed(part.audio.samples, nonspeech: part.localNonspeech, by: configuration),
          of: configuration)
      }
      utterance = utterance.completed(of: configuration) { try decode($0.samples, $1, $2) }
      if configuration.reportsLanguage { utterance.language = configuration.locale }
      return utterance
    }
    let heard = hypotheses.language(
      speech: window.parts.reduce(0) { $0 + $1.speechLength }, minSpeech: LanguageTracker.minSpeech.window,
      minProbability: LanguageTracker.minProbability.window)
    return (found, heard)
  }

  /// The hypotheses with better times, by which the words of a window belong to its utterances.
  private func timed(
    _ samples: [Int16], nonspeech: [Range<Int>], by configuration: ServiceConfiguration
  ) throws -> [ServiceHypothesis] {
    configuration.timed(try decode(samples, .end, configuration), nonspeech: nonspeech) {
      try decode(samples, .align($0), $1)
    }
  }
}

extension ServiceConfiguration {
  /// The same configuration in another language (BCP 47).
  fileprivate func with(_ language: String) -> ServiceConfiguration {
    var configuration = self
    configuration.locale = language
    return configuration
  }
}

extension DecodingWindow.Part {
  fileprivate func utterance(
    _ hypotheses: [ServiceHypothesis], of configuration: ServiceConfiguration
  ) -> RecognizedUtterance {
    RecognizedUtterance(
      audio: audio, hypotheses: hypotheses, nonspeech: nonspeech, of: configuration.model.recognizer.words)
  }
}
