import FileSupport
import Foundation
import ModelStorage
import TestSupport

@testable import ModelInstallation

/// A folder of models, and beside it models to import: copies of the toys.
final class ModelFixture {
  let folder: URL
  var store: ModelStore { ModelStore(folder: folder.appendingPathComponent("models")) }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("models-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// A toy of the package, such as `toy-ctc`.
  static func toy(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Models/\(name)").standardized
  }

  /// All entries of the folder of models, hidden ones too.
  var entries: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: store.folder.path)) ?? []).sorted()
  }

  /// What lies beside the folder of models.
  var siblings: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  /// Copies a toy, so that it can be damaged.
  func copy(_ toy: String, as name: String) throws -> URL {
    let copy = folder.appendingPathComponent(name)
    try FileManager.default.copyItem(at: Self.toy(toy), to: copy)
    return copy
  }

  func importToy(_ toy: String = "toy-ctc", name: String? = nil) throws -> InstalledModel {
    try ModelImporter(store: store).run(from: Self.toy(toy), name: name, languages: ["en"])
  }

  /// Writes an archive.
  func archive(_ name: String = "model.tar", _ fill: (inout TarArchive) throws -> Void) throws -> URL {
    var archive = TarArchive()
    try fill(&archive)
    let file = folder.appendingPathComponent(name)
    try archive.data.write(to: file)
    return file
  }

  /// Adds the files of a toy to an archive.
  static func add(_ toy: String, below folder: String, to archive: inout TarArchive) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.toy(toy).path).sorted() {
      archive.add(folder + name, try Data(contentsOf: Self.toy(toy).appendingPathComponent(name)))
    }
  }

  /// A catalogue's entry for an archive on a server.
  static func entry(_ data: Data, at address: URL, name: String = "toy") throws -> ModelCatalogue.Entry {
    ModelCatalogue.Entry(
      name: name, family: .nemoCTC, languages: ["en"], isPunctuated: false,
      licence: .init(identifier: "MIT", attribution: "the tests"),
      licenceText: URL(fileURLWithPath: "/licence"), wordErrors: nil, recommendation: nil,
      archive: .init(
        url: address, bytes: Int64(data.count), sha256: SHA256.hash(data: data).hexadecimal,
        unpackedBytes: 1 << 20, files: ["*.onnx", "tokens.txt"]))
  }

  /// Expects an error of a kind.
  static func kind(of body: () throws -> some Any) -> ModelError.Kind? {
    do {
      _ = try body()
      return nil
    } catch { return (error as? ModelError)?.kind }
  }
}
