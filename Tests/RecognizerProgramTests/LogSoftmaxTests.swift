import CWhisper
import Foundation
import Testing

/// The logarithms of probabilities that are computed in vectors, beside plain arithmetic.
@Suite struct LogSoftmaxTests {
  private func plain(_ logits: [Float]) -> [Double] {
    let top = Double(logits.max() ?? 0)
    let sum = logits.reduce(0) { $0 + exp(Double($1) - top) }
    return logits.map { Double($0) - top - log(sum) }
  }

  private func computed(_ logits: [Float]) -> [Float] {
    var row = [Float](repeating: .nan, count: logits.count)
    lh_whisper_log_softmax(logits, Int32(logits.count), &row)
    return row
  }

  /// Lengths that are no multiple of a vector's, up to Whisper's vocabulary.
  @Test(arguments: [1, 2, 7, 8, 15, 16, 17, 33, 1000, 51_865], [Float(0.001), 1, 10, 60, 1000])
  func randomNumbersAreRight(length: Int, scale: Float) {
    var generator = SystemRandomNumberGenerator()
    let logits = (0..<length).map { _ in Float.random(in: -scale...scale, using: &generator) }
    // Numbers of four bytes are rounded by 6e-8 of themselves, and their difference keeps that.
    let rounding = Double(scale) * 2e-7
    for (row, exact) in zip(computed(logits), plain(logits)) {
      #expect(abs(Double(row) - exact) <= 2e-6 * max(1, abs(exact)) + rounding, "\(row) and not \(exact)")
    }
  }

  @Test func extremeNumbersAreRight() {
    let rows: [[Float]] = [
      [0], Array(repeating: 0, count: 100), Array(repeating: -.infinity, count: 20) + [3],
      [.greatestFiniteMagnitude, 0], [-.greatestFiniteMagnitude, 5, 5], [1e-30, -1e-30, 0],
      [88, 0, -88, -200],
    ]
    for logits in rows {
      for (row, exact) in zip(computed(logits), plain(logits)) {
        #expect(
          exact == -.infinity ? row == -.infinity : abs(Double(row) - exact) <= 2e-6 * max(1, abs(exact)),
          "\(row) and not \(exact)")
      }
    }
    // What is no number stays none, and is not taken for a probability.
    #expect(computed([.nan, 1, 2]).allSatisfy { $0.isNaN } || computed([.nan, 1, 2])[0].isNaN)
  }
}
