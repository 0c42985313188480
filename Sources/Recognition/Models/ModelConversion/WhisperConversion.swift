import Foundation

/// Converts a Whisper model of CTranslate2, as faster-whisper uses it, to the format of whisper.cpp.
///
/// The numbers stay the same. From a folder with 16-bit numbers comes, byte for byte, the file that whisper.cpp's authors
/// published. The model is read and written in parts, so that memory is needed for a part only.
package struct WhisperConversion {
  /// The name of the file by which such a folder is recognized.
  package static let sourceName = "model.bin"
  private static let partSize = 1 << 20

  package let dimensions: WhisperDimensions
  private let model: CTranslate2Model
  private let vocabulary: [[UInt8]]
  private let tensors: [WhisperTensor]

  /// Reads a folder, and checks that it has every tensor and the list of tokens.
  package init(folder: String) throws(ConversionError) {
    model = try CTranslate2Model(path: folder + "/" + Self.sourceName)
    dimensions = try Self.dimensions(of: model)
    vocabulary = try WhisperVocabulary.read(folder: folder)
    tensors = dimensions.tensors
    for tensor in tensors { try check(tensor) }
    guard model.variables["decoder/projection/weight"] == nil else {
      throw .malformed(
        path: model.path, reason: "has a matrix for its output that the format of whisper.cpp lacks")
    }
    try checkKeys()
  }

  private static func dimensions(of model: CTranslate2Model) throws(ConversionError) -> WhisperDimensions {
    guard var reader = SeekingReader(path: model.path) else {
      throw .malformed(path: model.path, reason: "cannot be read")
    }
    func layers(_ side: String) -> Int {
      (0...64).first { model.variables["\(side)/layer_\($0)/ffn/linear_0/weight"] == nil } ?? 65
    }
    guard let embeddings = model.variables["decoder/embeddings/weight"]?.shape, embeddings.count == 2,
      let convolution = model.variables["encoder/conv1/weight"]?.shape, convolution.count == 3
    else { throw .malformed(path: model.path, reason: "lacks the variables of a Whisper model") }
    let dimensions = WhisperDimensions(
      tokens: embeddings[0], state: embeddings[1],
      audioHeads: try model.number("encoder/num_heads", &reader), audioLayers: layers("encoder"),
      textHeads: try model.number("decoder/num_heads", &reader), textLayers: layers("decoder"),
      bands: convolution[1])
    if let problem = dimensions.problem {
      throw .malformed(path: model.path, reason: "is not a Whisper model: \(problem)")
    }
    return dimensions
  }

  private func check(_ tensor: WhisperTensor) throws(ConversionError) {
    guard let variable = model.variables[tensor.variable] else {
      throw .malformed(path: model.path, reason: "lacks the variable \(tensor.variable)")
    }
    var shape = [tensor.variableRows] + tensor.shape.dropFirst()
    // CTranslate2 has no second side here.
    if tensor.shape.count == 2, tensor.shape[1] == 1 { shape.removeLast() }
    guard variable.shape == shape else {
      throw .malformed(path: model.path, reason: "has the variable \(tensor.variable) with other dimensions")
    }
    switch variable.type {
    case .float16, .float32, .bfloat16: return
    case .int8, .int16, .int32:
      throw .malformed(
        path: model.path,
        reason: "has quantized weights (int8), from which the model cannot be made; float16 can")
    }
  }

  /// The format of whisper.cpp has no biases of keys. OpenAI's models have none either; CTranslate2 writes zeros.
  private func checkKeys() throws(ConversionError) {
    for tensor in tensors where tensor.name.hasSuffix("attn.key.weight") {
      let name = tensor.variable.dropLast("weight".count) + "bias"
      guard let bias = model.variables[String(name)] else { continue }
      let rows = tensor.rows
      guard bias.shape == [tensor.variableRows], var reader = SeekingReader(path: model.path) else {
        throw .malformed(path: model.path, reason: "has the variable \(name) with other dimensions")
      }
      reader.seek(to: bias.offset + UInt64(rows.lowerBound * bias.type.size))
      guard let bytes = reader.bytes(rows.count * bias.type.size) else {
        throw .malformed(path: model.path, reason: "ends too early")
      }
      let isZero = bytes.indices.allSatisfy { index in
        // The sign of a zero does not matter.
        bytes[index] & ((index + 1) % bias.type.size == 0 ? 0x7F : 0xFF) == 0
      }
      guard isZero else {
        throw .malformed(
          path: model.path, reason: "has biases of keys, which the format of whisper.cpp lacks")
      }
    }
  }

  /// Writes the model as a new file of whisper.cpp with 16-bit weights.
  package func write(to path: String) throws(ConversionError) {
    guard var reader = SeekingReader(path: model.path) else {
      throw .malformed(path: model.path, reason: "cannot be read")
    }
    var output = try PartWriter(path: path)
    GGMLHeader(dimensions: dimensions, weights: .float16).write(vocabulary, to: &output)
    for tensor in tensors {
      let isExact = tensor.kind == .exact
      tensor.writeHeader(type: isExact ? .float32 : .float16, to: &output)
      guard let variable = model.variables[tensor.variable] else { continue }
      let row = tensor.count / tensor.rows.count * variable.type.size
      reader.seek(to: variable.offset + UInt64(tensor.rows.lowerBound * row))
      var left = tensor.count * variable.type.size
      while left > 0 {
        try checkCancellation()
        guard let part = reader.bytes(min(left, Self.partSize)) else {
          throw .malformed(path: model.path, reason: "ends too early")
        }
        left -= part.count
        output.append(isExact ? variable.type.float32(part) : variable.type.float16(part))
        try output.flush(ifLargerThan: Self.partSize)
      }
    }
    try output.finish()
  }

  private func checkCancellation() throws(ConversionError) {
    if Task.isCancelled { throw .system(ECANCELED, path: model.path) }
  }
}

extension CTranslate2Model.NumberType {
  /// The same numbers as 32-bit ones.
  fileprivate func float32(_ bytes: [UInt8]) -> [UInt8] {
    self == .float32 ? bytes : numbers(bytes) { $0.bitPattern }
  }

  /// The nearest 16-bit numbers.
  fileprivate func float16(_ bytes: [UInt8]) -> [UInt8] {
    self == .float16 ? bytes : numbers(bytes) { Float16($0).bitPattern }
  }

  private func numbers<Bits: FixedWidthInteger>(_ bytes: [UInt8], _ bits: (Float) -> Bits) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count / size * Bits.bitWidth / 8)
    bytes.withUnsafeBytes { bytes in
      for offset in stride(from: 0, to: bytes.count - size + 1, by: size) {
        let value: Float =
          switch self {
          case .float16:
            Float(Float16(bitPattern: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
          case .bfloat16:
            Float(bitPattern: UInt32(bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)) << 16)
          default: Float(bitPattern: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
          }
        withUnsafeBytes(of: bits(value).littleEndian) { result.append(contentsOf: $0) }
      }
    }
    return result
  }
}
