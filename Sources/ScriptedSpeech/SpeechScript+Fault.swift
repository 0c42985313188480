import Foundation

extension SpeechScript {
  /// What can go wrong with an attempt at an utterance.
  public enum Fault: Codable, Sendable, Hashable {
    /// The final result comes so many seconds later.
    case late(seconds: TimeInterval)
    /// Nothing of the utterance is ever answered; other utterances are.
    case silent
    /// A result comes for an utterance that was never begun, before the right one.
    case wrongUtterance
    /// The final result comes twice.
    case duplicateFinal
    /// Every other partial result has fewer words than the one before it.
    case shrinkingPartials
    /// Partial results have no words.
    case emptyPartials
    /// The service says that it could not decode the utterance.
    case failed(reason: String)
    /// The service ends the recognition with an error.
    case refused(domain: String, code: Int)
    /// The service dies when the utterance is whole, and answers nothing.
    case deathBeforeAnswer
    /// The service dies in the middle of a partial result; where none is wanted, in the middle of the final
    /// one.
    case deathDuringPartial
    /// The service dies as soon as it has answered.
    case deathAfterFinal
    /// The service answers with what is no message, and then not at all.
    case nonsense
    /// The service stops where it is, and never goes on.
    case hang
  }

  /// The kinds of what goes wrong.
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
    /// A configuration cannot be served.
    case unavailable
  }

  /// An error by which a recognition may end.
  public struct TaskError: Sendable, Hashable {
    /// The domain of an `NSError`.
    public let domain: String
    /// The code of an `NSError`.
    public let code: Int
  }

  /// The errors that tasks of Apple's recognizer report: those of SFSpeechRecognitionTask.h, 209 and 216, which
  /// programs meet besides, and some of `SFSpeechErrorDomain`.
  public static let taskErrors =
    [203, 209, 216, 1100, 1101, 1107, 1110, 1700].map {
      TaskError(domain: "kAFAssistantErrorDomain", code: $0)
    }
    + [102, 201, 300, 301].map { TaskError(domain: "kLSRErrorDomain", code: $0) }
    + [1, 12, 16].map { TaskError(domain: "SFSpeechErrorDomain", code: $0) }
}

extension SpeechScript.Fault {
  /// A fault of a kind; nil if it is none of an utterance.
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

  /// Whether what is wrong is only met by whoever asks the same service next.
  var isLingering: Bool { self == .duplicateFinal || self == .deathAfterFinal }
}
