import Foundation
import TestSupport
import Testing

@testable import LonghandCommand

extension StoredSessionTests {
  /// The samples of the documents work as typed.
  ///
  /// Swift blocks are compiled against the built modules. Shell blocks that follow the line `<!-- tested -->` are run, in
  /// a folder with the recordings that they name. The commands of other shell blocks are only parsed, because they need a
  /// network, a microphone or programs that are not installed. Links must lead to files and headings that exist.
  @Suite struct ReadmeTests {
    @Test func documentsHaveSamples() throws {
      #expect(try Documents.swiftBlocks().count >= 8)
      #expect(try Documents.testedBlocks().count >= 8)
    }

    @Test func commandsNameTestsThatExist() throws {
      let tests = Documents.package.appendingPathComponent("Tests").path
      // A regular expression of Swift takes ten times as long.
      let names = try Program.output(of: ["grep", "-rhoE", "--include=*.swift", "(func|struct) \\w+", tests])
      let filters = try Documents.files().flatMap { file in
        try String(contentsOf: file, encoding: .utf8).matches(of: /swift test --filter '?([A-Za-z|]+)/)
          .flatMap { $0.1.split(separator: "|") }
      }
      #expect(filters.count >= 8)
      for filter in filters {
        #expect(names.contains(filter), "there is no test \(filter)")
      }
    }

    /// Who reads that nothing leaks must read there what can leave the device.
    @Test(arguments: [
      "README.md", "SECURITY.md", "docs/privacy.md", "Sources/Longhand/Longhand.docc/NothingLeaks.md",
    ])
    func documentsOfThePromiseNameTheOptionThatSendsAudio(_ name: String) throws {
      let text = try String(contentsOf: Documents.package.appendingPathComponent(name), encoding: .utf8)
      #expect(text.contains("`--allow-server`"))
    }

    /// Who reads that nothing is lost must read there what a full disk costs in the end.
    @Test(arguments: ["README.md", "Sources/Longhand/Longhand.docc/NothingIsLost.md"])
    func documentsOfThePromiseSayWhatAFullDiskCosts(_ name: String) throws {
      let text = try String(contentsOf: Documents.package.appendingPathComponent(name), encoding: .utf8)
      #expect(text.contains("if no room comes until the recording ends, they are lost."))
      #expect(text.contains("What is lost is recorded as a gap with its reason."))
      #expect(!text.contains("With a full disk, a disconnected microphone or a crashed recognizer, no more"))
    }

    @Test(arguments: [("README.md", 130), ("docs/accuracy.md", 120), ("CHANGELOG.md", 120)])
    func pageIsShort(_ name: String, limit: Int) throws {
      let text = try String(contentsOf: Documents.package.appendingPathComponent(name), encoding: .utf8)
      #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= limit + 1)
    }

    @Test(arguments: try Documents.files()) func linksLeadToFilesAndHeadings(_ file: URL) throws {
      for link in try MarkdownLink.relativeLinks(of: file) {
        let target =
          link.path.isEmpty ? file : file.deletingLastPathComponent().appendingPathComponent(link.path)
        #expect(FileManager.default.fileExists(atPath: target.path), "\(link.line): no file \(link.path)")
        guard let anchor = link.anchor, target.pathExtension == "md" else { continue }
        #expect(try MarkdownLink.anchors(of: target).contains(anchor), "\(link.line): no heading #\(anchor)")
      }
    }

    @Test(arguments: try Documents.shellBlocks()) func commandsAreValid(_ block: MarkdownBlock)
      throws
    {
      let targets = try String(
        contentsOf: Documents.package.appendingPathComponent("Makefile"), encoding: .utf8
      )
      .matches(of: /(?m)^([a-z-]+):/).map(\.1)
      for words in block.commands {
        switch words.first {
        // A list is read with the arguments.
        case "longhand" where words.count > 1 && !words.contains("--files-from"):
          let verb = try Verbs.named(words[1])
          #expect(throws: Never.self, "\(block): \(words)") {
            _ = try verb.init(verb.description.parser.parse(Array(words.dropFirst(2))))
          }
        case "make":
          #expect(words.dropFirst().prefix(1).allSatisfy { targets.contains($0[...]) }, "\(block): \(words)")
        default: break
        }
      }
    }

    /// The guides, the commands and the HTTP API as a site, without the modules, which `make docs` adds.
    @Test(.tagged(.childProcess)) func siteHasNoBrokenLinkAndAsksNoOtherHost() async throws {
      let folder = try TemporaryFolder()
      let package = Documents.package.path
      let result = try await LonghandProcess.shell(
        "\"$('\(package)/Scripts/test-python' docs)\" -B '\(package)/Scripts/site/build.py' '\(folder.path("site"))' "
          + "'\(LonghandProcess.executable.path)' /nonexistent")
      #expect(result.status == 0, "\(result.output) \(result.errors)")
      for page in ["index.html", "commands.html", "api.html", "agents.html"] {
        #expect(folder.has("site/\(page)"))
      }
    }

