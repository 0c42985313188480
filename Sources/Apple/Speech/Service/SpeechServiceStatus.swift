import Foundation
import SpeechServiceProtocol

/// What stands behind the framework on Linux, for programs that tell their users what is missing. Apple's framework
/// has nothing like it.
public struct SpeechServiceStatus: Sendable, Equatable {
  /// The path of the service's executable; nil if there is none.
  public let executable: String?
  /// The recognizer and its version, such as `pocketsphinx 5.1.1`; nil if the service does not work.
  public let recognizer: String?
  /// The model's folder; nil if the service does not work.
  public let model: String?
  /// What is wrong, on one line; nil if all is well.
  public let problem: String?

  /// Starts the service, has it load its model, and ends it again: half a second.
  public static func current() -> SpeechServiceStatus { SpeechServiceStatus(pool: .shared) }

  init(pool: SpeechServicePool) {
    executable = pool.executable
    do {
      let service = try pool.start()
      defer { service.kill() }
      let description = try service.configure(ServiceConfiguration())
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
