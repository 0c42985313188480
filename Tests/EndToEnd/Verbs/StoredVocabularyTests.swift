import Foundation
import Longhand
import TestSupport
import Testing

@testable import LonghandCommand

/// The vocabularies of the library on the command line: `vocabulary list`, `show`, `add` and `remove`, and `--vocabulary NAME`.
@Suite(.tagged(.childProcess)) struct StoredVocabularyTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(
    _ arguments: String..., input: LonghandProcess.Input = .empty
  ) async throws -> LonghandProcess.Result {
    let environment = [
      "LONGHAND_LIBRARY": folder.path("library"), "XDG_CACHE_HOME": folder.path("cache"),
    ]
    return try await LonghandProcess(arguments, input: input, environment: environment, in: folder.url)
      .result()
  }

  private var vocabularies: VocabularyFolder {
    VocabularyFolder(of: URL(fileURLWithPath: folder.path("library")))
  }

  @Test func vocabularyIsMadeShownEditedAndDeleted() async throws {
    let empty = try await run("vocabulary", "list")
    #expect(empty.output.isEmpty && empty.status == 0)
    #expect(!folder.has("library"))
    #expect(try await run("vocabulary", "list", "--json").output == "[]\n")
    let added = try await run("vocabulary", "add", "chess", "Winawer", "King's Indian")
    #expect(added.status == 0, "\(added.errors)")
    #expect(added.output.isEmpty)
    #expect(added.errors.contains("'chess' has 2 now"))
    // The page's store.
    #expect(try vocabularies.words(named: "chess").texts == ["Winawer", "King's Indian"])
    let list = "Benoni, Winawer\nGrünfeld"
    let more = try await run("vocabulary", "add", "chess", "-", input: .bytes(Data(list.utf8)))
    #expect(more.errors.contains("Added 2"), "\(more.errors)")
    let table = "Term\tReplaces\nKimura\tkey mora\n"
    #expect(try await run("vocabulary", "add", "library", "-", input: .bytes(Data(table.utf8))).status == 0)
    #expect(try await run("vocabulary", "list").output == "1\tlibrary\n4\tchess\n")
    let listed = try await run("vocabulary", "list", "--json").output
    #expect(listed.contains(#""name":"chess","terms":4"#), "\(listed)")
    #expect(
      try await run("vocabulary", "show", "library").output
        == "term,sounds like,replaces\nKimura,,key mora\n")
    let shown = try await run("vocabulary", "show", "chess", "--json").output
    #expect(
      try Vocabulary(Data(shown.utf8), file: "a.json5") == vocabularies.words(named: "chess").vocabulary())
    #expect(try await run("vocabulary", "remove", "chess", "Benoni").status == 0)
    let missing = try await run("vocabulary", "remove", "chess", "Benoni")
    #expect(missing.status == 1)
    #expect(try vocabularies.words(named: "chess").texts == ["Winawer", "King's Indian", "Grünfeld"])
    // Without a terminal nothing can be asked.
    let asked = try await run("vocabulary", "remove", "chess")
    #expect(asked.status == 2)
    #expect(vocabularies.allNames == ["library", "chess"])
    #expect(try await run("vocabulary", "remove", "chess", "--yes").status == 0)
    #expect(vocabularies.allNames == ["library"])
  }

  @Test(
    arguments: [
      (["vocabulary"], 2, "needs an action"), (["vocabulary", "show"], 2, "VOCABULARY is missing"),
      (["vocabulary", "add", "chess"], 2, "TERM is missing"),
      (["vocabulary", "lst"], 2, "Did you mean 'list'?"),
      (["vocabulary", "add", "a/b", "Winawer"], 2, "1 to 60 letters"),
      (["vocabulary", "add", "chess", "123"], 1, "and a letter"),
      (["vocabulary", "show", "chss"], 1, "Did you mean 'chess'?"),
      (["vocabulary", "remove", "none", "--yes"], 1, "Vocabularies of the library: chess, Openings."),
      (["vocabulary", "list", "-o", "x"], 2, "only for compile"),
      (["vocabulary", "check", "none"], 1, "Vocabularies of the library: chess, Openings."),
      (["transcribe", "--vocabulary", "none", "a.wav"], 1, "Vocabularies of the library: chess, Openings."),
      (["transcribe", "--vocabulary", "./chess", "a.wav"], 1, "no such file"),
    ] as [([String], Int32, String)])
  func mistakesAreNamed(_ arguments: [String], _ status: Int32, _ words: String) async throws {
    for name in ["chess", "Openings"] { try vocabularies.words(named: name).add("Winawer") }
    let environment = ["LONGHAND_LIBRARY": folder.path("library")]
    let result = try await LonghandProcess(arguments, environment: environment, in: folder.url).result()
    #expect(result.status == status)
    #expect(result.errorLines.count == 1, "\(result.errors)")
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(result.output.isEmpty)
    #expect(try vocabularies.words(named: "chess").texts == ["Winawer"])
  }

  /// A vocabulary may come from elsewhere. What erases the screen is shown and not done.
  @Test func termIsShownWithoutItsControlCharacters() async throws {
    let table = "term,sounds like,replaces\nGr\u{FC}nfeld\u{1B}[2J,,\u{202E}山田\n"
    let shown = StoredVocabularyAction.shown(table)
    #expect(shown == "term,sounds like,replaces\nGr\u{FC}nfeld\\u{1b}[2J,,\\u{202e}山田\n")
    try folder.write(
      #"{name: "x", terms: [{text: "Müller\u001b[2J"}]}"#, to: "library/vocabularies/x.json5")
    let piped = try await run("vocabulary", "show", "x")
    #expect(piped.output == "term,sounds like,replaces\nMüller\u{1B}[2J,,\n")
    #if os(Linux)
      let line = "script -qec 'longhand vocabulary show x' /dev/null"
      let terminal = try await LonghandProcess.shell(
        line, environment: ["LONGHAND_LIBRARY": folder.path("library")], in: folder.url)
      #expect(terminal.output.contains(#"Müller\u{1b}[2J"#))
      #expect(!terminal.output.contains("\u{1B}[2J"))
    #endif
  }

  /// A file that exists comes first, and then a note names the other one; a folder is no file.
  @Test func nameMeansTheFileThatExistsElseTheVocabularyOfTheLibrary() async throws {
    try vocabularies.words(named: "chess").add([
      VocabularyRow(term: "Winawer"), VocabularyRow(term: "Benoni"),
    ])
    func check() async throws -> LonghandProcess.Result { try await run("vocabulary", "check", "chess") }
    try FileManager.default.createDirectory(atPath: folder.path("chess"), withIntermediateDirectories: false)
    let besideFolder = try await check()
    #expect(besideFolder.outputLines.contains("Read: 2 terms."), "\(besideFolder)")
    #expect(besideFolder.errors.isEmpty)
    try FileManager.default.removeItem(atPath: folder.path("chess"))
    try folder.write("Zugzwang\nKimura\nGrünfeld\n", to: "chess")
    let file = try await check()
    #expect(file.outputLines.contains("Read: 3 terms."), "\(file)")
    #expect(file.errorLines.count == 1)
    #expect(file.errors.contains("library/vocabularies/chess.json5"), "\(file.errors)")
    // The path that the note names is the library's.
    let other = try await run("vocabulary", "check", folder.path("library/vocabularies/chess.json5"))
    #expect(other.outputLines.contains("Read: 2 terms."))
    #expect(other.errors.isEmpty)
  }

  /// Every verb that has the option takes names: none reports that there is no such vocabulary.
  @Test(arguments: Verbs.all.map { $0.description }.filter { $0.options.contains(.vocabulary) }.map(\.name))
  func everyVerbWithTheOptionCompletesNames(_ verb: String) async throws {
    try vocabularies.words(named: "chess").add("Winawer")
    let found = Completion(of: [verb, "--library", folder.path("library"), "--vocabulary", "ch"]).candidates
    // Without the option --library, the library is that of the environment.
    let hasLibrary = Verbs.all.contains {
      $0.description.name == verb && $0.description.options.contains(.library)
    }
    #expect(found.contains { $0.text == "chess" } == hasLibrary)
    let listed = try await run("completions", "--list", "--", verb, "--vocabulary", "ch")
    #expect(listed.outputLines.contains { $0.hasPrefix("chess\t") }, "\(listed.output)")
  }
}

