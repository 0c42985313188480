import Longhand
import Synchronization

/// A model that answers what a test wrote down.
final class TestModel: NormalizationModel {
  struct Failure: Error {}

  private let answer: @Sendable (String) async throws -> NormalizationModelAnswer
  private let asked = Mutex<[(text: String, context: String?, entities: [String], instructions: String)]>([])

  init(_ answer: @escaping @Sendable (String) async throws -> NormalizationModelAnswer) {
    self.answer = answer
  }

  convenience init(_ text: String, _ terms: String...) {
    self.init { _ in NormalizationModelAnswer(normalizedText: text, extractedTerms: terms) }
  }

  /// The texts that were asked for.
  var texts: [String] { asked.withLock { $0.map(\.text) } }
  var contexts: [String?] { asked.withLock { $0.map(\.context) } }
  var entities: [[String]] { asked.withLock { $0.map(\.entities) } }
  var instructions: [String] { asked.withLock { $0.map(\.instructions) } }

  func normalize(
    _ text: String, after context: String?, entities: [String], instructions: String
  ) async throws -> NormalizationModelAnswer {
    asked.withLock { $0.append((text, context, entities, instructions)) }
    return try await answer(text)
  }
}
