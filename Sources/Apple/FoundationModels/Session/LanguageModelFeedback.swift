import Foundation

/// A user's opinion of an answer.
public struct LanguageModelFeedback {
  private init() {}

  /// The overall opinion.
  public enum Sentiment: Sendable, CaseIterable, Equatable, Hashable {
    /// The answer was good.
    case positive
    /// The answer was bad.
    case negative
    /// The answer was neither good nor bad.
    case neutral
  }

  /// A problem with an answer.
  public struct Issue: Sendable {
    /// The kind of the problem.
    public enum Category: Sendable, CaseIterable, Equatable, Hashable {
      /// The answer did not help.
      case unhelpful
      /// The answer was too long.
      case tooVerbose
      /// The answer did not follow the instructions.
      case didNotFollowInstructions
      /// The answer was false.
      case incorrect
      /// The answer was prejudiced.
      case stereotypeOrBias
      /// The answer was sexual.
      case suggestiveOrSexual
      /// The answer was rude.
      case vulgarOrOffensive
      /// A guardrail blocked the answer without need.
      case triggeredGuardrailUnexpectedly
    }

    let category: Category
    let explanation: String?

    /// Creates a problem, with an explanation in words.
    public init(category: Category, explanation: String? = nil) {
      self.category = category
      self.explanation = explanation
    }
  }
}

extension LanguageModelSession {
  /// Returns the transcript and a user's opinion of the last answer as JSON. On Linux nothing is stored or sent; the
  /// caller decides what to do with the data.
  @discardableResult
  final public func logFeedbackAttachment(
    sentiment: LanguageModelFeedback.Sentiment?, issues: [LanguageModelFeedback.Issue] = [],
    desiredOutput: Transcript.Entry? = nil
  ) -> Data {
    feedback(sentiment, issues, desired: desiredOutput)
  }

  /// Returns the same with the text that the user wanted.
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

  /// Returns the same with the value that the user wanted.
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
