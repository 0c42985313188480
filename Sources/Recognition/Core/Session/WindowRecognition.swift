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
      return .recognized(found.written(in: language), .whole(language), heard: heard)
    case .heard(let expected, parts: true)?:
      let heard = try heardInParts(of: window, expecting: expected)
      let found = try utterances(of: window, by: configuration.with(expected)).found
      return .recognized(found.written(in: expected), .whole(expected), heard: heard)
    case .heard(let expected, parts: false)?:
      let whole = window.samples.isEmpty ? [] : try decode(window.samples, .end, detecting(expected))
      var heard = whole.language(speech: window.speechLength)
      heard?.isCompared = true
      let language = heard?.language ?? expected
      let found = try utterances(of: window, by: configuration.with(language), whole).found
      return .recognized(
        found.written(in: language, probability: heard?.probability), .whole(language), heard: heard)
    case .change(let before, let after, let leaning)?:
      let utterances = try window.parts.map { part in
        let heard = try self.heard(part, expecting: before)?.language
        let language = [before, after].first { $0 == heard }
        return (part.speechLength, (language ?? leaning) == after)
      }
      let sides = LanguageTracker.change(in: utterances)
      var (rest, found) = (window, [RecognizedUtterance]())
      while let side = sides.dropFirst(found.count).first {
        let count = sides.dropFirst(found.count).prefix { $0 == side }.count
        let windows = count < rest.parts.count ? rest.divided(after: count) : [rest]
        let language = side ? after : before
        found += try self.utterances(of: windows[0], by: configuration.with(language)).found
          .written(in: language)
        rest = windows[windows.count - 1]
      }
      return .recognized(found, .change(from: before, to: after, leaning: leaning), heard: nil)
    }
  }

  /// The other language that most of a window's utterances sound like, if these have enough speech; else the expected one.
  private func heardInParts(of window: DecodingWindow, expecting expected: String) throws -> HeardLanguage {
    var heard = HeardLanguage(language: expected, probability: 1, speech: 0, isCompared: true)
    let each = try window.parts.compactMap { try self.heard($0, expecting: expected) }
    // Sorted, so that of two languages with as much speech it is always the same.
    for (language, parts) in Dictionary(grouping: each, by: \.language).sorted(by: { $0.key < $1.key })
    where language != expected {
      let speech = parts.reduce(0) { $0 + $1.speech }
      guard speech >= max(heard.speech, LanguageTracker.minSpeech.window) else { continue }
      let weight = parts.reduce(0) { $0 + $1.probability * Double($1.speech) }
      heard = .init(
        language: language, probability: weight / Double(speech), speech: speech, isCompared: true)
    }
    return heard
  }

  /// The configuration in which the texts of languages are compared.
  private func detecting(_ expected: String) -> ServiceConfiguration {
    var detecting = configuration.with(expected)
    detecting.detectsLanguage = true
    return detecting
  }

  /// What an utterance sounds like by itself, if texts are compared; nil if it is too short, or not clear.
  private func heard(_ part: DecodingWindow.Part, expecting language: String) throws -> HeardLanguage? {
    guard part.speechLength >= LanguageTracker.minSpeech.utterance else { return nil }
    let heard = try decode(part.audio.samples, .end, detecting(language)).language(speech: part.speechLength)
    return heard.flatMap { $0.probability >= LanguageTracker.minProbability.utterance ? $0 : nil }
  }

  /// The utterances of a window in the configuration's language, and the language that the window sounds like.
  /// - Parameter whole: the window's hypotheses, if they are known.
  private func utterances(
    of window: DecodingWindow, by configuration: ServiceConfiguration, _ whole: [ServiceHypothesis]? = nil
  ) throws -> (found: [RecognizedUtterance], heard: HeardLanguage?) {
    let hypotheses =
      window.samples.isEmpty
      ? [] : try timed(window.samples, nonspeech: window.nonspeech, by: configuration, whole)
    let heard = hypotheses.language(speech: window.speechLength)
    let other = heard.flatMap { $0.isOther(than: configuration.locale) ? $0.language : nil }
    let found = try zip(window.parts, window.hypotheses(of: hypotheses)).map { part, hypotheses in
      var utterance = part.utterance(hypotheses, of: configuration)
      // What a recognizer leaves out of a window, it often finds in the utterance alone.
      if window.parts.count > 1, utterance.isWithoutWords {
        utterance = try alone(part, by: configuration).keeping(rejectedOf: utterance)
      }
      return utterance
    }
    return (
      try repeated(found, in: window, by: configuration).map { found in
        var utterance = found.completed(of: configuration) { try decode($0.samples, $1, $2) }
        utterance.otherLanguage = utterance.hasSpeech ? other : nil
        return utterance
      }, heard
    )
  }

  /// An utterance that is decoded by itself.
  private func alone(
    _ part: DecodingWindow.Part, by configuration: ServiceConfiguration
  ) throws -> RecognizedUtterance {
    part.utterance(
      try timed(part.audio.samples, nonspeech: part.localNonspeech, by: configuration), of: configuration)
  }

  /// The utterances of a window, with what is said in it several times. Whisper often writes that once, in the first utterance
  /// or spread over all, mostly outside English. So what has little text for its speech is decoded by itself; that counts if
  /// another utterance says nearly the same.
  private func repeated(
    _ found: [RecognizedUtterance], in window: DecodingWindow, by configuration: ServiceConfiguration
  ) throws -> [RecognizedUtterance] {
    guard window.parts.count > 1, found.contains(where: { !$0.candidates.isEmpty }) else { return found }
    var heard = found
    let thin = found.indices.filter { found[$0].hasLittleText }
    for index in thin {
      heard[index] = try alone(window.parts[index], by: configuration).keeping(rejectedOf: found[index])
    }
    var result = found
    for index in thin
    where heard[index].letters.count >= found[index].letters.count
      && heard.indices.contains(where: { $0 != index && heard[$0].saysAlmost(heard[index]) })
    {
      result[index] = heard[index]
    }
    return result
  }

  /// The hypotheses with better times, by which the words of a window belong to its utterances.
  private func timed(
    _ samples: [Int16], nonspeech: [Range<Int>], by configuration: ServiceConfiguration,
    _ known: [ServiceHypothesis]? = nil
  ) throws -> [ServiceHypothesis] {
    configuration.timed(try known ?? decode(samples, .end, configuration), nonspeech: nonspeech) {
      try decode(samples, .align($0), $1)
    }
  }
}

