import CWhisper
import Foundation
import Testing

/// The kernels of Whisper's decoder, for each set of instructions that the processor has: products beside plain arithmetic,
/// and steps of a model beside ggml's.
@Suite struct DecoderKernelTests {
  static let sets = Array(1..<lh_whisper_kernel_sets() + 1)

  /// One row and more than are multiplied together, whole vectors and a rest, and columns that are no multiple of a block's.
  @Test(arguments: sets, [(1, 1, 16), (2, 9, 64), (3, 33, 512), (4, 17, 1500), (5, 64, 64), (12, 10, 51)])
  func dotProductsAreRight(set: Int32, size: (rows: Int, columns: Int, depth: Int)) {
    let (rows, columns, depth) = size
    let stride = (depth + 15) / 16 * 16
    var generator = SystemRandomNumberGenerator()
    // Clipped noise among quiet rows and rows of zeros. Behind the last weight there are numbers that do not count.
    var weights = (0..<columns * depth).map {
      Float16($0 / depth % 3 == 0 ? 0 : .random(in: -1...1, using: &generator))
    }
    weights += Array(repeating: .nan, count: 16)
    var input = [Float](repeating: 0, count: rows * stride)
    for row in 0..<rows {
      for k in 0..<depth {
        input[row * stride + k] =
          [.random(in: -1...1, using: &generator), Bool.random() ? 1000 : -1000, 1e-30, 0][row % 4]
      }
    }
    var output = [Float](repeating: .nan, count: rows * columns)
    lh_whisper_dot_products(
      set, weights.map(\.bitPattern), Int32(columns), input, Int32(stride), Int32(rows), Int32(depth), &output
    )
    for row in 0..<rows {
      for column in 0..<columns {
        let factors = (0..<depth).map {
          Double(input[row * stride + $0]) * Double(weights[column * depth + $0])
        }
        let (value, exact) = (output[row * columns + column], factors.reduce(0, +))
        #expect(
          abs(Double(value) - exact) <= 1e-6 * factors.reduce(0) { $0 + abs($1) },
          "\(row), \(column): \(value) and not \(exact)")
      }
    }
  }

  @Test(arguments: sets, [Float.nan, .infinity])
  func flawedNumbersAreKept(set: Int32, flaw: Float) {
    var input = [Float](repeating: 1, count: 6 * 64)
    input[5 * 64 + 3] = flaw
    var output = [Float](repeating: 0, count: 6 * 2)
    let one = Float16(1).bitPattern
    lh_whisper_dot_products(set, Array(repeating: one, count: 128), 2, input, 64, 6, 64, &output)
    #expect(output[..<10].allSatisfy { $0 == 64 })
    #expect(output[10...].allSatisfy { !$0.isFinite })
  }

  /// A model with a window, as `set` computes it.
  private final class Window {
    let model: OpaquePointer
    let state: OpaquePointer
    let facts: lh_whisper_facts

    init(_ set: Int32) throws {
      let file = try FileHandle(
        forReadingFrom: URL(fileURLWithPath: WhisperWeights.tiny + "/ggml-tiny.en.bin"))
      let size = try file.seekToEnd()
      model = try #require(lh_whisper_load_file(file.fileDescriptor, Int(size)))
      state = try #require(lh_whisper_state_new_with(model, 4, 1, set))
      facts = lh_whisper_get_facts(model)
      let speech = try Data(
        contentsOf: URL(fileURLWithPath: WhisperWeights.share + "/pocketsphinx/samples/goforward.raw"))
      let samples = speech.withUnsafeBytes { $0.bindMemory(to: Int16.self).map { Float($0) / 32768 } }
      try #require(lh_whisper_encode(state, samples, Int32(samples.count), 512))
    }

    deinit {
      lh_whisper_state_free(state)
      lh_whisper_free(model)
    }

    /// The rows of the tokens whose length is not 0.
    func next(_ steps: [(token: Int32, position: Int32, sequence: Int32)], lengths: [Int32]) throws
      -> [[Float]]
    {
      let size = Int(facts.vocabulary)
      let wanted = lengths.filter { $0 > 0 }
      var rows = [Float](repeating: .nan, count: size * wanted.count)
      try #require(
        lh_whisper_decode(
          state, steps.map(\.token), steps.map(\.position), steps.map(\.sequence), lengths,
          Int32(steps.count), &rows))
      return wanted.enumerated().map { Array(rows[$0.offset * size..<$0.offset * size + Int($0.element)]) }
    }

    /// A prompt of several tokens, copies of its sequence that go on differently, one that is removed and another in its place.
    func search() throws -> [[Float]] {
      let whole = facts.vocabulary
      let text = facts.end_of_text + 1
      var rows = try next(
        [(facts.start, 0, 0), (facts.no_timestamps, 1, 0), (400, 2, 0)], lengths: [whole, 0, text])
      lh_whisper_seq_copy(state, 0, 1)
      lh_whisper_seq_copy(state, 0, 2)
      rows += try next([(500, 3, 0), (600, 3, 1), (700, 3, 2)], lengths: [text, text, text])
      lh_whisper_seq_remove(state, 1)
      lh_whisper_seq_copy(state, 2, 1)
      rows += try next([(800, 4, 0), (900, 4, 1), (1000, 4, 2)], lengths: [text, whole, 0])
      rows += try next([(1100, 5, 1)], lengths: [text])
      return rows
    }
  }

  /// By the attention to the audio, when each token of "go forward ten meters" is said.
  @Test(.enabled(if: WhisperWeights.areInstalled), arguments: sets)
  func timesAreThoseOfGGML(set: Int32) throws {
    let text: [Int32] = [1514, 2651, 3478, 10700]
    let times = try [set, 0].map { set in
      let window = try Window(set)
      var times = [Int32](repeating: -1, count: text.count + 1)
      try #require(
        lh_whisper_align(
          window.state, [window.facts.start, window.facts.no_timestamps], 2, text, Int32(text.count), 150,
          &times))
      return times
    }
    #expect(zip(times[0], times[1]).allSatisfy { abs($0 - $1) <= 2 }, "\(times)")
    #expect(times[0] == times[0].sorted() && Set(times[0]).count > 3)
  }

  /// The largest difference of the logarithms of likely tokens.
  private func difference(_ rows: [[Float]], _ others: [[Float]]) -> Float {
    let likely = zip(rows.joined(), others.joined()).filter { max($0, $1) > -8 }
    return likely.map { abs($0 - $1) }.max() ?? .nan
  }

  @Test(.enabled(if: WhisperWeights.areInstalled), arguments: sets)
  func stepsAreThoseOfGGML(set: Int32) throws {
    let (own, theirs) = (try Window(set).search(), try Window(0).search())
    #expect(own.map(\.count) == theirs.map(\.count))
    #expect(own.joined().allSatisfy { $0 <= 0 })
    // The encoder of ggml computes with other numbers.
    #expect(difference(own, theirs) < 0.5)
  }

  /// A prompt in one call, and token by token.
  @Test(.enabled(if: WhisperWeights.areInstalled), arguments: sets)
  func promptIsWhatItsTokensAre(set: Int32) throws {
    let window = try Window(set)
    let text = window.facts.end_of_text + 1
    let tokens = [window.facts.start, window.facts.no_timestamps, 400, 500, 600, 700]
    let steps = tokens.enumerated().map {
      (token: $0.element, position: Int32($0.offset), sequence: Int32(0))
    }
    let whole = try window.next(steps, lengths: steps.map { _ in text })
    lh_whisper_seq_remove(window.state, 0)
    let single = try steps.map { try window.next([$0], lengths: [text])[0] }
    #expect(difference(whole, single) < 1e-3)
  }
}
