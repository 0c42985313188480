import Foundation

/// The variables of a model of CTranslate2 (`model.bin`): where their numbers are in the file. The file is not trusted.
struct CTranslate2Model {
  /// How a number is stored.
  enum NumberType: UInt8 {
    case float32 = 0
    case int8 = 1
    case int16 = 2
    case int32 = 3
    case float16 = 4
    case bfloat16 = 5

    var size: Int {
      switch self {
      case .int8: 1
      case .int16, .float16, .bfloat16: 2
      case .float32, .int32: 4
      }
    }
  }

  struct Variable: Equatable {
    let shape: [Int]
    let type: NumberType
    let offset: UInt64
  }

  private static let maxNameLength: UInt16 = 512
  private static let maxVariables: UInt32 = 20_000
  private static let maxSides = 4

  let path: String
  /// By their names, other names included.
  private(set) var variables: [String: Variable] = [:]
  private(set) var otherNames: [String: String] = [:]

  /// Reads where the variables are.
  init(path: String) throws(ConversionError) {
    self.path = path
    guard var reader = SeekingReader(path: path) else {
      throw .malformed(path: path, reason: "cannot be read")
    }
    guard let version = reader.number(UInt32.self), (4...6).contains(version),
      try name(&reader) == "WhisperSpec", reader.number(UInt32.self) != nil
    else { throw .malformed(path: path, reason: "is not a Whisper model of CTranslate2") }
    for _ in 0..<(try number(&reader, max: Self.maxVariables)) {
      let name = try name(&reader)
      let variable = try variable(&reader)
      guard variables.updateValue(variable, forKey: name) == nil else {
        throw .malformed(path: path, reason: "has the variable \(name) twice")
      }
    }
    for _ in 0..<(try number(&reader, max: Self.maxVariables)) {
      let other = try name(&reader)
      otherNames[other] = try name(&reader)
    }
    guard reader.offset == reader.size else {
      throw .malformed(path: path, reason: "is longer than its content")
    }
  }

  private var isCut: ConversionError { .malformed(path: path, reason: "ends too early") }

  private func number(_ reader: inout SeekingReader, max: UInt32) throws(ConversionError) -> UInt32 {
    guard let number = reader.number(UInt32.self) else { throw isCut }
    guard number <= max else { throw .malformed(path: path, reason: "has too many variables") }
    return number
  }

  private func name(_ reader: inout SeekingReader) throws(ConversionError) -> String {
    guard let length = reader.number(UInt16.self) else { throw isCut }
    guard (1...Self.maxNameLength).contains(length) else {
      throw .malformed(path: path, reason: "has a name that is not allowed")
    }
    guard let bytes = reader.bytes(Int(length)) else { throw isCut }
    guard bytes.last == 0, bytes.dropLast().allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .malformed(path: path, reason: "has a name that is not allowed")
    }
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }

  private func variable(_ reader: inout SeekingReader) throws(ConversionError) -> Variable {
    guard let sides = reader.byte() else { throw isCut }
    var shape: [Int] = []
    var count = 1
    guard sides <= Self.maxSides else {
      throw .malformed(path: path, reason: "has a variable of \(sides) dimensions")
    }
    for _ in 0..<sides {
      guard let side = reader.number(UInt32.self) else { throw isCut }
      let (product, isTooLarge) = count.multipliedReportingOverflow(by: Int(side))
      guard !isTooLarge else { throw .malformed(path: path, reason: "has a variable that is too large") }
      count = product
      shape.append(Int(side))
    }
    guard let number = reader.byte(), let length = reader.number(UInt32.self) else { throw isCut }
    guard let type = NumberType(rawValue: number) else {
      throw .malformed(path: path, reason: "has numbers of an unknown type")
    }
    guard count.multipliedReportingOverflow(by: type.size) == (Int(length), false) else {
      throw .malformed(path: path, reason: "has a variable whose length differs from its dimensions")
    }
    guard UInt64(length) <= reader.size - reader.offset else { throw isCut }
    defer { reader.seek(to: reader.offset + UInt64(length)) }
    return Variable(shape: shape, type: type, offset: reader.offset)
  }

  /// A variable of one whole number.
  func number(_ name: String, _ reader: inout SeekingReader) throws(ConversionError) -> Int {
    guard let variable = variables[name], variable.shape.isEmpty else {
      throw .malformed(path: path, reason: "lacks the number \(name)")
    }
    reader.seek(to: variable.offset)
    let value: Int? =
      switch variable.type {
      case .int8: reader.number(Int8.self).map(Int.init)
      case .int16: reader.number(Int16.self).map(Int.init)
      case .int32: reader.number(Int32.self).map(Int.init)
      default: nil
      }
    guard let value else { throw .malformed(path: path, reason: "has no whole number as \(name)") }
    return value
  }
}
