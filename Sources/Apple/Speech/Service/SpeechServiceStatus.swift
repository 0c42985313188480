import Foundation
import SpeechServiceProtocol

/// Whether the framework works on this machine, for programs that report to their users what is missing.
/// Apple's framework has no such type.
public struct SpeechServiceStatus: Sendable, Equatable {
  /// The path of the service's executable; nil if it is missing.
  public let executable: String?
  /// The recognizer and its version, such as `pocketsphinx 5.1.1`; nil if the service does not work.
  public let recognizer: String?
  /// The model's folder; nil if the service does not work.
  public let model: String?
  /// Whether it is the embedded recognizer, because the user has installed no model for the language.
  public let isEmbedded: Bool
  /// The problem, on one line; nil if the service works.
  public let problem: String?

  /// Starts the service, lets it load its model, and ends it. This takes half a second.
  public static func current() -> SpeechServiceStatus { SpeechServiceStatus(pool: .shared) }

  init(pool: SpeechServicePool) {
    let wanted = Result { try ServiceConfiguration().with(modelFor: Locale(identifier: "en-US")) }
    isEmbedded = (try? wanted.get())?.model == nil
    executable = pool.executable(for: isEmbedded ? .embedded : .neural)
    do {
      let configuration = try wanted.get()
      let service = try pool.start(for: configuration)
      defer { service.kill() }
      let description = try service.configure(configuration)
      recognizer = description.map { "\($0.engine) \($0.version)" }
      model = description?.model
      problem = nil
    } catch {
      recognizer = nil
      model = nil
      problem = (RecognitionError.error(for: error) as NSError).localizedDescription
    }
  }
}
