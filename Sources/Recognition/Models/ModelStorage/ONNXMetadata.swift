import ModelConversion

/// What an ONNX file says of itself: its metadata, and the names of the network's inputs and outputs.
///
/// The library that runs the networks ends its process when it misses a key, so that files are checked before. The
/// weights, which can be gigabytes, are not read.
///
/// The numbers of the fields are those of `onnx.proto`: a `ModelProto` has `ir_version` 1, `graph` 7, `metadata_props` 14 and
/// `functions` 25; a `GraphProto` has `node` 1, `initializer` 5, `input` 11 and `output` 12; a `FunctionProto` has `node` 7; a
/// `NodeProto` has `attribute` 5; an `AttributeProto` has tensors 5 and 10 and graphs 6 and 11; a `TensorProto` has
/// `external_data` 13 and `data_location` 14.
public struct ONNXMetadata: Sendable, Equatable {
  /// The metadata; the last value of a key that occurs more than once.
  public private(set) var values: [String: String] = [:]
  /// The names of the inputs, in their order.
  public private(set) var inputs: [String] = []
  /// The names of the outputs, in their order.
  public private(set) var outputs: [String] = []

  private static let maxFields = 2_000_000
  /// Graphs in graphs: the branches of a condition have some.
  private static let maxDepth = 16
  private static let maxEntries = 4096
  private static let maxNameLength: UInt64 = 4096
  private static let maxEntryLength: UInt64 = 4 << 20
  /// The bytes of all texts together that are kept. Real files have some kilobytes; the labels of punctuation models are the
  /// longest.
  private static let maxTotalLength = 16 << 20
  private var totalLength = 0

  /// What stops the reading.
  private enum Stop: Error {
    case malformed(String)
    case truncated
  }

  /// Reads the metadata of a file.
  /// - Throws: `ModelFolderError` that names the file.
  public init(path: String) throws(ModelFolderError) {
    guard var reader = SeekingReader(path: path) else {
      throw ModelFolderError(
        .unreadable, path: path, reason: "The file \(path) cannot be read.",
        remedy: "Check that it exists and that you may read it.")
    }
    do throws(Stop) {
      try read(&reader)
    } catch {
      switch error {
      case .truncated:
        throw ModelFolderError(
          .truncated, path: path, reason: "The file \(path) ends too early.",
          remedy: ModelFolderError.installAgain)
      case .malformed(let what):
        throw ModelFolderError(
          .notANetwork, path: path, reason: "The file \(path) is no ONNX network: \(what).",
          remedy: ModelFolderError.installAgain)
      }
    }
  }

  /// The value of a key; nil if there is none or it is empty.
  public subscript(key: String) -> String? { values[key].flatMap { $0.isEmpty ? nil : $0 } }

  private mutating func read(_ reader: inout SeekingReader) throws(Stop) {
    guard reader.size > 0 else { throw .truncated }
    var version: UInt64?
    var hasGraph = false
    var fields = 0
    while reader.offset < reader.size {
      let field = try Self.field(&reader, within: reader.size, isNetwork: version != nil, counting: &fields)
      switch (field.number, field.content) {
      case (1, .number(let value)): version = value
      case (7, .bytes(let end)):
        guard version != nil else { throw .malformed("its version is missing") }
        hasGraph = true
        try readGraph(&reader, until: end, counting: &fields)
      case (14, .bytes(let end)): try readEntry(&reader, until: end, counting: &fields)
      case (25, .bytes(let end)): try Self.check(.function, &reader, until: end, counting: &fields)
      default: break
      }
      if case .bytes(let end) = field.content { reader.seek(to: end) }
    }
    guard let version, (1...100).contains(version) else { throw .malformed("its version is missing") }
    // A file that was cut between two fields.
    guard hasGraph else { throw .truncated }
  }

  private mutating func readGraph(
    _ reader: inout SeekingReader, until end: UInt64, counting fields: inout Int
  ) throws(Stop) {
    while reader.offset < end {
      let field = try Self.field(&reader, within: end, isNetwork: true, counting: &fields)
      guard case .bytes(let fieldEnd) = field.content else { continue }
      if let part = Part.graph.parts[field.number] {
        try Self.check(part, &reader, until: fieldEnd, counting: &fields)
      } else if field.number == 11 || field.number == 12 {
        // Its field 2 is no text but the shape.
        let name = try Self.strings(&reader, 1, until: fieldEnd, counting: &fields)[1] ?? ""
        guard inputs.count + outputs.count < Self.maxEntries else { throw .malformed("too many inputs") }
        try count(name.utf8.count, "too many inputs")
        if field.number == 11 { inputs.append(name) } else { outputs.append(name) }
      }
      reader.seek(to: fieldEnd)
    }
  }

