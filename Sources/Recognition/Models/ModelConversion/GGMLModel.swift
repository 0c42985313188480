import Foundation

/// How the numbers of a tensor are stored in a ggml file.
package enum GGMLType: Int32, Sendable, CaseIterable {
  case float32 = 0
  case float16 = 1
  case q4_0 = 2
  case q4_1 = 3
  case q5_0 = 6
  case q5_1 = 7
  case q8_0 = 8
  case q2_K = 10
  case q3_K = 11
  case q4_K = 12
  case q5_K = 13
  case q6_K = 14

  /// The numbers that are stored together, and their bytes.
  private var block: (numbers: Int, bytes: Int) {
    switch self {
    case .float32: (1, 4)
    case .float16: (1, 2)
    case .q4_0: (32, 18)
    case .q4_1: (32, 20)
    case .q5_0: (32, 22)
    case .q5_1: (32, 24)
    case .q8_0: (32, 34)
    case .q2_K: (256, 84)
    case .q3_K: (256, 110)
    case .q4_K: (256, 144)
    case .q5_K: (256, 176)
    case .q6_K: (256, 210)
    }
  }

  /// The bytes of rows of numbers; nil if a row cannot be stored so.
  func size(rows: Int, length: Int) -> Int? {
    length % block.numbers == 0 ? rows * (length / block.numbers) * block.bytes : nil
  }

  /// The name as in the names of files, such as `q5_1`; nil for numbers of 16 bits, the usual ones.
  package var suffix: String? { self == .float16 ? nil : self == .float32 ? "f32" : "\(self)".lowercased() }

  /// The number by which the header of a file says the type of its weights.
  fileprivate var fileType: Int32 {
    switch self {
    case .float32, .float16, .q4_0, .q4_1: rawValue
    case .q8_0: 7
    case .q5_0: 8
    case .q5_1: 9
    case .q2_K, .q3_K, .q4_K, .q5_K, .q6_K: rawValue
    }
  }

  fileprivate init?(fileType: Int32) {
    guard let type = Self.allCases.first(where: { $0.fileType == fileType }) else { return nil }
    self = type
  }
}

