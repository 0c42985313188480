import Foundation
import Longhand
import Testing

@Suite struct EvaluationManifestTests {
  private func read(_ text: String, with files: [String: String] = [:]) throws -> EvaluationManifest {
    try Folder.temporary { folder in
      for (name, content) in files { try Data(content.utf8).write(to: folder.appendingPathComponent(name)) }
      let file = folder.appendingPathComponent("manifest.tsv")
      try Data(text.utf8).write(to: file)
      return try EvaluationManifest.read(file)
    }
  }

  @Test func rowsAreRead() throws {
    let manifest = try read(
      "path\treference\n# clips\nclips/a.wav\tHello there.\n\n/b.wav\t\nc.wav\tc.txt\n",
      with: ["c.txt": "said"])
    #expect(manifest.rows.map(\.name) == ["clips/a.wav", "/b.wav", "c.wav"])
    #expect(manifest.rows.map(\.line) == [3, 5, 6])
    #expect(manifest.rows[0].path.path.hasSuffix("/clips/a.wav"))
    #expect(manifest.rows[0].path.path.hasPrefix("/"))
    #expect(manifest.rows[1].path.path == "/b.wav")
    #expect(manifest.rows[0].reference == .text("Hello there."))
    #expect(manifest.rows[1].reference == .text(""))
    guard case .file(let file) = manifest.rows[2].reference else {
      Issue.record("a reference that names a file is one")
      return
    }
    #expect(file.path.hasSuffix("/c.txt"))
  }

  @Test func referencesAreTextOrFiles() throws {
    #expect(try EvaluationManifest.Reference.text("a b").scoredText().text == "a b")
    try Folder.temporary { folder in
      let file = folder.appendingPathComponent("a.stm")
      try Data("a 1 x 0 1 said".utf8).write(to: file)
      #expect(try EvaluationManifest.Reference.file(file).scoredText().text == "said")
    }
  }

  @Test(arguments: [
    ("a.wav\tb\nc.wav", 2, EvaluationInputError.Reason.columns(found: 1, expected: "path and reference")),
    ("a.wav\tb\tc", 1, .columns(found: 3, expected: "path and reference")),
    ("\n\ta b", 2, .empty(column: "path")),
    ("a.wav\tmissing.stm", 1, .missingReference("missing.stm")),
  ]) func manifestErrorsHaveTheirLine(text: String, line: Int, reason: EvaluationInputError.Reason) {
    #expect { try read(text) } throws: { error in
      let error = error as? EvaluationInputError
      return error?.line == line && error?.reason == reason
    }
  }
}
