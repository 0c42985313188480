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
  package func text(of samples: [Int16], in language: String) throws -> String {
    var configuration = configuration
    configuration.locale = language
    return try pool.repeating(isCancelled: { false }) {
      try pool.withService(configuration, isCancelled: { false }) { service in
        try service.decode(samples, utterance: 0).first?.words.map(\.text).joined(separator: " ") ?? ""
      }
    }
  }
}
