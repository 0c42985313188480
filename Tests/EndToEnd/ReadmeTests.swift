import Foundation
import Testing

extension StoredSessionTests {
  /// What the documents show works as typed.
  ///
  /// Swift blocks of the README and of the documentation's pages are compiled against the built modules. Shell blocks of
  /// the README that follow the line `<!-- tested -->` are run, in a folder with the recordings that they name.
  @Suite struct ReadmeTests {
    private static let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The README and the documentation's pages.
    private static func files() throws -> [URL] {
      let pages = package.appendingPathComponent("Sources/Longhand/Longhand.docc")
      let names = try FileManager.default.contentsOfDirectory(atPath: pages.path).sorted()
      return [package.appendingPathComponent("README.md")]
        + names.filter { $0.hasSuffix(".md") }.map { pages.appendingPathComponent($0) }
    }

    private static func swiftBlocks() throws -> [MarkdownBlock] {
      try files().flatMap { try MarkdownBlock.blocks(of: $0) }.filter { $0.language == "swift" }
    }

    private static func shellBlocks() throws -> [MarkdownBlock] {
      try MarkdownBlock.blocks(of: package.appendingPathComponent("README.md"))
        .filter { $0.language == "sh" && $0.isTested }
    }

    @Test func thereIsSomethingToTest() throws {
      #expect(try Self.swiftBlocks().count >= 4)
      #expect(try Self.shellBlocks().count >= 2)
    }

    @Test func commandsNameTestsThatExist() throws {
      let tests = Self.package.appendingPathComponent("Tests")
      let sources = try #require(FileManager.default.enumerator(atPath: tests.path)?.allObjects as? [String])
        .filter { $0.hasSuffix(".swift") }
        .map { try String(contentsOf: tests.appendingPathComponent($0), encoding: .utf8) }
      let filters = try Self.files().flatMap { file in
        try String(contentsOf: file, encoding: .utf8).matches(of: /swift test --filter '?([A-Za-z|]+)/)
          .flatMap { $0.1.split(separator: "|") }
      }
      #expect(filters.count >= 8)
      for filter in filters {
        let definition = try Regex("(func|struct) \\w*\(filter)")
        #expect(sources.contains { $0.contains(definition) }, "there is no test \(filter)")
      }
    }

    @Test(arguments: try swiftBlocks()) func swiftCompiles(_ block: MarkdownBlock) async throws {
      let folder = try TemporaryFolder()
      // Only in a file of this name statements may stand by themselves.
      let file = try folder.write(block.text, to: "main.swift")
      let system = Self.package.appendingPathComponent("Sources/System")
      let headers = try FileManager.default.contentsOfDirectory(atPath: system.path).sorted()
        .map { "-I '\(system.path)/\($0)'" }.joined(separator: " ")
      let result = try await LonghandProcess.shell(
        "swiftc -typecheck -swift-version 6 -warnings-as-errors -I '\(LonghandProcess.products.path)/Modules' "
          + "\(headers) '\(file)'")
      #expect(result.status == 0, "\(block): \(result.errors)")
    }

    @Test(arguments: try shellBlocks()) func shellRunsAsTyped(_ block: MarkdownBlock) async throws {
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
