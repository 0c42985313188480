import Longhand
import Synchronization

/// A judge that answers what a test wrote down, one answer a question.
final class ScriptedJudge: CandidateJudge {
  struct Question: Hashable {
    var texts: [String]
    var context: String?
  }

  enum Answer: Sendable {
    case index(Int?)
    case refusal
    case failure
    /// Waits until `release`, whether it is cancelled or not.
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

  /// What was asked.
  var questions: [Question] { state.withLock { $0.questions } }

  /// Ends what hangs.
  func release() {
    let hanging = state.withLock { state in
      defer { state.hanging = [] }
      return state.hanging
    }
    for continuation in hanging { continuation.resume() }
  }

  func choose(among texts: [String], context: String?) async throws -> Int? {
    let answer = state.withLock { state in
      state.questions.append(Question(texts: texts, context: context))
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
