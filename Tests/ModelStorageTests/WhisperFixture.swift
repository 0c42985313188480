import Foundation

@testable import ModelConversion

/// A tiny Whisper model in a folder of CTranslate2. Each number says its variable and its row, so that it is found again.
struct WhisperFixture {
  static let dimensions = WhisperDimensions(
    tokens: 51_864, state: 8, audioHeads: 1, audioLayers: 1, textHeads: 1, textLayers: 1, bands: 80)

  var dimensions = Self.dimensions
  var type = CTranslate2Model.NumberType.float16
  /// Changes the numbers of a variable.
  var change: (_ variable: String, _ values: inout [Float]) -> Void = { _, _ in }

  /// The variables and their shapes, in the order of their names.
  var variables: [(name: String, shape: [Int])] {
    var shapes: [String: [Int]] = [:]
    for tensor in dimensions.tensors {
      var shape = [tensor.variableRows] + tensor.shape.dropFirst()
      if shape.count == 2, shape[1] == 1 { shape.removeLast() }
      shapes[tensor.variable] = shape
    }
    for side in ["encoder", "decoder"] {
      shapes["\(side)/layer_0/self_attention/linear_0/bias"] = [3 * dimensions.state]
    }
    shapes["decoder/layer_0/attention/linear_1/bias"] = [2 * dimensions.state]
    return shapes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The number that a row of a variable has.
  func value(_ variable: String, row: Int) -> Float {
    if variable.hasSuffix("self_attention/linear_0/bias"), (8..<16).contains(row) { return 0 }
    if variable.hasSuffix("/attention/linear_1/bias"), row < 8 { return 0 }
    let index = variables.firstIndex { $0.name == variable } ?? 0
    return Float(index + 1) + Float(row % 64) / 64
  }

  /// The bytes of `model.bin`.
  var model: [UInt8] {
    var bytes: [UInt8] = []
    func add<Number: FixedWidthInteger>(_ number: Number) {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    func add(_ name: String) {
      add(UInt16(name.utf8.count + 1))
      bytes.append(contentsOf: name.utf8)
      bytes.append(0)
    }
    add(UInt32(6))
    add("WhisperSpec")
    add(UInt32(3))
    let variables = variables
    add(UInt32(variables.count + 2))
    for (index, variable) in variables.enumerated() {
      add(variable.name)
      add(UInt8(variable.shape.count))
      for side in variable.shape { add(UInt32(side)) }
      add(type.rawValue)
      let length = variable.shape.dropFirst().reduce(1, *)
      add(UInt32(variable.shape[0] * length * type.size))
      let isZero = { (row: Int) in
        variable.name.hasSuffix("self_attention/linear_0/bias") && (8..<16).contains(row)
          || variable.name.hasSuffix("/attention/linear_1/bias") && row < 8
      }
      var values = (0..<variable.shape[0] * length).map { number in
        let row = number / length
        return isZero(row) ? 0 : Float(index + 1) + Float(row % 64) / 64
      }
      change(variable.name, &values)
      for value in values {
        switch type {
        case .float32: add(value.bitPattern)
        case .bfloat16: add(UInt16(value.bitPattern >> 16))
        case .int8: add(Int8(1))
        default: add(Float16(value).bitPattern)
        }
      }
    }
    for side in ["encoder", "decoder"] {
      add("\(side)/num_heads")
      add(UInt8(0))
      add(UInt8(2))
      add(UInt32(2))
      add(Int16(side == "encoder" ? dimensions.audioHeads : dimensions.textHeads))
    }
    add(UInt32(1))
    add("decoder/projection/weight")
    add("decoder/embeddings/weight")
    return bytes
  }

  /// A list of as many tokens as Whisper has. `Ġ` is a space.
  static let vocabulary = (0..<WhisperDimensions.textTokens).map { $0 % 2 == 0 ? "Ġt\($0)" : "t\($0)" }

  /// Writes the folder.
  func write(to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(model).write(to: folder.appendingPathComponent("model.bin"))
    let lines = Self.vocabulary.joined(separator: "\n") + "\n"
    try Data(lines.utf8).write(to: folder.appendingPathComponent("vocabulary.txt"))
  }
}

/// Where the parts of a ggml file are, read without the code that is tested.
struct GGMLParts {
  private(set) var sizes: [Int32] = []
  private(set) var tokens: [String] = []
  private(set) var tensors: [String: (shape: [Int], type: Int32, bytes: [UInt8])] = [:]
  /// The names in the order of the file.
  private(set) var order: [String] = []

  init(_ data: Data) {
    var offset = 0
    func number() -> Int32 {
      defer { offset += 4 }
      return data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Int32.self) }
    }
    func bytes(_ count: Int) -> [UInt8] {
      defer { offset += count }
      return Array(data[offset..<offset + count])
    }
    _ = number()
    sizes = (0..<11).map { _ in number() }
    _ = bytes(Int(number()) * Int(number()) * 4)
    tokens = (0..<number()).map { _ in String(decoding: bytes(Int(number())), as: UTF8.self) }
    while offset < data.count {
      let (sides, length, type) = (number(), number(), number())
      let shape = (0..<sides).map { _ in Int(number()) }
      let name = String(decoding: bytes(Int(length)), as: UTF8.self)
      let size = shape.reduce(1, *) * (type == 0 ? 4 : 2)
      order.append(name)
      tensors[name] = (shape, type, bytes(size))
    }
  }

  /// The numbers of a tensor.
  func values(_ name: String) -> [Float] {
    guard let tensor = tensors[name] else { return [] }
    return tensor.bytes.withUnsafeBytes { bytes in
      tensor.type == 0
        ? bytes.bindMemory(to: Float.self).map { $0 } : bytes.bindMemory(to: Float16.self).map { Float($0) }
    }
  }
}