    /// The README shows what `make demo` prints. The times may differ a little between processors.
    @Test(.enabled(if: Documents.hasDefaultModel)) func demoPrintsTheSampleOfTheReadme() async throws {
      let readme = Documents.package.appendingPathComponent("README.md")
      let sample = try #require(
        try MarkdownBlock.blocks(of: readme).first { $0.before == "<!-- sample: make demo -->" })
      let result = try await LonghandProcess.shell(
        "env -u SPEECH_MODEL -u SPEECH_MODEL_PATH -u SPEECH_SYSTEM_MODEL_PATH longhand transcribe --format vtt '\(Recordings.long)'"
      )
      func text(_ captions: String) -> [Substring] {
        captions.split(separator: "\n").filter { !$0.contains("-->") }
      }
      func seconds(_ captions: String) -> [Double] {
        captions.matches(of: /(\d\d):(\d\d\.\d\d\d)/).map { 60 * Double($0.1)! + Double($0.2)! }
      }
      #expect(text(result.output) == text(sample.text), "\(result.errors)")
      #expect(seconds(result.output).count == seconds(sample.text).count)
      for (printed, shown) in zip(seconds(result.output), seconds(sample.text)) {
        #expect(abs(printed - shown) <= 0.05)
      }
    }

    @Test(arguments: try Documents.swiftBlocks()) func swiftCompiles(_ block: MarkdownBlock) async throws {
      let folder = try TemporaryFolder()
      // Only a file of this name can have statements outside functions.
      let file = try folder.write(block.text, to: "main.swift")
      let sources = Documents.package.appendingPathComponent("Sources").path
      let paths = FileManager.default.enumerator(atPath: sources)?.allObjects as? [String] ?? []
      let headers = paths.filter { $0.hasSuffix("/module.modulemap") }.sorted()
        .map { "-I '\(sources)/\($0.dropLast("/module.modulemap".count))'" }.joined(separator: " ")
      let result = try await LonghandProcess.shell(
        "swiftc -typecheck -swift-version 6 -warnings-as-errors -I '\(LonghandProcess.products.path)/Modules' "
          + "\(headers) '\(file)'")
      #expect(result.status == 0, "\(block): \(result.errors)")
    }

    /// Those of the README in every run of the tests, all in `make soak`.
    @Test(arguments: try Documents.testedBlocks().filter { isSoak || $0.place.hasPrefix("README.md") })
    func shellRunsAsTyped(_ block: MarkdownBlock) async throws {
      let folder = try TemporaryFolder()
      try folder.write(try Data(contentsOf: URL(fileURLWithPath: Recordings.short)), to: "talk.wav")
      try folder.write(try Data(contentsOf: URL(fileURLWithPath: Recordings.paths[4])), to: "panel.wav")
      try folder.write("he was not an ill disposed young man\n", to: "talk.txt")
      try folder.write("talk.wav\ttalk.txt\npanel.wav\tsomething was said\n", to: "recordings.tsv")
      let result = try await LonghandProcess.shell(
        "set -euo pipefail\n\(block.text)", environment: ["LONGHAND_LIBRARY": folder.path("library")],
        in: folder.url)
      #expect(result.status == 0, "\(block): \(result.errors)")
    }
  }
}

/// What people read first: the README, the other pages, and the articles of the reference documentation.
enum Documents {
  static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Whether `make setup` has installed the model that is used by default.
  static var hasDefaultModel: Bool {
    let prefix = ProcessInfo.processInfo.environment["PREFIX"] ?? "/usr/local"
    return FileManager.default.fileExists(atPath: prefix + "/share/longhand/models/whisper-base/model.json")
  }

  static func files() throws -> [URL] {
    let names = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
    return try names.map { package.appendingPathComponent($0) }
      + ["docs", "Sources/Longhand/Longhand.docc"].flatMap { folder in
        let folder = package.appendingPathComponent(folder)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
          .filter { $0.hasSuffix(".md") }.map { folder.appendingPathComponent($0) }
      }
  }

  static func swiftBlocks() throws -> [MarkdownBlock] {
    try files().flatMap { try MarkdownBlock.blocks(of: $0) }.filter { $0.language == "swift" }
  }

  static func shellBlocks() throws -> [MarkdownBlock] {
    try files().flatMap { try MarkdownBlock.blocks(of: $0) }.filter { $0.language == "sh" }
  }

  /// Those that are run as they stand.
  static func testedBlocks() throws -> [MarkdownBlock] { try shellBlocks().filter(\.isTested) }
}

extension MarkdownBlock {
  /// The words of each simple command of a shell block, without comments, redirections and quotes.
  fileprivate var commands: [[String]] {
    text.split(separator: "\n").flatMap { line in
      line.prefix(upTo: line.range(of: " #")?.lowerBound ?? line.endIndex)
        .split(separator: /\|\|?|&&/).map { command in
          command.prefix { $0 != ">" && $0 != "<" }.matches(of: /'([^']*)'|"([^"]*)"|[^ ]+/)
            .map { String($0.1 ?? $0.2 ?? $0.0) }
        }
    }
  }
}
