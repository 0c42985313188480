import CWhisper
import Foundation
import Testing

/// The kernels of Whisper's encoder, and the decoder's product of packed weights, beside plain arithmetic, for each set of
/// instructions that the processor has.
@Suite struct EncoderKernelTests {
  static let sets = Array(1..<lh_whisper_kernel_sets() + 1)

  /// Numbers that are as loud as clipped noise, quiet, zero, and rows of zeros among others.
  private func numbers(_ count: Int, width: Int, seed: UInt64) -> [Float] {
    var generator = Numbers(state: seed)
    return (0..<count).map { index in
      switch index / width % 4 {
      case 0: .random(in: -1...1, using: &generator)
      case 1: .random(in: -1e-6...1e-6, using: &generator)
      case 2: Bool.random(using: &generator) ? 1000 : -1000
      default: 0
      }
    }
  }

  private struct Numbers: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
  }

  /// How the factors of a product become integers: half of the steps from zero to the largest one, and how many share a scale.
  private struct Packing {
    var inputs = 4094.0
    var weights = 4094.0
    var block = 512

    static let encoder = Packing()
    static let decoder = Packing(inputs: 2 * 16383, weights: 2 * 127, block: .max)
  }

  private struct Product {
    var packing = Packing.encoder
    var rows: Int
    var inputs: Int
    var outputs = 64
    var weights: [Float16]
    var bias: [Float]?
    var input: [Float]

    func computed(_ set: Int32) -> [Float] {
      var output = [Float](repeating: .nan, count: rows * outputs)
      let bits = weights.map(\.bitPattern)
      let (outputs, inputs, rows) = (Int32(outputs), Int32(inputs), Int32(rows))
      if packing.block == .max {
        lh_whisper_packed_product(set, bits, outputs, inputs, input, rows, &output)
      } else {
        lh_whisper_product(set, bits, outputs, inputs, bias, input, rows, &output)
      }
      return output
    }

    func plain(_ row: Int, _ column: Int) -> Double {
      (0..<inputs).reduce(Double(bias?[column] ?? 0)) {
        $0 + Double(input[row * inputs + $1]) * Double(weights[column * inputs + $1])
      }
    }

    /// How far a product of integers can be from the plain one: by half a step of each factor.
    func tolerance(_ row: Int, _ column: Int) -> Double {
      var sum = 1e-6 * abs(Double(bias?[column] ?? 0))
      for start in stride(from: 0, to: inputs, by: packing.block) {
        let block = start..<min(inputs, start + min(packing.block, inputs))
        let a = block.map { abs(Double(input[row * inputs + $0])) }
        let b = block.map { abs(Double(weights[column * inputs + $0])) }
        let steps = (a: (a.max() ?? 0) / packing.inputs, b: (b.max() ?? 0) / packing.weights)
        sum += 1.001 * zip(a, b).reduce(0) { $0 + $1.0 * steps.b + $1.1 * steps.a + steps.a * steps.b }
      }
      return sum
    }
  }

  /// Rows that are no multiple of a tile's or a block's, and one and several blocks of the depth.
  @Test(arguments: [(1, 16), (5, 240), (12, 512), (13, 528), (7, 2048)])
  func productsAreRight(size: (rows: Int, inputs: Int)) { check(.encoder, size) }

  /// One row, as many as are multiplied together, and more, up to the depth of the largest models.
  @Test(arguments: [(1, 64), (2, 384), (3, 512), (4, 64), (5, 2048), (13, 64), (2, 5120)])
  func packedProductsAreRight(size: (rows: Int, inputs: Int)) { check(.decoder, size, biases: [false]) }

  private func check(_ packing: Packing, _ size: (rows: Int, inputs: Int), biases: [Bool] = [false, true]) {
    for hasBias in biases {
      let product = Product(
        packing: packing, rows: size.rows, inputs: size.inputs,
        weights: numbers(64 * size.inputs, width: size.inputs, seed: 1).map { Float16($0) },
        bias: hasBias ? numbers(64, width: 16, seed: 2) : nil,
        input: numbers(size.rows * size.inputs, width: size.inputs, seed: 3))
      let outputs = Self.sets.map { (set: $0, values: product.computed($0)) }
      for row in 0..<product.rows {
        for column in 0..<product.outputs {
          let (exact, tolerance) = (product.plain(row, column), product.tolerance(row, column))
          for (set, values) in outputs {
            let value = values[row * product.outputs + column]
            #expect(
              abs(Double(value) - exact) <= tolerance,
              "set \(set), \(row), \(column): \(value) and not \(exact)")
          }
        }
      }
    }
  }

  /// What is no number or is infinite makes the results of its row, or of its column, no numbers; others stay.
  @Test(arguments: sets, [Float.nan, .infinity, -.infinity])
  func flawedNumbersStayInTheirRow(set: Int32, flaw: Float) {
    for packing in [Packing.encoder, .decoder] {
      var product = Product(
        packing: packing, rows: 14, inputs: 576, weights: Array(repeating: 1, count: 64 * 576), bias: nil,
        input: Array(repeating: 1, count: 14 * 576))
      product.input[13 * 576 + 575] = flaw
      product.weights[2 * 576] = Float16(flaw)
      let output = product.computed(set)
      for row in 0..<14 {
        for column in 0..<64 {
          let value = output[row * 64 + column]
          #expect(
            row == 13 || column == 2 ? !value.isFinite : abs(value - 576) < 0.1,
            "\(row), \(column): \(value)")
        }
      }
    }
  }

  /// The loudness of the bands of a frame by plain arithmetic. Before the audio it is mirrored.
  private func plainBands(_ samples: [Float], at frame: Int, _ filters: [[Float]]) -> [Double] {
    let window = (0..<400).map { index -> Double in
      let at = abs(frame * 160 + index - 200)
      return at < samples.count ? Double(samples[at]) * (0.5 - 0.5 * cos(2 * .pi * Double(index) / 400)) : 0
    }
    let power = (0...200).map { bin -> Double in
      var (re, im) = (0.0, 0.0)
      for (index, value) in window.enumerated() {
        let angle = 2 * .pi * Double(index * bin % 400) / 400
        re += value * cos(angle)
        im += value * sin(angle)
      }
      return re * re + im * im
    }
    return filters.map { filter in
      log10(max(1e-10, zip(filter, power).reduce(0) { $0 + Double($1.0) * $1.1 }))
    }
  }

  /// Noise, a quiet part, and silence behind the audio; as many frames as there is audio for, fewer and more.
  @Test(arguments: [3, 12, 20])
  func spectrumIsRight(frames: Int) {
    var generator = Numbers(state: 9)
    let samples = (0..<1999).map { Float.random(in: -1...1, using: &generator) * ($0 < 900 ? 1 : 1e-3) }
    let filters = [3, 40, 199].map { middle in
      (0...200).map { bin in max(0, 1 - Float(abs(bin - middle)) / 4) }
    }
    let exact = (0..<frames).map { plainBands(samples, at: $0, filters) }
    let least = (exact.joined().max() ?? 0) - 8
    for set in Self.sets {
      var output = [Float](repeating: .nan, count: filters.count * frames)
      lh_whisper_spectrum(
        set, Array(filters.joined()), Int32(filters.count), samples, Int32(samples.count), Int32(frames),
        &output)
      for (frame, bands) in exact.enumerated() {
        for (band, level) in bands.enumerated() {
          let value = output[band * frames + frame]
          #expect(
            abs(Double(value) - (max(level, least) + 4) / 4) < 1e-3,
            "set \(set), \(frame), \(band): \(value), \(level)")
        }
      }
    }
  }

  private func plainAttention(
    _ query: ArraySlice<Float>, _ key: [Float], _ value: [Float], frames: Int
  ) -> [Double] {
    let padded = (frames + 255) / 256 * 256
    var scores = [Double](repeating: 0, count: padded)
    for t in 0..<frames {
      scores[t] = zip(query, key[t * 64..<t * 64 + 64]).reduce(0) { $0 + Double($1.0) * Double($1.1) } / 8
    }
    let top = scores.max() ?? 0
    let powers = scores.map { exp($0 - top) }
    let sum = powers.reduce(0, +)
    return (0..<64).map { c in (0..<frames).reduce(0) { $0 + powers[$1] * Double(value[$1 * 64 + c]) } / sum }
  }

  /// Whisper's contexts and others, with scores that are all alike, small and far apart.
  @Test(arguments: [(1, Float(1)), (47, 0), (256, 1), (300, 8), (1500, 3)])
  func attentionIsRight(window: (frames: Int, scale: Float)) {
    let count = window.frames * 64
    var generator = Numbers(state: 4)
    let made = (0..<3).map { _ in (0..<count).map { _ in Float.random(in: -1...1, using: &generator) } }
    let (query, key, value) = (made[0].map { $0 * window.scale }, made[1].map { $0 * window.scale }, made[2])
    let outputs = Self.sets.map { set in
      var output = [Float](repeating: .nan, count: count)
      lh_whisper_attend(set, query, key, value, Int32(window.frames), &output)
      return (set: set, values: output)
    }
    for t in Set([0, 1, 11, 12, 46, 255, window.frames / 2, window.frames - 1]) where t < window.frames {
      let exact = plainAttention(query[t * 64..<t * 64 + 64], key, value, frames: window.frames)
      for (set, values) in outputs {
        for (result, exact) in zip(values[t * 64..<t * 64 + 64], exact) {
          // The third set multiplies floats of 17 bits.
          #expect(
            abs(Double(result) - exact) <= (set < 3 ? 2e-5 : 1e-4),
            "set \(set), \(t): \(result) and not \(exact)")
        }
      }
    }
  }

  @Test(arguments: sets)
  func attentionToNoNumberIsNone(set: Int32) {
    var key = [Float](repeating: 1, count: 20 * 64)
    key[19 * 64] = .nan
    let ones = [Float](repeating: 1, count: 20 * 64)
    var output = [Float](repeating: 0, count: 20 * 64)
    lh_whisper_attend(set, ones, key, ones, 20, &output)
    #expect(output.allSatisfy { $0.isNaN })
  }

  @Test(arguments: sets, [64, 384, 512])
  func normalizedNumbersAreRight(set: Int32, count: Int) {
    let scale = numbers(count, width: 16, seed: 5)
    let bias = numbers(count, width: count, seed: 6)
    for input in [
      numbers(count, width: 16, seed: 7), numbers(count, width: count, seed: 8),
      Array(repeating: 0, count: count),
    ] {
      var output = [Float](repeating: .nan, count: count)
      lh_whisper_normalize(set, scale, bias, input, Int32(count), &output)
      let mean = input.reduce(0) { $0 + Double($1) } / Double(count)
      let square = input.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / Double(count)
      for i in 0..<count {
        let exact =
          (Double(input[i]) - mean) / (square + 1e-5).squareRoot() * Double(scale[i]) + Double(bias[i])
        #expect(
          abs(Double(output[i]) - exact) <= 1e-5 * (1 + abs(Double(scale[i]))),
          "\(output[i]) and not \(exact)")
      }
    }
  }

  /// Half of x times 1 + tanh, as in ggml: past 10 it is x or 0.
  @Test(arguments: sets)
  func geluIsRight(set: Int32) {
    let input: [Float] =
      (-600...600).map { Float($0) / 50 } + [1e-30, -1e-30, 1e30, -1e30, .infinity, -.infinity, .nan]
    var output = input
    lh_whisper_gelu(set, &output, Int32(output.count))
    for (x, value) in zip(input.map(Double.init), output) {
      let exact =
        abs(x) < 10 ? 0.5 * x * (1 + tanh(0.797_884_560_8 * x * (1 + 0.044_715 * x * x))) : x > 0 ? x : 0
      #expect(
        x.isNaN
          ? value.isNaN : Double(value) == exact || abs(Double(value) - exact) <= 1e-6 * max(1, abs(exact)),
        "\(x): \(value) and not \(exact)")
    }
  }
}
