import Foundation
import TestSupport
import Testing

@testable import ModelInstallation
@testable import ModelStorage

/// The network that writes punctuation. The library ends its process on what is refused here.
@Suite struct PunctuationLabelsTests {
  private static let (network, pieces) = ("model.onnx", "bpe.vocab")

  /// The error of a folder that was changed.
  private func fault(_ change: (ToyModel) throws -> Void) throws -> ModelFolderError? {
    let toy = try ToyModel(.punctuation)
    try change(toy)
    return #expect(throws: ModelFolderError.self) { try ModelInspection(folder: toy.path) }
  }

  @Test func modelIsRecognizedByItsMetadata() throws {
    let inspection = try ModelInspection(folder: ToyModel.Kind.punctuation.original.path)
    #expect(inspection.family == .punctuation)
    #expect(inspection.files == [.model: Self.network, .pieces: Self.pieces])
    #expect(inspection.tokens.isEmpty)
  }

  @Test func missingAndDamagedFilesAreErrors() throws {
    #expect(try fault { try $0.remove(Self.network) }?.fault == .missingFile)
    #expect(try fault { try $0.remove(Self.pieces) }?.fault == .missingFile)
    #expect(try fault { try $0.truncate(Self.network, to: 3000) }?.fault == .truncated)
    #expect(try fault { try $0.write(Data("<html></html>".utf8), to: Self.network) }?.fault == .notANetwork)
    let recognizer = try Data(contentsOf: ToyModel.Kind.ctc.original.appendingPathComponent("model.onnx"))
    #expect(try fault { try $0.write(recognizer, to: Self.network) } != nil)
  }

  @Test(arguments: PunctuationLabels.all.map(\.key))
  func missingAndOtherMetadataAreErrors(key: String) throws {
    #expect(try fault { try $0.setMetadata([key: nil], of: Self.network) }?.fault == .missingMetadata)
    let other = try fault { try $0.setMetadata([key: "7"], of: Self.network) }
    #expect(other?.fault == .missingMetadata)
    #expect(other?.reason.contains("\"\(key)\" with the value \"7\"") == true)
  }

  /// A network of a recognizer, with the metadata of one for punctuation.
  @Test func otherInputsAreErrors() throws {
    let toy = try ToyModel(.ctc)
    try toy.setMetadata(
      Dictionary(uniqueKeysWithValues: PunctuationLabels.all.map { ($0.key, "\($0.number)") }),
      of: Self.network)
    let error = #expect(throws: ModelFolderError.self) { try ModelInspection(folder: toy.path) }
    #expect(error?.fault == .wrongFamily)
  }

  @Test(arguments: [
    "", "\n", "a\n", "a 0\nb 0", "a 0\n\nb 0\nc 0\nd 0\n", "a 0\nb 0\nc 0\nb 0\n", "a 0\nb x\nc 0\nd 0",
  ])
  func listThatTheLibraryCannotReadIsAnError(text: String) throws {
    #expect(try fault { try $0.write(Data(text.utf8), to: Self.pieces) }?.fault == .wrongTokens)
  }

  @Test func importedModelWritesPunctuationAndRecognizesNothing() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = ModelStore(folder: folder)
    #expect(store.punctuation() == nil)
    let model = try ModelImporter(store: store).run(from: ToyModel.Kind.punctuation.original, name: "commas")
    #expect(store.punctuation() == model)
    #expect(model.description.languages == [])
    #expect(store.best(for: Locale(identifier: "en-US")) == nil)
    #expect(store.speakers() == nil)
    try store.verify("commas")
    try store.remove("commas")
    #expect(store.punctuation() == nil)
  }
}
