import Foundation
import Longhand
import TestSupport
import Testing

@testable import LonghandCommand

@Suite struct CompletionsTests {
  /// Words after the program's name, and a word that must be offered for the last one; nil for none at all.
  @Test(
    arguments: [
      (["tr"], "transcribe"), (["show", "--sty"], "--style"), (["transcribe", "--engine", ""], "rolling"),
      (["transcribe", "--engine=rol"], "--engine=rolling"),
      (["transcribe", "--engine", "=", "rol"], "rolling"),
      (["export", "--format", "srt,v"], "srt,vtt"), (["record", "--format", ""], "jsonl"),
      (["models", "re"], "remove"), (["vocabulary", "c"], "compile"), (["help", "sea"], "search"),
      (["export", "--caption-overlap", ""], "turns"), (["worker", "--format", ""], "srt"),
      (["nothing", ""], nil), (["show", "--", "--sty"], nil), (["search", ""], nil),
    ] as [([String], String?)])
  func wordsAreOffered(_ words: [String], _ expected: String?) {
    let candidates = Completion(of: words).candidates.map(\.text)
    guard let expected else { return #expect(candidates.isEmpty) }
    #expect(candidates.contains(expected), "\(candidates)")
  }

  /// An option's value and an argument are completed as what the help calls them.
  @Test func filesAndFoldersAreLeftToTheShell() {
    #expect(Completion(of: ["transcribe", ""]).files == .files)
    #expect(Completion(of: ["export", "last", "--output-dir", ""]).files == .folders)
    #expect(Completion(of: ["vocabulary", "check", ""]).files == .files)
    for words in [
      ["audit", ""], ["audit", "talk.txt", ""], ["align", "talk.wav", ""],
      ["audit", "last", "--against", ""],
    ] {
      #expect(Completion(of: words).files == .files, "\(words)")
    }
    #expect(Completion(of: ["show", ""]).files == nil)
  }

  /// Each verb's synopsis can be read: an argument of letters in capitals is explained by its kind.
  @Test func everyVerbThatTakesASessionOffersSessions() {
    for verb in Verbs.all.map({ $0.description }) where verb.operands.contains("ID") {
      #expect(verb.kinds(after: []).contains(.session), "\(verb.name)")
    }
  }

  /// A model for speakers or punctuation recognizes no words.
  @Test func optionTakesAModelThatRecognizes() {
    #expect(Option.model.kind == .recognizer)
  }

  @Test func vocabulariesBesideThePathAreOffered() throws {
    let folder = try TemporaryFolder()
    for name in ["chess.json5", "terms.csv", "talk.wav"] { try folder.write("", to: name) }
    let found = Completion(of: ["import", "--vocabulary", folder.path("x").dropLast().description]).candidates
      .map(\.text)
    #expect(found == [folder.path("chess.json5"), folder.path("terms.csv")])
  }

  @Test func vocabulariesOfTheLibraryAreOffered() throws {
    let folder = try TemporaryFolder()
    try VocabularyFolder(of: URL(fileURLWithPath: folder.path("library"))).words(named: "My chess").add(
      "Winawer")
    for words in [
      ["vocabulary", "--library", folder.path("library"), "show", "My"],
      ["vocabulary", "--library", folder.path("library"), "add", ""],
      ["import", "--library", folder.path("library"), "--vocabulary", "M"],
    ] {
      #expect(Completion(of: words).candidates.map(\.text).contains("My chess"), "\(words)")
    }
  }

  @Test(.tagged(.childProcess), arguments: ["bash", "zsh", "fish"])
  func shellCompletesNames(_ shell: String) async throws {
    let folder = try TemporaryFolder()
    let library = try Library(at: URL(fileURLWithPath: folder.path("library")))
    for (name, text) in [("weekly \"talk\"", "hello there"), ("other", "not this")] {
      let session = RecordedSession(
        source: "a.wav", locale: "en-US", engine: "analyzer", start: .now, state: .complete)
      try library.store.begin(session)
      let candidate = Candidate(text: text, words: [], confidence: 0.9)
      try library.store.append(Segment(id: 0, start: 0, end: 1.5, candidates: [candidate]), to: session.id)
      try library.store.rename(session.id, to: name)
    }
    let environment = [
      "LONGHAND_LIBRARY": folder.path("library"), "SPEECH_MODEL_PATH": folder.path("models"),
      "SPEECH_SYSTEM_MODEL_PATH": "",
    ]
    let imported = try await LonghandProcess.run(
      "models", "import", ToyModel.models.path + "/toy-ctc", "--language", "en", environment: environment)
    try #require(imported.status == 0, "\(imported.errors)")
    for name in ["chess.json5", "chess.wav"] { try folder.write("", to: name) }
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Shells/complete.py").path
    let result = try await LonghandProcess.shell(
      "python3 -B '\(script)' \(shell) '\(LonghandProcess.products.path)' 'longhand show week' "
        + "'longhand models licence toy-' 'longhand transcribe --vocabulary ches'",
      environment: environment, in: folder.url)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("Hello there"), "\(result.output)")
    #expect(result.output.contains("models licence toy-ctc"), "\(result.output)")
    #expect(result.output.contains("chess.json5"), "\(result.output)")
  }

  /// Otherwise a tab in a new home would make a library there.
  @Test(.tagged(.childProcess)) func completingMakesNoLibrary() async throws {
    let folder = try TemporaryFolder()
    let result = try await LonghandProcess.run(
      "completions", "--list", "--", "show", "", environment: ["LONGHAND_LIBRARY": folder.path("library")])
    #expect(result.status == 0)
    #expect(result.output.isEmpty)
    #expect(!folder.has("library"))
  }

  /// Renders all pages, as a package has them.
  @Test(.tagged(.childProcess)) func manRendersEveryPageWithAllOptions() async throws {
    let folder = try TemporaryFolder()
    let verbs = Verbs.all.map { $0.description }
    try folder.write(ManualPage.overview, to: "longhand.1")
    for verb in verbs { try folder.write(ManualPage.page(for: verb), to: "longhand-\(verb.name).1") }
    let result = try await LonghandProcess.shell(
      "for page in *.1; do MANWIDTH=200 LC_ALL=C.UTF-8 man --warnings -l $page > $page.txt || echo failed: $page; done",
      in: folder.url)
    #expect(result.errors == "")
    #expect(result.output == "")
    let overview = try folder.read("longhand.1.txt")
    for verb in verbs {
      #expect(overview.contains("longhand-\(verb.name)(1)"))
      let page = try folder.read("longhand-\(verb.name).1.txt")
      for option in verb.allOptions { #expect(page.contains(option.name), "\(verb.name) \(option.name)") }
      for example in verb.examples { #expect(page.contains(example.command), "\(verb.name)") }
    }
    let printed = try await LonghandProcess.run("help", "--man", "show")
    #expect(printed.output == ManualPage.page(for: ShowCommand.description))
  }
}