  private mutating func readEntry(
    _ reader: inout SeekingReader, until end: UInt64, counting fields: inout Int
  ) throws(Stop) {
    guard values.count < Self.maxEntries, end - reader.offset <= Self.maxEntryLength else {
      throw .malformed("too much metadata")
    }
    let entry = try Self.strings(&reader, 2, until: end, counting: &fields)
    if let key = entry[1] {
      values[key] = entry[2] ?? ""
      try count(key.utf8.count + (entry[2]?.utf8.count ?? 0), "too much metadata")
    }
  }

  private mutating func count(_ length: Int, _ problem: String) throws(Stop) {
    totalLength += length
    guard totalLength <= Self.maxTotalLength else { throw .malformed(problem) }
  }

  /// A part of a network that may have weights, or parts with weights.
  private enum Part {
    case graph, function, node, attribute, tensor

    /// Its parts of these kinds, by the numbers of their fields.
    var parts: [UInt64: Part] {
      switch self {
      case .graph: [1: .node, 5: .tensor]
      case .function: [7: .node]
      case .node: [5: .attribute]
      case .attribute: [5: .tensor, 10: .tensor, 6: .graph, 11: .graph]
      case .tensor: [:]
      }
    }
  }

  /// Refuses weights in other files: the library would read whatever path the network names.
  private static func check(
    _ part: Part, _ reader: inout SeekingReader, until end: UInt64, depth: Int = 0, counting fields: inout Int
  ) throws(Stop) {
    guard depth <= maxDepth else { throw .malformed("its graphs are too deep") }
    while reader.offset < end {
      let field = try field(&reader, within: end, isNetwork: true, counting: &fields)
      switch field.content {
      case .number(let place):
        if part == .tensor, field.number == 14, place != 0 {
          throw .malformed("its weights are in another file")
        }
      case .bytes(let fieldEnd):
        if part == .tensor, field.number == 13 { throw .malformed("its weights are in another file") }
        if let inner = part.parts[field.number] {
          let depth = depth + (inner == .graph ? 1 : 0)
          try check(inner, &reader, until: fieldEnd, depth: depth, counting: &fields)
        }
        reader.seek(to: fieldEnd)
      }
    }
  }

  /// The texts of a message's fields from 1 to `last`.
  private static func strings(
    _ reader: inout SeekingReader, _ last: UInt64, until end: UInt64, counting fields: inout Int
  ) throws(Stop) -> [UInt64: String] {
    var strings: [UInt64: String] = [:]
    while reader.offset < end {
      let field = try field(&reader, within: end, isNetwork: true, counting: &fields)
      guard case .bytes(let fieldEnd) = field.content else { continue }
      let limit = field.number == 1 ? maxNameLength : maxEntryLength
      if field.number <= last, fieldEnd - reader.offset <= limit {
        guard let bytes = reader.bytes(Int(fieldEnd - reader.offset)) else { throw .truncated }
        guard let text = String(validating: bytes, as: UTF8.self) else {
          throw .malformed("a name is no text")
        }
        strings[field.number] = text
      } else if field.number == 1 {
        throw .malformed("a name is too long")
      }
      reader.seek(to: fieldEnd)
    }
    return strings
  }

  private enum Content {
    case number(UInt64)
    /// Bytes from here to this offset.
    case bytes(UInt64)
  }

  /// Reads the beginning of a field.
  /// - Parameters:
  ///   - reader: positioned at the field, and then at its content.
  ///   - end: the offset where the message ends that has the field.
  ///   - isNetwork: whether the file has begun as a network does: what reaches beyond its end is then missing.
  ///   - fields: the number of fields so far.
  private static func field(
    _ reader: inout SeekingReader, within end: UInt64, isNetwork: Bool, counting fields: inout Int
  ) throws(Stop) -> (number: UInt64, content: Content) {
    fields += 1
    guard fields <= maxFields else { throw .malformed("too many parts") }
    let tag = try varint(&reader, within: end)
    guard tag >> 3 > 0, tag >> 3 < 1 << 29 else { throw .malformed("a part has no number") }
    let length: UInt64
    switch tag & 7 {
    case 0: return (tag >> 3, .number(try varint(&reader, within: end)))
    case 1: length = 8
    case 2: length = try varint(&reader, within: end)
    case 5: length = 4
    default: throw .malformed("a part is of an unknown kind")
    }
    guard length <= end - reader.offset else {
      throw end == reader.size && isNetwork ? .truncated : .malformed("a part is longer than the whole")
    }
    if tag & 7 != 2 {
      reader.seek(to: reader.offset + length)
      return (tag >> 3, .number(0))
    }
    return (tag >> 3, .bytes(reader.offset + length))
  }

  private static func varint(_ reader: inout SeekingReader, within end: UInt64) throws(Stop) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard reader.offset < end, let byte = reader.byte() else {
        throw end == reader.size ? .truncated : .malformed("a number is longer than its part")
      }
      if shift == 63, byte > 1 { break }
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
    }
    throw .malformed("a number is too large")
  }
}