extension RecognizedUtterance {
  /// The utterance, which was decoded again, with what was removed before, except where it has words now.
  fileprivate func keeping(rejectedOf former: RecognizedUtterance) -> RecognizedUtterance {
    let words = (candidates.first?.words ?? []) + rejected
    var result = self
    result.rejected += former.rejected.filter { word in
      !words.contains { $0.start < word.end && word.start < $0.end }
    }
    result.rejected.sort { $0.start < $1.start }
    return result
  }
}

extension [RecognizedUtterance] {
  /// The utterances, which say in which language (BCP 47) they are.
  fileprivate func written(in language: String, probability: Double? = nil) -> [RecognizedUtterance] {
    map { utterance in
      var utterance = utterance
      (utterance.language, utterance.languageProbability) = (language, probability)
      return utterance
    }
  }
}

extension HeardLanguage {
  /// Languages that a recognizer can hardly tell apart by their sound.
  private static let alike: [Set<String>] = [
    ["hr", "sr", "bs"], ["no", "nn"], ["id", "ms"], ["hi", "ur"], ["zh", "yue"],
  ]

  /// Whether speech clearly sounds like another language than the one (BCP 47) in which it is written.
  fileprivate func isOther(than language: String) -> Bool {
    let codes = [self.language, language].map(ModelLanguage.code(of:))
    return probability >= LanguageTracker.minProbability.window
      && speech >= LanguageTracker.minSpeech.utterance && codes[0] != codes[1]
      && !Self.alike.contains { $0.isSuperset(of: codes) }
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
