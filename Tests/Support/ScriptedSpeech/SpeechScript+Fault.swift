import Foundation

extension SpeechScript {
  /// A fault of an attempt at an utterance.
  public enum Fault: Codable, Sendable, Hashable {
    /// The final result is late by this many seconds.
    case late(seconds: TimeInterval)
    /// The service never answers this utterance, but it answers others.
    case silent
    /// The service first sends a result for an utterance that does not exist.
    case wrongUtterance
    /// The service sends the final result twice.
    case duplicateFinal
    /// Every other partial result has fewer words than the one before it.
    case shrinkingPartials
    /// Partial results have no words.
    case emptyPartials
    /// The service reports that it could not decode the utterance.
    case failed(reason: String)
    /// The service ends the recognition with an error.
    case refused(domain: String, code: Int)
    /// The service exits at the end of the utterance, without an answer.
    case deathBeforeAnswer
    /// The service exits in the middle of a partial result; without partial results, in the middle of the final one.
    case deathDuringPartial
    /// The service exits after its answer.
    case deathAfterFinal
    /// The service sends bytes that are not a message, and then nothing more.
    case nonsense
    /// The service hangs.
    case hang
  }

  /// The kinds of faults.
  public enum Kind: String, CaseIterable, Codable, Sendable {
    /// `Fault.late`, by up to half a second.
    case late
    /// `Fault.silent`.
    case silent
    /// `Fault.wrongUtterance`.
    case wrongUtterance
    /// `Fault.duplicateFinal`.
    case duplicateFinal
    /// `Fault.shrinkingPartials`.
    case shrinkingPartials
    /// `Fault.emptyPartials`.
    case emptyPartials
    /// `Fault.failed`.
    case failed
    /// `Fault.refused`, with one of `taskErrors`.
    case refused
    /// `Fault.deathBeforeAnswer`.
    case deathBeforeAnswer
    /// `Fault.deathDuringPartial`.
    case deathDuringPartial
    /// `Fault.deathAfterFinal`.
    case deathAfterFinal
    /// `Fault.nonsense`.
    case nonsense
    /// `Fault.hang`.
    case hang
    /// The service reports a configuration as unavailable.
    case unavailable
  }

  /// An error that ends a recognition.
  public struct TaskError: Sendable, Hashable {
    /// The domain of an `NSError`.
    public let domain: String
    /// The code of an `NSError`.
    public let code: Int
  }

  /// The errors that tasks of Apple's recognizer report: those of SFSpeechRecognitionTask.h; 209 and 216, which also
  /// occur in practice; and some of `SFSpeechErrorDomain`.
  public static let taskErrors =
    [203, 209, 216, 1100, 1101, 1107, 1110, 1700].map {
      TaskError(domain: "kAFAssistantErrorDomain", code: $0)
    }
    + [102, 201, 300, 301].map { TaskError(domain: "kLSRErrorDomain", code: $0) }
    + [1, 12, 16].map { TaskError(domain: "SFSpeechErrorDomain", code: $0) }
}

extension SpeechScript.Fault {
  /// A random fault of a kind; nil if the kind is not a fault of an utterance.
  static func random(
    _ kind: SpeechScript.Kind, using generator: inout some RandomNumberGenerator
  ) -> SpeechScript.Fault? {
    switch kind {
    case .late: .late(seconds: Double(Int.random(in: 1...50, using: &generator)) / 100)
    case .silent: .silent
    case .wrongUtterance: .wrongUtterance
    case .duplicateFinal: .duplicateFinal
    case .shrinkingPartials: .shrinkingPartials
    case .emptyPartials: .emptyPartials
    case .failed: .failed(reason: "the script says so")
    case .refused:
      SpeechScript.taskErrors.randomElement(using: &generator).map {
        .refused(domain: $0.domain, code: $0.code)
      }
    case .deathBeforeAnswer: .deathBeforeAnswer
    case .deathDuringPartial: .deathDuringPartial
    case .deathAfterFinal: .deathAfterFinal
    case .nonsense: .nonsense
    case .hang: .hang
    case .unavailable: nil
    }
  }

  /// Whether the fault affects only the next request to the same service.
  var isLingering: Bool { self == .duplicateFinal || self == .deathAfterFinal }
}
