import Foundation
import Longhand
import LonghandVocabulary
import Testing

@Suite struct LanguageModelFolderTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  /// Creates the folder with one file in it.
  private func isFree(_ text: String, in name: String) throws -> Bool {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    return LanguageModelFolder.isFree(folder)
  }

  @Test func newAndEmptyFoldersAreFree() throws {
    #expect(LanguageModelFolder.isFree(folder))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(LanguageModelFolder.isFree(folder))
  }

  @Test(arguments: ["data.bin", "language-model", "pronunciations", "vocabulary.json", "notes.txt"])
  func folderWithAFileOfOthersIsNotFree(_ name: String) throws {
    for text in [#"{name: "chess", terms: [{text: "Winawer"}]}"#, #"{"name": "шахматы"}"#, "PK", ""] {
      #expect(try !isFree(text, in: name), "\(text)")
    }
  }

  @Test func folderWithAModelIsFree() throws {
    #expect(try isFree(#"{"name": "échecs", "sha256": "0"}"#, in: "vocabulary.json"))
  }

  @Test func folderOfAKilledCompilerIsFree() throws {
    #expect(try isFree("", in: ".longhand-unfinished"))
  }

  @Test func sourceInTheFolderIsFoundUnderTheNamesOfItsFiles() {
    for name in ["data.bin", "language-model", "pronunciations", "vocabulary.json"] {
      #expect(LanguageModelFolder.isReplaced(folder.appendingPathComponent(name), in: folder))
    }
    #expect(!LanguageModelFolder.isReplaced(folder.appendingPathComponent("chess.json5"), in: folder))
  }
}
