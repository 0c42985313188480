import RecognitionProtocol

/// Writes in English what is said in another language: a text of the model, not the words that were said.
package struct SpeechTranslation: Sendable {
  private let configuration: ServiceConfiguration
  private let pool: SpeechServicePool

  /// - Parameter model: one that `translates`.
  package init(_ model: SpeechModel, pool: SpeechServicePool = .shared) {
    var configuration = ServiceConfiguration(model: model.reference, alternatives: 1)
    configuration.translates = true
    (self.configuration, self.pool) = (configuration, pool)
  }

  /// Translates a part of a recording. It waits for a service, so that no thread of Swift's concurrency may call it.
  /// - Parameters:
  ///   - samples: 16 kHz, mono, at most `RecognitionLimits.maxSeconds`.
  ///   - language: the language in which it is said (BCP 47).
  /// - Returns: nothing where the model hears no words.
  /// - Throws: `SpeechServiceFailure`.
  package func text(
    of samples: [Int16], in language: String, isCancelled: () -> Bool
  ) throws -> String {
    var configuration = configuration
    configuration.locale = language
    var failure = SpeechServiceFailure.cancelled
    for _ in 0..<SpeechServicePool.attempts {
      do {
        try pool.checkSilence()
        return try pool.withService(configuration, isCancelled: isCancelled) { service in
          try service.decode(samples, utterance: 0).first?.words.map(\.text).joined(separator: " ") ?? ""
        }
      } catch SpeechServiceFailure.interrupted(let cause) {
        failure = .interrupted(cause)
        if isCancelled() { break }
      }
    }
    throw failure
  }
}