extension RecognizerTests {
  /// Names of vocabularies while speech is recognized.
  @Suite struct NamedVocabularyTests {
    @Test func vocabularyOfTheLibraryIsUsedByItsName() async throws {
      let folder = try TemporaryFolder()
      let environment = ["LONGHAND_LIBRARY": folder.path("library"), "XDG_CACHE_HOME": folder.path("cache")]
      let vocabularies = VocabularyFolder(of: URL(fileURLWithPath: folder.path("library")))
      var chess = Vocabulary(name: "any")
      chess.phrases = [.init(text: "play the Albin counter gambit", count: 10)]
      chess.corrections = [.init(recognized: "i will", text: "I shall")]
      try vocabularies.words(named: "My chess").create(chess)
      let made = try await LonghandProcess.shell(
        "flite -voice slt -t 'I will play the Albin counter gambit' '\(folder.path("a.wav"))'")
      try #require(made.status == 0)
      let transcribed = try await LonghandProcess.run(
        "transcribe", "--vocabulary", "My chess", "--json", "--normalize", folder.path("a.wav"),
        environment: environment)
      #expect(transcribed.output.contains("I will play the Albin counter gambit."), "\(transcribed.errors)")
      #expect(transcribed.output.contains("I shall play"))
      #expect(transcribed.output.contains(#""vocabulary": {"name": "My chess""#))
      let live = try await LonghandProcess.shell(
        "\(LonghandProcess.executable.path) record -q --from - --vocabulary 'My chess' < '\(folder.path("a.wav"))'",
        environment: environment)
      #expect(live.output.contains("Albin counter gambit"), "\(live.errors)")
      let export = try await LonghandProcess.run(
        "export", "last", "--normalize", "--vocabulary", "My chess", "--format", "md",
        environment: environment)
      #expect(export.output.contains("I shall play"), "\(export.errors)")
    }
  }
}
