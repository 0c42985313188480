import Foundation
import TestSupport
import Testing

@testable import Speech

@Suite("Custom language model data") struct CustomLanguageModelDataTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("language-model-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func run(_ command: String...) throws -> Program { try Program.run(command, in: folder) }

  private func data(
    _ identifier: String = "test",
    @SFCustomLanguageModelData.DataInsertableBuilder _ builder: () -> any DataInsertable
  ) -> SFCustomLanguageModelData {
    SFCustomLanguageModelData(
      locale: Locale(identifier: "en_US"), identifier: identifier, version: "1", builder: builder)
  }

  private func lines(_ file: URL) throws -> [String] {
    var lines: [String] = []
    _ = try LanguageModelAsset(url: file).read { lines.append("\($1)\t\($0)") }
    return lines
  }

  /// One script for several languages: the phrases of each come from its table, as from `NSLocalizedString`.
  @Test func aScriptWritesAFileForEachLanguage() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let phrases = [
      "en_US": "play the Winawer variation", "de_DE": "spiele die Winawer Variante", "ja_JP": "ウィナワー 変化",
    ]
    for (language, phrase) in phrases {
      let file = folder.appendingPathComponent("\(language).bin")
      let data = SFCustomLanguageModelData(
        locale: Locale(identifier: language), identifier: "com.example.chess", version: "1"
      ) {
        SFCustomLanguageModelData.PhraseCount(phrase: phrase, count: 10)
      }
      try await data.export(to: file)
      #expect(try lines(file) == ["10\t\(phrase)"])
      let contents = try LanguageModelAsset(url: file).read { _, _ in }
      #expect(contents.information.locale == language)
    }
  }

  @Test func pronunciationInALanguageWithoutPhonemesIsAnError() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let portuguese = Locale(identifier: "pt_BR")
    #expect(SFCustomLanguageModelData.supportedPhonemes(locale: portuguese).isEmpty)
    let data = SFCustomLanguageModelData(locale: portuguese, identifier: "test", version: "1") {
      SFCustomLanguageModelData.CustomPronunciation(grapheme: "Winawer", phonemes: ["v i n a v 6"])
    }
    let file = folder.appendingPathComponent("pt.bin")
    let error = await #expect(throws: SFSpeechError.self) { try await data.export(to: file) }
    #expect(error?.localizedDescription.contains("the language pt-BR has no phonemes") == true)
    #expect(error?.localizedDescription.contains("Winawer") == true)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func budgetIsEnforced() {
    var phrases = LanguageModelAsset.Budget()
    for _ in 0..<LanguageModelAsset.Budget.maxPhrases { _ = phrases.take("a") }
    #expect(phrases.take("a")?.contains("more than 1000000 phrases") == true)
    var bytes = LanguageModelAsset.Budget()
    let long = String(repeating: "a", count: 10_000)
    let count = LanguageModelAsset.Budget.maxBytes / long.utf8.count
    for _ in 0..<count { #expect(bytes.take(long) == nil) }
    #expect(bytes.take(long)?.contains("more than 64 MiB") == true)
  }

  /// A template with too many expansions ends with an error, and without a file.
  @Test func excessiveTemplateIsAnError() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let words = (0..<101).map { "word\($0)" }
    let data = data {
      SFCustomLanguageModelData.PhraseCountsFromTemplates(classes: ["a": words, "b": words, "c": words]) {
        SFCustomLanguageModelData.TemplatePhraseCountGenerator.Template("<a> <b> <c>", count: 2_000_000)
      }
    }
    let file = folder.appendingPathComponent("large.bin")
    let error = await #expect(throws: SFSpeechError.self) { try await data.export(to: file) }
    #expect(error?.localizedDescription.contains("more than 1000000 phrases") == true)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test(.tagged(.childProcess)) func exportEqualsThatOfAppleFramework() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("chess.bin")
    try await ChessData.data().export(to: file)
    #expect(try run("unzip", "-tqq", "chess.bin").status == 0)
    let information = try run("unzip", "-p", "chess.bin", "asset_info.json").output
    let pronunciations = try run("unzip", "-p", "chess.bin", "custom-prons").output
    let phrases = try run("unzip", "-p", "chess.bin", "phrase-count").output
    // The sizes that Apple's framework writes for the same data.
    #expect(information.count == 197)
    #expect(pronunciations.count == 534)
    #expect(phrases.count == 14_582)
    let written = String(decoding: phrases, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(written.count == 579)
    #expect(
      Array(written.prefix(5)) == [
        "10\tPlay the Albin counter gambit", "10\tPlay the Winawer variation", "10\tPlay the Tartakower",
        "17\tking to king king 8", "17\tking to king king 7",
      ])
    #expect(written.last == "17\tpawn to queen pawn 1")
    let listing = String(decoding: try run("unzip", "-Z1", "chess.bin").output, as: UTF8.self)
    #expect(listing == "asset_info.json\ncustom-prons\nphrase-count\n")
    let head = try #require(try FileHandle(forReadingFrom: file).read(upToCount: 30))
    // Stored, with data descriptors, 1980-01-01 00:00.
    #expect(Array(head[0..<14]) == [0x50, 0x4B, 3, 4, 10, 0, 8, 0, 0, 0, 0, 0, 0x21, 0])
    let again = folder.appendingPathComponent("again.bin")
    try await ChessData.data().export(to: again)
    let first = try Foundation.Data(contentsOf: file)
    #expect(try Foundation.Data(contentsOf: again) == first)
    try await ChessData.data(version: "2").export(to: again)
    #expect(try Foundation.Data(contentsOf: again) != first)
  }

  @Test(.tagged(.childProcess), arguments: [["-q"], ["-q0"], ["-q9"]])
  func archivesOfOtherToolsAreRead(_ options: [String]) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("chess.bin")
    try await ChessData.data().export(to: file)
    _ = try run("unzip", "-q", "chess.bin")
    #expect(
      try run("zip", options[0], "other.zip", "phrase-count", "asset_info.json", "custom-prons").status == 0)
    let other = folder.appendingPathComponent("other.zip")
    let (found, expected) = (try lines(other), try lines(file))
    #expect(found == expected)
    let contents = try LanguageModelAsset(url: other).read { _, _ in }
    #expect(contents.information.version == "com.apple.SpokenWord:1.0")
    #expect(contents.pronunciations.map(\.grapheme) == ["Winawer", "Tartakower"])
    #expect(contents.pronunciations[0].phonemes == ["w I n aU @r"])
  }

  @Test func builderSupportsConditionsAndLoops() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let isWanted = true
    let maybe: String? = nil
    let built = data {
      for name in ["one", "two"] { SFCustomLanguageModelData.PhraseCount(phrase: name, count: 1) }
      if isWanted {
        SFCustomLanguageModelData.PhraseCount(phrase: "wanted", count: 2)
      } else {
        SFCustomLanguageModelData.PhraseCount(phrase: "unwanted", count: 2)
      }
      if let maybe { SFCustomLanguageModelData.PhraseCount(phrase: maybe, count: 3) }
      SFCustomLanguageModelData.PhraseCountsFromTemplates(classes: ["x": ["a", "b"]]) {
        for word in ["see", "hear"] {
          SFCustomLanguageModelData.TemplatePhraseCountGenerator.Template("\(word) <x> < <x>", count: 3)
        }
        if !isWanted { SFCustomLanguageModelData.TemplatePhraseCountGenerator.Template("no", count: 1) }
      }
    }
    let file = folder.appendingPathComponent("built.bin")
    try await built.export(to: file)
    let expanded = try lines(file)
    #expect(
      expanded == [
        "1\tone", "1\ttwo", "2\twanted", "1\tsee b < b", "1\tsee b < a", "1\tsee a < b", "1\tsee a < a",
        "1\thear b < b", "1\thear b < a", "1\thear a < b", "1\thear a < a",
      ])
    let copy = try JSONDecoder().decode(SFCustomLanguageModelData.self, from: JSONEncoder().encode(built))
    #expect(copy == built)
    #expect(copy.hashValue == built.hashValue)
    copy.insert(phraseCount: .init(phrase: "more", count: 1))
    #expect(copy != built)
    let empty = SFCustomLanguageModelData(locale: Locale(identifier: "en_US"), identifier: "e", version: "1")
    {}
    try await empty.export(to: file)
    let none = try lines(file)
    #expect(none.isEmpty)
  }

  @Test func templateExpansionIsLazy() async throws {
    let generator = SFCustomLanguageModelData.TemplatePhraseCountGenerator()
    generator.define(className: "n", values: (0..<1000).map { "\($0)" })
    generator.insert(template: "<n> <n> <n> <n>", count: 5)
    // A million million phrases do not fit into memory.
    let iterator = generator.makeAsyncIterator()
    #expect(try await iterator.next() == .init(phrase: "999 999 999 999", count: 1))
    #expect(try await iterator.next() == .init(phrase: "999 999 999 998", count: 1))
  }

  @Test func invalidDataIsRefusedWithItsPosition() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("bad.bin")
    func problem(_ data: SFCustomLanguageModelData) async throws -> SFSpeechError? {
      do {
        try await data.export(to: file)
        return nil
      } catch { return error as? SFSpeechError }
    }
    for (phrase, count, words) in [
      ("fine", 0, "count 0"), ("fine", -3, "count -3"), ("  ", 1, "empty"), ("a\nb", 1, "control character"),
      (String(repeating: "long ", count: isSoak ? 20_000_000 : 200_000), 1, "longer than 10000 bytes"),
    ] {
      let error = try await problem(
        data {
          SFCustomLanguageModelData.PhraseCount(phrase: "good", count: 1)
          SFCustomLanguageModelData.PhraseCount(phrase: phrase, count: count)
        })
      #expect(error?.code == .malformedSupplementalModel)
      let text = error?.localizedDescription ?? ""
      #expect(text.contains("Phrase 2"))
      #expect(text.contains(words))
      #expect(text.count < 200)
    }
    let undefined = try await problem(
      data {
        SFCustomLanguageModelData.PhraseCountsFromTemplates(classes: ["a": ["x"]]) {
          SFCustomLanguageModelData.TemplatePhraseCountGenerator.Template("go <b>", count: 1)
        }
      })
    #expect(undefined?.code == .undefinedTemplateClassName)
    #expect(try #require(undefined).localizedDescription.contains("<b>"))
    let empty = try await problem(
      data {
        SFCustomLanguageModelData.PhraseCountsFromTemplates(classes: ["a": []]) {
          SFCustomLanguageModelData.TemplatePhraseCountGenerator.Template("go <a>", count: 1)
        }
      })
    #expect(try #require(empty).localizedDescription.contains("no values"))
    let silent = try await problem(
      data { SFCustomLanguageModelData.CustomPronunciation(grapheme: "word", phonemes: [" "]) })
    #expect(try #require(silent).localizedDescription.contains("Pronunciation 1"))
    // No file is left, neither complete nor partial.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test(.tagged(.childProcess)) func damagedFileIsRefusedWithItsPosition() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("chess.bin")
    try await ChessData.data().export(to: file)
    let whole = try Foundation.Data(contentsOf: file)
    func problem(_ bytes: Foundation.Data) throws -> String {
      try bytes.write(to: file)
      do {
        _ = try LanguageModelAsset(url: file).read { _, _ in }
        return ""
      } catch let error as SFSpeechError {
        #expect(error.code == .malformedSupplementalModel)
        return error.localizedDescription
      }
    }
    for length in [0, 3, 100, whole.count / 2] {
      #expect(try problem(whole.prefix(length)).contains("chess.bin is not custom language model data"))
    }
    #expect(try problem(Foundation.Data("RIFF....WAVE".utf8)).contains("not custom language model data"))
    var flipped = whole
    flipped[whole.count / 2] ^= 0x20
    #expect(try problem(flipped) != "")
    for (member, content, words) in [
      ("asset_info.json", "{", "asset_info.json: not JSON"),
      ("asset_info.json", "{\"version\": \"1\"}", "locale is missing"),
      ("phrase-count", "3\tgood\nno count\n", "phrase-count, line 2: a line must be a count"),
      ("phrase-count", "3\tgood\n0\tbad\n", "line 2: the count is 0"),
      ("phrase-count", "3\t \n", "line 1: the phrase is empty"),
      (
        "phrase-count", "1\t" + String(repeating: "x", count: isSoak ? 100_000_000 : 1_000_000),
        "line 1: the line is longer than"
      ),
      ("custom-prons", "<lexicon><lexeme>", "custom-prons, line 1"),
      ("custom-prons", "<html></html>", "not a complete pronunciation lexicon"),
    ] {
      try whole.write(to: file)
      _ = try run("unzip", "-qo", "chess.bin")
      try content.write(to: folder.appendingPathComponent(member), atomically: true, encoding: .utf8)
      _ = try run("rm", "-f", "other.zip")
      _ = try run("zip", "-q0", "other.zip", "asset_info.json", "custom-prons", "phrase-count")
      let text = try problem(Foundation.Data(contentsOf: folder.appendingPathComponent("other.zip")))
      #expect(text.contains(words), "\(member)")
    }
    try Foundation.Data([0x31, 0x09, 0xFF, 0xFE, 0x0A]).write(
      to: folder.appendingPathComponent("phrase-count"))
    _ = try run("zip", "-q0", "utf.zip", "asset_info.json", "phrase-count")
    #expect(
      try problem(Foundation.Data(contentsOf: folder.appendingPathComponent("utf.zip"))).contains(
        "line 1: the phrase is not UTF-8"))
    try "1\tgood".write(to: folder.appendingPathComponent("phrase-count"), atomically: true, encoding: .utf8)
    _ = try run("zip", "-q0", "less.zip", "phrase-count")
    #expect(
      try problem(Foundation.Data(contentsOf: folder.appendingPathComponent("less.zip"))).contains(
        "asset_info.json"))
  }

  @Test func supportedPhonemesAreListed() {
    let symbols = SFCustomLanguageModelData.supportedPhonemes(locale: Locale(identifier: "en_US"))
    #expect(Set("w I n aU @r t A k @".split(separator: " ").map(String.init)).isSubset(of: symbols))
    for (language, words) in [
      "en_GB": "S { l @U T O: t", "de_DE": "ts u: k ts v a N y: b 6", "de_AT": "pf O6 t @",
      "fr_FR": "b o~ Z u R H i t",
      "es_MX": "p e 4 o p e r o a J o", "it": "f i L L o dZ E n t e J O k k i",
    ] {
      let symbols = SFCustomLanguageModelData.supportedPhonemes(locale: Locale(identifier: language))
      #expect(Set(words.split(separator: " ").map(String.init)).subtracting(symbols).isEmpty, "\(language)")
      #expect(symbols == symbols.sorted() && Set(symbols).count == symbols.count, "\(language)")
    }
    for language in ["tlh", "en_AU", "pt_BR"] {
      #expect(SFCustomLanguageModelData.supportedPhonemes(locale: Locale(identifier: language)).isEmpty)
    }
    #expect(PhonemeMap.phones(of: "\"w I n aU @r").phones == ["W", "IH", "N", "AW", "ER"])
    #expect(PhonemeMap.phones(of: "w !! n").unknown.map(\.position) == [2])
  }
}
