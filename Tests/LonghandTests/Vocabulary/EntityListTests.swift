import Foundation
import Longhand
import Testing

@Suite struct EntityListTests {
  private func list(_ content: String) throws -> [String] {
    let list = try EntityList(Data(content.utf8), file: "people")
    return list.names.map { name in list.ids[name].map { "\(name)=\($0)" } ?? name }
  }

  /// What people write, and what databases print.
  @Test(arguments: [
    ("Kimura\n\n# a comment\nHalf Guard\n", ["Kimura", "Half Guard"]),
    ("Hart, Anna\nKimura\n", ["Hart, Anna", "Kimura"]),
    ("7|Kimura\n8|Half Guard\n", ["Kimura=7", "Half Guard=8"]),
    ("id,name\n7,Kimura\n,Armbar\n", ["Kimura=7", "Armbar"]),
    ("name\tkind\tuuid\nKimura\tsubmission\ta-7\n", ["Kimura=a-7"]),
    ("a-7,\"Hart, Anna\"\r\n", ["Hart, Anna=a-7"]),
    ("7,Kimura\n7,Chicken Wing\n9,Kimura\n", ["Kimura=7", "Chicken Wing=7"]),
    (#"[{"id":7,"name":"Kimura"},{"id":"x","name":"Armbar","n":null}]"#, ["Kimura=7", "Armbar=x"]),
    // A comment and a blank line decide no separator.
    ("# people; 2025; all\n\nid,name\n7,Kimura\n", ["Kimura=7"]),
    (
      #"[{"title":"Dr","name":"Grünfeld","uuid":"u","id":7,"key":"k"},{"term":"東京","TITLE":"T"}]"#,
      ["Grünfeld=7", "東京"]
    ),
    (#"[{"name":null,"title":"Мой дом","key":1}]"#, ["Мой дом=1"]),
    (#"["Kimura", "Armbar"]"#, ["Kimura", "Armbar"]), ("\u{FEFF}Kimura", ["Kimura"]),
  ]) func namesAndIDsAreRead(_ content: String, _ expected: [String]) throws {
    #expect(try list(content) == expected)
  }

  /// As `--entities <(sqlite3 ...)` gives one. It is read several times: to check the list, and to use it.
  @Test func pipeIsReadMoreThanOnce() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let pipe = folder.appendingPathComponent("people")
    try #require(mkfifo(pipe.path, 0o600) == 0)
    let text = (0..<20_000).map { "\($0)|Name \($0) Grünfeld\n" }.joined()
    // Opening a pipe waits for the other side.
    Thread.detachNewThread {
      guard let handle = try? FileHandle(forWritingTo: pipe) else { return }
      try? handle.write(contentsOf: Data(text.utf8))
      try? handle.close()
    }
    #expect(try EntityList(contentsOf: pipe).names.count == 20_000)
    #expect(try EntityList(contentsOf: pipe).ids["Name 7 Grünfeld"] == "7")
    #expect(throws: VocabularyError.self) { try EntityList(contentsOf: folder) }
  }

  #if os(Linux)
    @Test func fileWithoutEndIsTooLarge() {
      let error = #expect(throws: VocabularyError.self) {
        try Vocabulary(contentsOf: URL(fileURLWithPath: "/dev/zero"))
      }
      #expect(error?.problem.contains("larger than") == true)
    }
  #endif

  @Test(arguments: [
    ("", "no names"), ("id,name\n7,\n", "line 2"),
    ("id,name\n7,Winawer Variation\n8,Hart, Anna\n", "line 3: the row has 3 cells"),
    ("name;id\nGrünfeld\n", "line 2: the row has 1 cell,"), (#"[{"id":7}]"#, "object 1"),
    ("[7", "no JSON array"),
  ]) func errorsNameTheLocation(_ content: String, _ part: String) {
    let error = #expect(throws: VocabularyError.self) { try list(content) }
    #expect(error.map { "\($0)" }?.contains(part) == true)
  }

  @Test func resultsHaveTheIDs() throws {
    let list = try EntityList(Data("7|Kimura\n".utf8), file: "people")
    let normalizer = TranscriptNormalizer(entities: ["Armbar"]).extracting(list.names, ids: list.ids)
    let normalized = normalizer.normalizeLocally("an armbar and a kimora")
    #expect(normalized.occurrences.map(\.id) == ["7"])
    #expect(normalized.occurrences.map(normalized.provenance) == [.fuzzyMatch])
    #expect(normalized.text.hasSuffix("Kimura"))
  }
}
