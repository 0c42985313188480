import Foundation
import RecognitionProtocol

/// Whether the framework works on this machine, for programs that report to their users what is missing.
/// Apple's framework has no such type.
public struct SpeechServiceStatus: Sendable, Equatable {
  /// The path of the service's executable; nil if it is missing.
  public let executable: String?
  /// The recognizer and its version, such as `pocketsphinx 5.1.1`; nil if the service does not work.
  public let recognizer: String?
  /// The model's folder; nil if the service does not work.
  public let model: String?
  /// Whether the model came with its recognizer, because the user has installed none for the language.
  public let isEmbedded: Bool
  /// What this machine lacks, so that recognition is slower than elsewhere, such as `AVX2`; nil if nothing.
  public let missing: String?
  /// The problem, on one line; nil if the service works.
  public let problem: String?

  /// A recognizer's program.
  public struct Program: Sendable, Equatable {
    /// The name of the executable.
    public let name: String
    /// Its path; nil if it is missing.
    public let path: String?
  }

  /// The programs of all recognizers.
  public static var programs: [Program] {
    Recognizer.all.map { Program(name: $0.program, path: SpeechServicePool.shared.executable(for: $0)) }
  }

  /// Whether the network that separates voices from other sounds is installed, in the version that was measured.
  public static var hasVoiceNetwork: Bool { VoiceNetwork.installed != nil }

  /// Why the file with further recognizers, which `SPEECH_RECOGNIZERS` names, cannot be read, as a sentence; nil if it can, or
  /// if there is none.
  public static var additionsProblem: String? { Recognizer.additionsProblem }

  /// Starts the service, lets it load its model and recognize a second without speech, and ends it. This takes a second.
  public static func current() -> SpeechServiceStatus { SpeechServiceStatus(pool: .shared) }

  package init(pool: SpeechServicePool) {
    let locale = Locale(identifier: "en-US")
    let found = Result { try SpeechModel.resolved(for: locale) }
    let model = (try? found.get()) ?? nil
    isEmbedded = model?.isEmbedded ?? true
    executable = model.flatMap { pool.executable(for: $0.reference.recognizer) }
    do {
      guard let model = try found.get() else { throw MissingModel(locale: locale) }
      let configuration = ServiceConfiguration(model: model.reference)
      let service = try pool.start(for: configuration)
      defer { service.kill() }
      let description = try service.configure(configuration)
      // A model that can be loaded may end the process when it decodes.
      _ = try service.decode(FaintNoise.trial, utterance: 0)
      recognizer = description.map { "\($0.engine) \($0.version)" }
      self.model = description?.model
      missing = description?.missing
      problem = nil
    } catch {
      recognizer = nil
      self.model = nil
      missing = nil
      problem = error.localizedDescription
    }
  }

  private struct MissingModel: LocalizedError {
    let locale: Locale
    var errorDescription: String? { SpeechModel.missingReason(for: locale) }
  }
}
