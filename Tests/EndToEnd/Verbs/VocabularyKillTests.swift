import Foundation
import TestSupport
import Testing

/// `vocabulary compile` and `transcribe -`, killed at random moments.
@Suite(.tagged(.childProcess)) struct VocabularyKillTests {
  /// 200 in `make soak`.
  private static let rounds = isSoak ? 200 : 8

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let phrases = (0..<300).map {
      "{text: \"play the move number \($0 % 7) of game \($0 % 11)\", count: \($0 + 1)}"
    }
    try folder.write(
      "{name: \"chess\", terms: [{text: \"zugzwang\"}], phrases: [\(phrases.joined(separator: ", "))]}",
      to: "chess.json5")
  }

  private var environment: [String: String] {
    ["TMPDIR": folder.path("temporary"), "XDG_CACHE_HOME": folder.path("cache")]
  }

  @Test func nextCompilationRemovesWhatAKilledOneLeft() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("temporary"), withIntermediateDirectories: true)
    let arguments = ["vocabulary", "compile", folder.path("chess.json5"), "-o", folder.path("out/chess")]
    func compiled() async throws -> Int {
      let start = ContinuousClock.now
      let result = try await LonghandProcess(arguments, environment: environment).result()
      #expect(result.status == 0, "\(result.errors)")
      return Int((ContinuousClock.now - start) / .milliseconds(1))
    }
    // Of the last one: how long it takes depends on what else the machine does.
    var milliseconds = try await compiled()
    var killed = 0
    for _ in 0..<Self.rounds {
      try? FileManager.default.removeItem(atPath: folder.path("out"))
      let process = try LonghandProcess(arguments, environment: environment)
      try await Task.sleep(
        for: .milliseconds(Int.random(in: milliseconds / 4...milliseconds + 5)))
      process.send(SIGKILL)
      killed += try await process.result().status == 128 + SIGKILL ? 1 : 0
      milliseconds = try await compiled()
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")) == ["chess"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out/chess")).count == 4)
    }
    if isSoak { print("killed \(killed) of \(Self.rounds) compilations") }
    #expect(killed > Self.rounds / 2 || !isSoak)
    // The draft of a process that was killed between two particular moments.
    try FileManager.default.createDirectory(
      atPath: folder.path("out/.longhand-vocabulary-\(UUID().uuidString)"), withIntermediateDirectories: true)
    #expect(try await LonghandProcess(arguments, environment: environment).result().status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")) == ["chess"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("temporary")).isEmpty)
  }

  /// A compiler that was killed while it put its files in place.
  @Test func partOfAModelIsReplaced() async throws {
    try folder.write("a part", to: "out/data.bin")
    try folder.write("", to: "out/.longhand-unfinished")
    let arguments = ["vocabulary", "compile", folder.path("chess.json5"), "-o", folder.path("out")]
    let result = try await LonghandProcess(arguments, environment: environment).result()
    #expect(result.status == 0, "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).count == 4)
  }

  /// Names that a model's files have, too: what a person keeps under them is not replaced.
  @Test(arguments: ["notes.txt", "data.bin", "language-model", "vocabulary.json"])
  func fileOfAPersonIsKept(_ name: String) async throws {
    let text = #"{name: "шахматы", terms: [{text: "Zugzwang"}]}"#
    let file = try folder.write(text, to: "other/\(name)")
    for source in [folder.path("chess.json5"), file] {
      let result = try await LonghandProcess(
        ["vocabulary", "compile", source, "-o", folder.path("other")], environment: environment
      ).result()
      #expect(result.status == 1)
      #expect(result.errors.contains("is not a language model"))
    }
    #expect(try folder.read("other/\(name)") == text)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("other")) == [name])
  }

  /// A vocabulary that was put into a compiled model, under the name of one of its files.
  @Test func vocabularyItselfIsNotReplaced() async throws {
    let arguments = ["vocabulary", "compile", folder.path("chess.json5"), "-o", folder.path("out")]
    #expect(try await LonghandProcess(arguments, environment: environment).result().status == 0)
    let text = #"{name: "échecs", terms: [{text: "Zugzwang"}]}"#
    let source = try folder.write(text, to: "out/data.bin")
    let refused = try await LonghandProcess(
      ["vocabulary", "compile", source, "-o", folder.path("out")], environment: environment
    ).result()
    #expect(refused.status == 1)
    #expect(refused.errors.contains("would replace the vocabulary itself"))
    #expect(try folder.read("out/data.bin") == text)
  }

  @Test func nextCopyOfAStreamRemovesThatOfAKilledProcess() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("temporary"), withIntermediateDirectories: true)
    func spools() -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: folder.path("temporary"))) ?? []
    }
    let first = try LonghandProcess(["transcribe", "-"], input: .open, environment: environment)
    #expect(await eventually { spools().count == 1 })
    let second = try LonghandProcess(["transcribe", "-"], input: .open, environment: environment)
    #expect(await eventually { spools().count == 2 })
    first.send(SIGKILL)
    _ = try await first.result()
    let third = try await LonghandProcess(["transcribe", "-"], environment: environment).result()
    #expect(third.status == 1)
    #expect(spools().count == 1, "the copy of a living process stays")
    second.send(SIGTERM)
    #expect(try await second.result().status == 143)
    #expect(spools().isEmpty)
  }
}
