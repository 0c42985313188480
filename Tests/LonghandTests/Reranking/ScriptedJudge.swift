import Longhand
import Synchronization

/// A judge with the answers of a test, one for each question.
final class ScriptedJudge: CandidateJudge {
  struct Question: Hashable {
    var texts: [String]
    var confidences: [Double?] = []
    var context: String?
  }

  enum Answer: Sendable {
    case index(Int?)
    case refusal
    case failure
    /// Waits until `release()`, also after a cancellation.
    case hang
  }

  private struct Failure: Error {}

  private struct State {
    var answers: [Answer]
    var questions: [Question] = []
    var hanging: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ answers: Answer...) { state = Mutex(State(answers: answers)) }

  /// The questions so far.
  var questions: [Question] { state.withLock { $0.questions } }

  /// Ends the answers that wait.
  func release() {
    let hanging = state.withLock { state in
      defer { state.hanging = [] }
      return state.hanging
    }
    for continuation in hanging { continuation.resume() }
  }

  func choose(among candidates: [Candidate], context: String?) async throws -> Int? {
    let answer = state.withLock { state in
      state.questions.append(
        Question(
          texts: candidates.map(\.text), confidences: candidates.map(\.confidence), context: context))
      return state.answers.isEmpty ? .index(nil) : state.answers.removeFirst()
    }
    switch answer {
    case .index(let index): return index
    case .refusal: throw CandidateJudgeError.refused
    case .failure: throw Failure()
    case .hang:
      await withCheckedContinuation { continuation in state.withLock { $0.hanging.append(continuation) } }
      return 1
    }
  }
}

extension Candidate {
  /// A candidate with a text; with `isTimed`, one word per second.
  static func reading(_ text: String, confidence: Double = 0.5, isTimed: Bool = false) -> Candidate {
    let texts = isTimed ? text.split(separator: " ").map(String.init) : []
    let words = texts.enumerated().map { index, text in
      Word(text: text, start: Double(index), end: Double(index + 1), confidence: confidence)
    }
    return Candidate(text: text, words: words, confidence: confidence)
  }
}

extension [Candidate] {
  /// Candidates among which a judge may choose: the first is the least likely.
  static func readings(_ texts: String...) -> [Candidate] {
    texts.enumerated().map { .reading($1, confidence: $0 == 0 ? 0.2 : 0.8) }
  }
}
