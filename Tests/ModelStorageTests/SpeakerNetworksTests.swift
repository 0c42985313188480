import Foundation
import TestSupport
import Testing

@testable import ModelInstallation
@testable import ModelStorage

/// The two networks that separate voices. The library ends its process on what is refused here.
@Suite struct SpeakerNetworksTests {
  private static let (segmentation, embedding) = ("segmentation.onnx", "embedding.onnx")

  /// The error of a folder that was changed.
  private func fault(_ change: (ToyModel) throws -> Void) throws -> ModelFolderError? {
    let toy = try ToyModel(.speakers)
    try change(toy)
    return #expect(throws: ModelFolderError.self) { try ModelInspection(folder: toy.path) }
  }

  @Test func modelIsRecognizedByItsMetadata() throws {
    let inspection = try ModelInspection(folder: ToyModel.Kind.speakers.original.path)
    #expect(inspection.family == .speakers)
    #expect(inspection.files[.segmentation] == Self.segmentation)
    #expect(inspection.files[.embedding] == Self.embedding)
    #expect(inspection.tokens.isEmpty)
  }

  @Test(arguments: [segmentation, embedding]) func missingAndDamagedNetworksAreErrors(name: String) throws {
    #expect(try fault { try $0.remove(name) }?.fault == .missingFile)
    #expect(try fault { try $0.truncate(name, to: 3000) } != nil)
    #expect(try fault { try $0.write(Data("<html></html>".utf8), to: name) } != nil)
  }

  @Test func swappedNetworksAreErrors() throws {
    #expect(try fault { try $0.swap(Self.segmentation, Self.embedding) }?.fault == .swapped)
  }

  @Test(
    arguments: NetworkFolder.segmentationKeys.map { (segmentation, $0) }
      + NetworkFolder.embeddingKeys.map { (embedding, $0) })
  func missingAndImpossibleMetadataAreErrors(name: String, key: String) throws {
    let missing = try fault { try $0.setMetadata([key: nil], of: name) }
    #expect(missing?.fault == .missingMetadata || missing?.fault == .swapped)
    let impossible = try fault { try $0.setMetadata([key: "99999999"], of: name) }
    #expect(impossible?.reason.contains("99999999") == true)
    #expect(impossible?.reason.contains(name) == true)
  }

  /// The import names what is wrong with a folder, and does not ask for languages, which voices have none of.
  @Test func importOfAWrongFolderSaysWhatIsWrong() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let toy = try ToyModel(.speakers)
    try toy.setMetadata(["output_dim": nil], of: Self.embedding)
    let error = #expect(throws: ModelError.self) {
      try ModelImporter(store: ModelStore(folder: folder)).run(from: toy.folder, name: "voices")
    }
    #expect(error?.problem.contains("output_dim") == true)
  }

  @Test func importedModelSeparatesSpeakersAndRecognizesNothing() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = ModelStore(folder: folder)
    #expect(store.speakers() == nil)
    let model = try ModelImporter(store: store).run(from: ToyModel.Kind.speakers.original, name: "voices")
    #expect(store.speakers() == model)
    #expect(model.description.languages == [])
    #expect(store.best(for: Locale(identifier: "en-US")) == nil)
  }
}
