import FileSupport
import Foundation
import ModelStorage
import Testing

@testable import ModelConversion

/// The conversion of a folder of CTranslate2 to a file of whisper.cpp.
@Suite(.tagged(.slow)) final class WhisperConversionTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "whisper-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func convert(_ fixture: WhisperFixture, as name: String = "made.bin") throws -> Data {
    try fixture.write(to: folder)
    let target = folder.appendingPathComponent(name)
    try WhisperConversion(folder: folder.path).write(to: target.path)
    return try Data(contentsOf: target)
  }

  private func reason(_ fixture: WhisperFixture) throws -> String {
    do {
      _ = try convert(fixture, as: UUID().uuidString)
      return "converted"
    } catch ConversionError.malformed(_, let reason) { return reason }
  }

  @Test func partsOfAttentionAreTakenApart() throws {
    let fixture = WhisperFixture()
    let parts = GGMLParts(try convert(fixture))
    #expect(parts.sizes == [51_864, 1500, 8, 1, 1, 448, 8, 1, 1, 80, 1])
    let own = "decoder/layer_0/self_attention/linear_0/weight"
    let audio = "decoder/layer_0/attention/linear_1/weight"
    for (tensor, variable, row) in [
      ("attn.query", own, 0), ("attn.key", own, 8), ("attn.value", own, 16), ("cross_attn.key", audio, 0),
      ("cross_attn.value", audio, 8),
    ] {
      let values = parts.values("decoder.blocks.0.\(tensor).weight")
      #expect(values.count == 64, "\(tensor)")
      #expect(values.first == fixture.value(variable, row: row), "\(tensor)")
      #expect(values.last == fixture.value(variable, row: row + 7), "\(tensor)")
    }
    #expect(parts.tensors["decoder.blocks.0.attn.key.bias"] == nil)
    #expect(parts.tensors.count == 24 + 15 + 11)
  }

  @Test func tensorsAreInTheOrderAndTypesOfTheOfficialFiles() throws {
    let parts = GGMLParts(try convert(WhisperFixture()))
    #expect(
      parts.order.prefix(4) == [
        "decoder.positional_embedding", "encoder.positional_embedding", "decoder.token_embedding.weight",
        "decoder.blocks.0.mlp_ln.weight",
      ])
    #expect(parts.order.last == "encoder.ln_post.bias")
    #expect(parts.tensors["decoder.positional_embedding"]?.type == 0)
    #expect(parts.tensors["decoder.token_embedding.weight"]?.type == 1)
    #expect(parts.tensors["encoder.conv1.bias"]?.shape == [1, 8])
    #expect(parts.tensors["encoder.conv1.bias"]?.type == 0)
    #expect(parts.tensors["encoder.conv1.weight"]?.shape == [3, 80, 8])
    #expect(parts.tensors["encoder.conv1.weight"]?.type == 1)
  }

  @Test func tokensAreBytes() throws {
    let parts = GGMLParts(try convert(WhisperFixture()))
    #expect(parts.tokens.count == 50_257)
    #expect(parts.tokens.prefix(2) == [" t0", "t1"])
  }

  @Test(arguments: [CTranslate2Model.NumberType.float32, .bfloat16])
  func otherNumbersBecomeTheSame(type: CTranslate2Model.NumberType) throws {
    var fixture = WhisperFixture()
    // Numbers that all of the types can have.
    fixture.change = { _, values in for index in values.indices { values[index].round() } }
    let expected = try convert(fixture)
    fixture.type = type
    #expect(try convert(fixture, as: "other.bin") == expected)
  }

  @Test func quantizedFolderIsRefused() throws {
    var fixture = WhisperFixture()
    fixture.type = .int8
    #expect(try reason(fixture).contains("quantized"))
  }

  @Test func biasOfAKeyIsRefused() throws {
    var fixture = WhisperFixture()
    fixture.change = { name, values in
      if name == "encoder/layer_0/self_attention/linear_0/bias" { values[9] = 1 }
    }
    #expect(try reason(fixture).contains("biases of keys"))
    fixture.change = { name, values in
      if name == "encoder/layer_0/self_attention/linear_0/bias" { values[9] = -0.0 }
    }
    #expect(try reason(fixture) == "converted")
  }

  @Test func folderWithoutTokensIsRefused() throws {
    try WhisperFixture().write(to: folder)
    try FileManager.default.removeItem(at: folder.appendingPathComponent("vocabulary.txt"))
    #expect(throws: ConversionError.self) { try WhisperConversion(folder: folder.path) }
    try Data(#"["a", "b"]"#.utf8).write(to: folder.appendingPathComponent("vocabulary.json"))
    #expect(throws: ConversionError.self) { try WhisperConversion(folder: folder.path) }
  }

  @Test func everyListOfTokensIsRead() throws {
    let expected = try convert(WhisperFixture())
    let list = folder.appendingPathComponent("vocabulary.txt")
    try FileManager.default.removeItem(at: list)
    let numbers = Dictionary(
      WhisperFixture.vocabulary.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    for (name, object) in [
      ("tokenizer.json", ["model": ["vocab": numbers]] as Any),
      ("vocabulary.json", WhisperFixture.vocabulary),
    ] {
      let file = folder.appendingPathComponent(name)
      try JSONSerialization.data(withJSONObject: object).write(to: file)
      let target = folder.appendingPathComponent(name + ".bin")
      try WhisperConversion(folder: folder.path).write(to: target.path)
      #expect(try Data(contentsOf: target) == expected, "\(name)")
      try FileManager.default.removeItem(at: file)
    }
  }

  /// SHA-256 of the filters in the official file of base, and in OpenAI's assets.
  @Test(arguments: [
    (80, "85818f156f7e189453901a515e4726d270d307f976e161cf9403e8caab405498"),
    (128, "2a5f9822897750e047c85dea37cc268d3be0ecfd23c28a5f10da129d99d05afe"),
  ])
  func filtersAreThoseOfTheOfficialFiles(bands: Int, sha256: String) {
    let bytes = MelFilters.values(bands: bands).withUnsafeBytes { Data($0) }
    #expect(SHA256.hash(data: bytes).hexadecimal == sha256)
  }

  /// What `make setup` installed has the SHA-256 of the official files, and the checks accept it.
  @Test(arguments: [("whisper-base", 99), ("whisper-tiny-en", 1)])
  func installedWeightsAreTheOfficialOnes(name: String, languages: Int) throws {
    let store = ModelStore(environment: ["HOME": "/nonexistent"])
    guard let model = store.installed().first(where: { $0.name == name }) else { return }
    try store.verify(name)
    #expect(model.description.languages.count == languages)
    let file = try #require(model.description.file(.model))
    let whisper = try GGMLModel(path: model.folder.appendingPathComponent(file.name).path)
    #expect(whisper.weights == .float16)
    #expect("whisper-" + whisper.dimensions.sizeName == name.replacing("-en", with: ""))
  }
}
