import Foundation
import TestSupport
import Testing

@testable import ModelStorage

@Suite struct ONNXMetadataTests {
  @Test func metadataAndShapeOfANetworkAreRead() throws {
    let toy = try ToyModel(.streamingCTC)
    let metadata = try ONNXMetadata(path: toy.file("model.onnx"))
    #expect(metadata["model_type"] == "EncDecCTCModelBPE")
    #expect(metadata["subsampling_factor"] == "4")
    #expect(metadata.values["normalize_type"] == "")
    #expect(metadata["normalize_type"] == nil)
    #expect(metadata.inputs.first == "audio_signal")
    #expect(metadata.inputs.count == 5)
    #expect(metadata.outputs.first == "logprobs")
  }

  @Test func everyCutOfANetworkIsAnError() throws {
    let toy = try ToyModel(.transducer)
    let size = try toy.data("joiner.onnx").count
    for length in [0, 1, 5, 20, 200, size / 2, size - 1] {
      try FileManager.default.copyItem(
        atPath: ToyModel.Kind.transducer.original.appendingPathComponent("joiner.onnx").path,
        toPath: toy.file("\(length).onnx"))
      try toy.truncate("\(length).onnx", to: length)
      let error = #expect(throws: ModelFolderError.self) {
        try ONNXMetadata(path: toy.file("\(length).onnx"))
      }
      #expect(error?.path == toy.file("\(length).onnx"))
      #expect(error?.fault == .truncated)
    }
  }

  @Test func filesThatAreNoNetworksAreErrors() throws {
    let toy = try ToyModel(.ctc)
    let contents: [[UInt8]] = [
      Array("zero 0\none 1\n".utf8), Array(repeating: 0, count: 100), Array(repeating: 0xFF, count: 100),
      Array("<html><body>Not found</body></html>".utf8),
      // A graph before the version, and one of 2^63 bytes.
      [0x3A, 0], [8, 8, 0x3A] + Array(repeating: 0xFF, count: 8) + [0x7F],
    ]
    for content in contents {
      try toy.write(Data(content), to: "model.onnx")
      let error = #expect(throws: ModelFolderError.self) { try ONNXMetadata(path: toy.file("model.onnx")) }
      #expect(error?.description.contains(toy.file("model.onnx")) == true)
    }
  }

  private func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
    #expect(content.count < 128 && number < 32)
    return (number < 16 ? [number << 3 | 2] : [number << 3 & 0x7F | 0x82, number >> 4]) + [
      UInt8(content.count)
    ] + content
  }

  /// A network for voices has outputs of fixed widths: the bytes of 192 and 512 are no UTF-8.
  @Test(arguments: [64, 128, 192, 512]) func fixedWidthsAreRead(width: Int) throws {
    let toy = try ToyModel(.ctc)
    let number = width < 128 ? [UInt8(width)] : [UInt8(width & 127) | 128, UInt8(width >> 7)]
    // tensor_type, shape, dim, dim_value
    let type = field(1, [8, 1] + field(2, field(1, [8] + number)))
    let output = field(12, field(1, Array("embedding".utf8)) + field(2, type))
    try toy.write(Data([8, 8] + field(7, output)), to: "model.onnx")
    #expect(try ONNXMetadata(path: toy.file("model.onnx")).outputs == ["embedding"])
  }

  /// The library would read the file that the network names, wherever it is.
  @Test func weightsInOtherFilesAreRefused() throws {
    let toy = try ToyModel(.ctc)
    let location = field(1, Array("location".utf8)) + field(2, Array("../../secret".utf8))
    let tensors = [field(13, location), [14 << 3, 1], field(13, location) + [14 << 3, 1]]
    for tensor in tensors {
      let attribute = field(5, field(5, tensor))
      let branch = field(5, field(6, field(5, tensor)))
      let networks = [
        field(7, field(5, tensor)), field(7, field(1, attribute)), field(7, field(1, branch)),
        field(7, []) + field(25, field(7, attribute)),
      ]
      for network in networks {
        try toy.write(Data([8, 8] + network), to: "model.onnx")
        let error = #expect(throws: ModelFolderError.self) { try ONNXMetadata(path: toy.file("model.onnx")) }
        #expect(error?.description.contains("weights are in another file") == true, "\(network)")
      }
    }
    // Weights in the file itself.
    try toy.write(Data([8, 8] + field(7, field(5, [14 << 3, 0]))), to: "model.onnx")
    _ = try ONNXMetadata(path: toy.file("model.onnx"))
  }

  /// Many long texts, which an archive of a few megabytes can hold.
  @Test func allMetadataHaveOneBound() throws {
    func varint(_ value: Int) -> [UInt8] {
      value < 128 ? [UInt8(value)] : [UInt8(value & 127) | 128] + varint(value >> 7)
    }
    let toy = try ToyModel(.ctc)
    for (count, isRead) in [(8, true), (20, false)] {
      var content = Data([8, 8])
      for number in 0..<count {
        let key = Array("key\(number)".utf8)
        let value = Data([0x0A, UInt8(key.count)] + key + [0x12] + varint(1 << 20)) + Data(count: 1 << 20)
        content += Data([0x72] + varint(value.count)) + value
      }
      try toy.write(content + Data([0x3A, 0]), to: "model.onnx")
      let read = Result { try ONNXMetadata(path: toy.file("model.onnx")) }
      #expect((try? read.get())?.values.count == (isRead ? count : nil))
      if case .failure(let error) = read { #expect("\(error)".contains("too much metadata"), "\(error)") }
    }
  }

  @Test func pipesAndFoldersAreErrors() throws {
    let toy = try ToyModel(.ctc)
    #expect(mkfifo(toy.file("pipe.onnx"), 0o600) == 0)
    for path in [toy.file("pipe.onnx"), toy.path, toy.file("none.onnx")] {
      #expect(throws: ModelFolderError.self) { try ONNXMetadata(path: path) }
    }
  }

  /// Damage of any kind gives metadata or an error; it neither crashes nor takes long.
  @Test func damagedNetworksDoNotHarm() throws {
    let toy = try ToyModel(.transducer)
    var random = TestGenerator(seed: 17)
    // The decoder has a small graph; its end has most of what is read.
    let original = [UInt8](try toy.data("decoder.onnx"))
    let start = Date()
    for _ in 0..<600 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let near = Bool.random(using: &random)
        let index =
          near
          ? Int.random(in: 0..<400, using: &random)
          : bytes.count - 1 - Int.random(in: 0..<min(600, bytes.count), using: &random)
        bytes[index] = UInt8.random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 1...500, using: &random)) }
      try toy.write(Data(bytes), to: "decoder.onnx")
      _ = try? ONNXMetadata(path: toy.file("decoder.onnx"))
    }
    #expect(Date().timeIntervalSince(start) < 60)
  }
}

/// A generator of reproducible numbers (SplitMix64).
struct TestGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
