import Foundation
import TestSupport
import Testing

@testable import ModelStorage

@Suite struct ModelInspectionTests {
  private func description(_ family: ModelFamily, _ files: [ModelDescription.Role: String])
    -> ModelDescription
  {
    ModelDescription(
      name: "toy", family: family,
      files: files.map { .init(role: $0.key, name: $0.value, size: 0, sha256: "") }, languages: ["en"],
      isPunctuated: false, licence: .init(identifier: "unknown"), source: nil)
  }

  private func fault(_ toy: ToyModel, _ description: ModelDescription? = nil) -> ModelFolderError.Fault? {
    #expect(throws: ModelFolderError.self) {
      try ModelInspection(folder: toy.path, description: description)
    }?.fault
  }

  @Test func familiesAreRecognizedByMetadata() throws {
    let families: [(ToyModel.Kind, ModelFamily)] = [
      (.ctc, .nemoCTC), (.streamingCTC, .nemoStreamingCTC), (.transducer, .nemoTransducer),
    ]
    for (kind, family) in families {
      #expect(try ModelInspection(folder: kind.original.path).family == family)
    }
  }

  @Test func filesAreAssignedToRoles() throws {
    let toy = try ToyModel(.transducer)
    try FileManager.default.copyItem(atPath: toy.file("encoder.onnx"), toPath: toy.file("encoder.int8.onnx"))
    let inspection = try ModelInspection(folder: toy.path)
    #expect(inspection.files[.encoder] == "encoder.int8.onnx")
    #expect(inspection.files[.decoder] == "decoder.onnx")
    #expect(inspection.files[.joiner] == "joiner.onnx")
    #expect(inspection.files[.pieces] == "bpe.vocab")
    #expect(inspection.path(.tokens) == toy.file("tokens.txt"))
    #expect(inspection.metadata["url"] == "toy-tdt")
    #expect(inspection.tokens.last == "<blk>")
  }

  @Test(arguments: ["encoder.onnx", "decoder.onnx", "joiner.onnx", "tokens.txt"])
  func aMissingFileIsNamed(_ name: String) throws {
    let toy = try ToyModel(.transducer)
    try toy.remove(name)
    let error = #expect(throws: ModelFolderError.self) { try ModelInspection(folder: toy.path) }
    #expect(error?.fault == .missingFile)
    #expect(error?.description.contains(toy.path) == true)
  }

  @Test func anEmptyFolderAndNoFolderAreErrors() throws {
    let toy = try ToyModel(.ctc)
    try toy.remove("model.onnx")
    #expect(fault(toy) == .missingFile)
    #expect(throws: ModelFolderError.self) { try ModelInspection(folder: toy.path + "/none") }
  }

  @Test(arguments: [
    ("encoder.onnx", "decoder.onnx"), ("encoder.onnx", "joiner.onnx"), ("decoder.onnx", "joiner.onnx"),
  ])
  func swappedFilesAreErrors(_ one: String, _ other: String) throws {
    let toy = try ToyModel(.transducer)
    try toy.swap(one, other)
    #expect(fault(toy) == .swapped)
  }

  @Test func aTruncatedNetworkIsAnError() throws {
    let toy = try ToyModel(.transducer)
    try toy.truncate("joiner.onnx", to: 10_000)
    #expect(fault(toy) == .truncated)
  }

  @Test(arguments: ["vocab_size", "subsampling_factor", "normalize_type", "pred_rnn_layers", "pred_hidden"])
  func eachMissingKeyOfATransducerIsNamed(_ key: String) throws {
    let toy = try ToyModel(.transducer)
    try toy.setMetadata([key: nil], of: "encoder.onnx")
    let error = #expect(throws: ModelFolderError.self) { try ModelInspection(folder: toy.path) }
    #expect(error?.fault == .missingMetadata)
    #expect(error?.description.contains("\"\(key)\"") == true)
  }

  @Test func eachMissingKeyOfAStreamingModelIsAnError() throws {
    for key in ModelFamily.nemoStreamingCTC.requiredKeys.flatMap(\.value) {
      let toy = try ToyModel(.streamingCTC)
      try toy.setMetadata([key: nil], of: "model.onnx")
      #expect(fault(toy) == .missingMetadata)
    }
  }

  @Test func networksWithoutMetadataAreErrors() throws {
    let keys = [
      "vocab_size", "subsampling_factor", "normalize_type", "model_type", "version", "model_author",
      "comment",
    ]
    let toy = try ToyModel(.ctc)
    try toy.setMetadata(Dictionary(uniqueKeysWithValues: keys.map { ($0, nil) }), of: "model.onnx")
    #expect(fault(toy) == .missingMetadata)
    let transducer = try ToyModel(.transducer)
    let more = ["pred_rnn_layers", "pred_hidden", "feat_dim", "url"]
    try transducer.setMetadata(
      Dictionary(uniqueKeysWithValues: (keys + more).map { ($0, nil) }), of: "encoder.onnx")
    #expect(fault(transducer) == .missingMetadata)
  }

  @Test func aWrongNumberOfTokensIsAnError() throws {
    for lines in ["zero 0\n<blk> 1\n", "", "zero\n", "zero 0\none 2\n", "zero 0\none 0\n"] {
      let toy = try ToyModel(.ctc)
      try toy.write(Data(lines.utf8), to: "tokens.txt")
      #expect(fault(toy) == .wrongTokens)
    }
  }

  @Test func aBlankThatIsNotLastIsAnError() throws {
    let toy = try ToyModel(.ctc)
    let tokens = try ModelInspection(folder: toy.path).tokens
    let moved = (["<blk>"] + tokens.dropLast()).enumerated().map { "\($1) \($0)\n" }.joined()
    try toy.write(Data(moved.utf8), to: "tokens.txt")
    #expect(fault(toy) == .wrongTokens)
  }

  @Test func aDescriptionOfAnotherFamilyIsAnError() throws {
    let files: [ModelDescription.Role: String] = [.model: "model.onnx", .tokens: "tokens.txt"]
    #expect(fault(try ToyModel(.streamingCTC), description(.nemoCTC, files)) == .wrongFamily)
    #expect(fault(try ToyModel(.ctc), description(.nemoStreamingCTC, files)) == .wrongFamily)
    let toy = try ToyModel(.ctc)
    #expect(
      try ModelInspection(folder: toy.path, description: description(.nemoCTC, files)).family == .nemoCTC)
  }

  @Test func metadataOfAStreamingModelInAnotherIsAnError() throws {
    let toy = try ToyModel(.ctc)
    try toy.setMetadata(
      ["window_size": "49", "chunk_shift": "32", "cache_last_channel_dim1": "1"], of: "model.onnx")
    #expect(fault(toy) == .wrongFamily)
  }

  @Test func anUnknownKindIsAnError() throws {
    let toy = try ToyModel(.ctc)
    try toy.setMetadata(["model_type": "paraformer"], of: "model.onnx")
    #expect(fault(toy) == .unknownFamily)
  }

  /// The networks of families that only earlier versions run, by the metadata and the names of published models.
  @Test func retiredFamiliesAreNamed() throws {
    func reason(_ change: (ToyModel) throws -> Void) throws -> String? {
      let toy = try ToyModel(.transducer)
      try change(toy)
      let error = #expect(throws: ModelFolderError.self) { try ModelInspection(folder: toy.path) }
      #expect(error?.fault == .unknownFamily)
      return error?.description
    }
    let whisper = try reason {
      try $0.setMetadata(["model_type": "whisper-base.en"], of: "encoder.onnx")
      try $0.remove("joiner.onnx")
    }
    #expect(whisper?.contains("Whisper in the format ONNX") == true)
    #expect(whisper?.contains("longhand models install whisper-base") == true)
    let zipformer = try reason { try $0.setMetadata(["model_type": "zipformer2"], of: "encoder.onnx") }
    #expect(zipformer?.contains("Zipformer for whole utterances") == true)
    let moonshine = try reason { try $0.write(Data(), to: "uncached_decode.int8.onnx") }
    #expect(moonshine?.contains("Moonshine") == true)
  }

  @Test func damagedAndHostileDescriptionsAreErrors() throws {
    let toy = try ToyModel(.ctc)
    try toy.write(Data("{".utf8), to: "model.json")
    let error = #expect(throws: ModelFolderError.self) { try ModelInspection(folder: toy.path) }
    #expect(error?.fault == .wrongDescription)
    let outside: [ModelDescription.Role: String] = [.model: "../model.onnx", .tokens: "tokens.txt"]
    #expect(fault(toy, description(.nemoCTC, outside)) == .wrongDescription)
  }
}
