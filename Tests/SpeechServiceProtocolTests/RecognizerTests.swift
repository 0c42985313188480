import Foundation
import Testing

@testable import SpeechServiceProtocol

@Suite struct RecognizerTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test func rowsDoNotShareNames() {
    for name in [\Recognizer.id, \.program, \.variable] {
      let names = Recognizer.builtIn.map { $0[keyPath: name] }
      #expect(Set(names).count == names.count)
    }
  }

  /// A recognizer that is not built or not installed is found nowhere.
  @Test(arguments: Recognizer.builtIn) func programIsBuiltInstalledAndDocumented(_ row: Recognizer) throws {
    #expect(try Self.text("Package.swift").contains(".executable(name: \"\(row.program)\""))
    #expect(try Self.text("Packaging/programs").split(separator: "\n").contains { $0 == row.program })
    let guides = (try? FileManager.default.contentsOfDirectory(atPath: Self.root.path + "/docs")) ?? []
    let documents = ["README.md"] + guides.filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }
    let all = try documents.map(Self.text).joined()
    #expect(all.contains("`\(row.program)`"))
    #expect(all.contains("`\(row.variable)`"))
  }

  @Test func onlyRecognizersWithThatLanguageAreAskedAgain() {
    let model = ModelReference(.sherpaOnnx, folder: "/m", digest: "0")
    #expect(model.secondTry(locale: "en-US") == .pocketSphinx)
    #expect(model.secondTry(locale: "de-DE") == nil)
    #expect(ModelReference.pocketSphinx.secondTry(locale: "en-US") == nil)
  }

  @Test func rowsComeFromAFile() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("rows-\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let row = Recognizer(
      id: "other", program: "other-service", variable: "OTHER_PATH", parallelism: .oneProcess, loading: 1,
      window: 28, words: .bySound)
    let environment = [Recognizer.additionsVariable: file.path]
    #expect(Recognizer.additions(environment).isEmpty)
    try Data("[{}]".utf8).write(to: file)
    #expect(Recognizer.additions(environment).isEmpty)
    try JSONEncoder().encode([row]).write(to: file)
    #expect(Recognizer.additions(environment) == [row])
  }
}
