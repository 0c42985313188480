import Foundation

/// What a user thinks of an answer.
public struct LanguageModelFeedback {
  private init() {}

  /// Whether it was good.
  public enum Sentiment: Sendable, CaseIterable, Equatable, Hashable {
    /// It was.
    case positive
    /// It was not.
    case negative
    /// Neither.
    case neutral
  }

  /// What was wrong.
  public struct Issue: Sendable {
    /// What kind of thing.
    public enum Category: Sendable, CaseIterable, Equatable, Hashable {
      /// It did not help.
      case unhelpful
      /// It was too long.
      case tooVerbose
      /// It was not as asked.
      case didNotFollowInstructions
      /// It was false.
      case incorrect
      /// It was prejudiced.
      case stereotypeOrBias
      /// It was indecent.
      case suggestiveOrSexual
      /// It was rude.
      case vulgarOrOffensive
      /// It was held back without need.
      case triggeredGuardrailUnexpectedly
    }

    let category: Category
    let explanation: String?

    /// Something was wrong.
    public init(category: Category, explanation: String? = nil) {
      self.category = category
      self.explanation = explanation
    }
  }
}

extension LanguageModelSession {
  /// Writes what a user thinks of the last answer, with the transcript, as JSON. On Linux nothing is noted or sent
  /// anywhere: what becomes of it is the caller's.
  @discardableResult
  final public func logFeedbackAttachment(
    sentiment: LanguageModelFeedback.Sentiment?, issues: [LanguageModelFeedback.Issue] = [],
    desiredOutput: Transcript.Entry? = nil
  ) -> Data {
    feedback(sentiment, issues, desired: desiredOutput)
  }

  /// The same, with the text that was wanted.
  @discardableResult
  final public func logFeedbackAttachment(
    sentiment: LanguageModelFeedback.Sentiment?, issues: [LanguageModelFeedback.Issue] = [],
    desiredResponseText: String?
  ) -> Data {
    feedback(
      sentiment, issues,
      desired: desiredResponseText.map {
        .response(.init(assetIDs: [], segments: [.text(.init(content: $0))]))
      })
  }

  /// The same, with the value that was wanted.
  @discardableResult
  final public func logFeedbackAttachment(
    sentiment: LanguageModelFeedback.Sentiment?, issues: [LanguageModelFeedback.Issue] = [],
    desiredResponseContent: (any ConvertibleToGeneratedContent)?
  ) -> Data {
    feedback(
      sentiment, issues,
      desired: desiredResponseContent.map {
        .response(
          .init(assetIDs: [], segments: [.structure(.init(source: "", content: $0.generatedContent))]))
      })
  }

  private struct Feedback: Encodable {
    struct Issue: Encodable {
      let category: String
      let explanation: String?
    }

    let sentiment: String?
    let issues: [Issue]
    let transcript: Transcript
    let desired: Transcript?
  }

  private func feedback(
    _ sentiment: LanguageModelFeedback.Sentiment?, _ issues: [LanguageModelFeedback.Issue],
    desired: Transcript.Entry?
  ) -> Data {
    let feedback = Feedback(
      sentiment: sentiment.map { "\($0)" },
      issues: issues.map { .init(category: "\($0.category)", explanation: $0.explanation) },
      transcript: transcript, desired: desired.map { Transcript(entries: [$0]) })
    return (try? JSONEncoder().encode(feedback)) ?? Data()
  }
}