/// A Whisper model of whisper.cpp, read completely but for its numbers. The file is not trusted: the library trusts it.
package struct GGMLModel: Sendable, Equatable {
  package let dimensions: WhisperDimensions
  /// How the weights are stored.
  package let weights: GGMLType

  /// What the first four bytes say, as a number.
  static let magic: UInt32 = 0x6767_6D6C
  private static let maxTokenLength: UInt32 = 1024
  private static let maxNameLength: Int32 = 256

  /// Whether a file begins as such a model does.
  package static func isOne(path: String) -> Bool {
    guard var reader = SeekingReader(path: path) else { return false }
    return reader.number(UInt32.self) == magic
  }

  /// The usual name of a file, such as `ggml-tiny.en-q8_0.bin`.
  package static func fileName(_ dimensions: WhisperDimensions, _ weights: GGMLType) -> String {
    "ggml-\(dimensions.sizeName)\(dimensions.isEnglishOnly ? ".en" : "")\(weights.suffix.map { "-" + $0 } ?? "").bin"
  }

  /// Reads a file, and checks that all that the library reads is as the library expects it.
  package init(path: String) throws(ConversionError) {
    guard var reader = SeekingReader(path: path) else {
      throw .malformed(path: path, reason: "cannot be read")
    }
    func wrong(_ reason: String) -> ConversionError { .malformed(path: path, reason: reason) }
    let isCut = wrong("ends too early")
    guard reader.number(UInt32.self) == Self.magic else {
      throw wrong("is not a Whisper model of whisper.cpp (ggml)")
    }
    var numbers: [Int] = []
    for _ in 0..<11 {
      guard let number = reader.number(Int32.self) else { throw isCut }
      numbers.append(Int(number))
    }
    dimensions = WhisperDimensions(
      tokens: numbers[0], state: numbers[2], audioHeads: numbers[3], audioLayers: numbers[4],
      textHeads: numbers[7],
      textLayers: numbers[8], bands: numbers[9])
    if let problem = dimensions.problem { throw wrong("is not a Whisper model: \(problem)") }
    guard numbers[1] == WhisperDimensions.audioContext, numbers[5] == WhisperDimensions.textContext,
      numbers[6] == dimensions.state
    else { throw wrong("is not a Whisper model: its contexts have other lengths") }
    // Thousands are the version of the quantization.
    guard (0..<10_000).contains(numbers[10]), let weights = GGMLType(fileType: Int32(numbers[10] % 1000))
    else {
      throw wrong("has weights of the unknown type \(numbers[10])")
    }
    self.weights = weights
    guard reader.number(Int32.self) == Int32(dimensions.bands),
      reader.number(Int32.self) == Int32(WhisperDimensions.frequencies)
    else { throw wrong("has filters for another number of bands") }
    let filters = UInt64(dimensions.bands * WhisperDimensions.frequencies * 4)
    guard filters <= reader.size - reader.offset else { throw isCut }
    reader.seek(to: reader.offset + filters)
    guard let tokens = reader.number(Int32.self) else { throw isCut }
    guard (WhisperDimensions.textTokens - 1...dimensions.tokens).contains(Int(tokens)) else {
      throw wrong("has a list of \(tokens) tokens")
    }
    for _ in 0..<tokens {
      guard let length = reader.number(UInt32.self) else { throw isCut }
      guard length <= Self.maxTokenLength else { throw wrong("has a token of \(length) bytes") }
      guard UInt64(length) <= reader.size - reader.offset else { throw isCut }
      reader.seek(to: reader.offset + UInt64(length))
    }
    try Self.checkTensors(&reader, dimensions, weights, path)
  }

  private static func checkTensors(
    _ reader: inout SeekingReader, _ dimensions: WhisperDimensions, _ weights: GGMLType, _ path: String
  ) throws(ConversionError) {
    func wrong(_ reason: String) -> ConversionError { .malformed(path: path, reason: reason) }
    let isCut = wrong("ends too early")
    var missing = Dictionary(
      dimensions.tensors.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    while reader.offset < reader.size {
      guard let sides = reader.number(Int32.self), let length = reader.number(Int32.self),
        let type = reader.number(Int32.self)
      else { throw isCut }
      guard (1...3).contains(sides), (1...maxNameLength).contains(length) else {
        throw wrong("has a damaged tensor")
      }
      var shape: [Int] = []
      for _ in 0..<sides {
        guard let side = reader.number(Int32.self) else { throw isCut }
        shape.insert(Int(side), at: 0)
      }
      guard let bytes = reader.bytes(Int(length)) else { throw isCut }
      let name = String(decoding: bytes, as: UTF8.self)
      guard let tensor = missing.removeValue(forKey: name) else {
        throw wrong("has a tensor twice, or one that Whisper does not have")
      }
      let expected = tensor.type(weights)
      guard shape == tensor.shape, type == expected.rawValue,
        let size = expected.size(rows: tensor.count / (shape.last ?? 1), length: shape.last ?? 1)
      else { throw wrong("has the tensor \(name) with other dimensions, or of another type") }
      guard UInt64(size) <= reader.size - reader.offset else { throw isCut }
      reader.seek(to: reader.offset + UInt64(size))
    }
    guard missing.isEmpty else { throw wrong("lacks \(missing.count) tensors: it ends too early") }
  }
}

extension WhisperTensor {
  /// How the tensor is stored in a file with weights of a type.
  func type(_ weights: GGMLType) -> GGMLType {
    switch kind {
    case .exact: .float32
    case .convolution: weights == .float32 ? .float32 : .float16
    case .weights: weights
    }
  }
}

/// The beginning of a ggml file.
struct GGMLHeader {
  let dimensions: WhisperDimensions
  let weights: GGMLType

  /// Appends the sizes, the filters of the spectrogram and the list of tokens.
  func write(_ vocabulary: [[UInt8]], to output: inout PartWriter) {
    let sizes = [
      dimensions.tokens, WhisperDimensions.audioContext, dimensions.state, dimensions.audioHeads,
      dimensions.audioLayers, WhisperDimensions.textContext, dimensions.state, dimensions.textHeads,
      dimensions.textLayers, dimensions.bands, Int(weights.fileType), dimensions.bands,
      WhisperDimensions.frequencies,
    ]
    output.append(Int(GGMLModel.magic))
    for size in sizes { output.append(size) }
    for value in MelFilters.values(bands: dimensions.bands) {
      output.append(Int(Int32(bitPattern: value.bitPattern)))
    }
    output.append(vocabulary.count)
    for token in vocabulary {
      output.append(token.count)
      output.append(token)
    }
  }
}

extension WhisperTensor {
  /// Writes the header of the tensor.
  func writeHeader(type: GGMLType, to output: inout PartWriter) {
    let name = Array(self.name.utf8)
    for number in [shape.count, name.count, Int(type.rawValue)] + shape.reversed() {
      output.append(number)
    }
    output.append(name)
  }
}
