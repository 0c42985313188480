import Foundation
import FoundationModels
import LonghandTranscripts

extension CandidateReranker {
  /// A judge that asks the system's language model; nil if none is available, and before macOS 26 and iOS 26.
  static var systemJudge: (any CandidateJudge)? {
    if #available(macOS 26, iOS 26, *) { LanguageModelJudge.available } else { nil }
  }
}

/// A judge that asks the system's language model. The model answers with the number of a candidate.
@available(macOS 26, iOS 26, *)
package struct LanguageModelJudge: CandidateJudge {
  private static let instructions = """
    Choose the most plausible of several candidates of a speech recognizer for the same speech. Use only grammar, \
    meaning, the text before them and the confidence. Prefer the candidate that best continues the text before it. Use \
    the confidence only to decide between candidates that are equally plausible. Answer with the number of the \
    candidate only; with 0 if you cannot tell. Do not rewrite text, and do not invent a candidate.
    """

  private let model: SystemLanguageModel

  package init(_ model: SystemLanguageModel) { self.model = model }

  /// A judge with the system's language model; nil if none is available. Its use case is the general one: others come with
  /// instructions of their own, which contradict the judge's.
  package static var available: LanguageModelJudge? {
    let model = SystemLanguageModel.default
    return model.isAvailable ? LanguageModelJudge(model) : nil
  }

  static func prompt(_ candidates: [Candidate], _ context: String?) -> String {
    var prompt = context.map { "The text before: \($0)\n" } ?? ""
    for (index, candidate) in candidates.enumerated() {
      prompt += "\(index) (confidence \(candidate.confidence.twoDecimals)): \(candidate.text)\n"
    }
    return prompt
  }

  /// Asks the model. A refusal throws `CandidateJudgeError.refused`.
  package func choose(among candidates: [Candidate], context: String?) async throws -> Int? {
    let number = DynamicGenerationSchema(type: Int.self, guides: [.range(0...candidates.count - 1)])
    let choice = DynamicGenerationSchema(
      name: "Choice", properties: [.init(name: "number", schema: number)])
    let schema = try GenerationSchema(root: choice, dependencies: [])
    let prompt = Self.prompt(candidates, context)
    // A new session: questions about other segments do not help, and fill the context window.
    let session = LanguageModelSession(model: model, instructions: Self.instructions)
    do {
      return try await session.respond(
        to: prompt, schema: schema,
        options: GenerationOptions(sampling: .greedy, maximumResponseTokens: 32)
      ).content.value(Int.self, forProperty: "number")
    } catch LanguageModelSession.GenerationError.refusal, LanguageModelSession.GenerationError
      .guardrailViolation
    {
      throw CandidateJudgeError.refused
    }
  }
}
