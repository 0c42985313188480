@testable import NeuralRecognition

/// A decoder whose next tokens follow from the tokens that a sequence has.
final class TokenModel: NextTokens {
  private let row: ([Int]) -> [Float]
  private var written: [Int: [Int]] = [0: []]
  /// The texts that were continued.
  private(set) var texts: [[Int]] = []
  /// The tokens that were decoded.
  private(set) var steps: [TokenStep] = []

  /// - Parameter row: the logarithms of the probabilities of what follows some tokens.
  init(_ row: @escaping ([Int]) -> [Float]) { self.row = row }

  var first: [Float] { row([]) }

  func next(_ steps: [TokenStep]) throws(NeuralError) -> [[Float]] {
    self.steps += steps
    var rows: [[Float]] = []
    for step in steps {
      guard let before = written[step.sequence], before.count == step.position else {
        throw .failed("find the sequence")
      }
      written[step.sequence] = before + [step.token]
      texts.append(before + [step.token])
      rows.append(row(before + [step.token]))
    }
    return rows
  }

  func copy(_ sequence: Int, to other: Int) { written[other] = written[sequence] }
  func remove(_ sequence: Int) { written[sequence] = nil }

  /// The logarithm of the probability of each token of a text, and of the end's.
  func logProbabilities(_ tokens: [Int], end: Int) -> [Float] {
    (tokens + [end]).enumerated().map { row(Array(tokens.prefix($0.offset)))[$0.element] }
  }
}
