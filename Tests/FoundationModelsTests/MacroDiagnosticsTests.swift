import Foundation
import TestSupport
import Testing

/// Compiles small programs and the examples of the documentation.
@Suite(.tagged(.childProcess), .serialized) struct MacroDiagnosticsTests {
  /// The compiler's messages for a program.
  private static func messages(of program: String) async throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("macro-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("main.swift")
    try "import FoundationModels\n\(program)\n".write(to: file, atomically: true, encoding: .utf8)
    let products = try BuiltModules.folder(having: "FoundationModels")
    let plugin = products.appendingPathComponent("FoundationModelsMacros-tool").path
    try #require(FileManager.default.fileExists(atPath: plugin))
    let compiler = try await Program.run([
      "swiftc", "-typecheck", "-swift-version", "6", "-I", products.appendingPathComponent("Modules").path,
      "-load-plugin-executable", "\(plugin)#FoundationModelsMacros", file.path,
    ])
    return compiler.text + compiler.complaint
  }

  @Test(
    arguments: [
      ("@Generable class A {}", "can only be attached to a struct or an enum"),
      ("@Generable struct A { var a = 1 }", "needs an explicit type"),
      ("@Generable struct A { var (a, b): (Int, Int) }", "needs a single name"),
      ("@Generable enum A {}", "at least one case"),
      ("@Generable enum A: Int { case a }", "raw values only of type String"),
      ("@Generable struct A { @Guide(description: \"\") var a: Int { 1 } }", "to a stored property"),
      ("@Guide(description: \"\") func a() {}", "to a stored property"),
      ("@Generable struct A { @Guide(.range(0...1)) var a: String }", "error:"),
      ("@Generable struct A { var a: AnyObject }", "error:"),
    ])
  func unsupportedDeclarationsAreReported(program: String, message: String) async throws {
    let messages = try await Self.messages(of: program)
    #expect(messages.contains(message), "\(messages)")
    #expect(messages.contains("error:"))
    #expect(messages.contains("main.swift:2:"), "\(messages)")
    #expect(!messages.contains("<unknown>"))
  }

  /// The Swift code blocks in the documentation page and in the doc comments of the module.
  private static func examples() throws -> [String] {
    let module = URL(fileURLWithPath: #filePath).appendingPathComponent(
      "../../../Sources/Apple/FoundationModels"
    )
    .standardized
    let names = try #require(FileManager.default.enumerator(atPath: module.path)?.allObjects as? [String])
    return try names.sorted().filter { $0.hasSuffix(".swift") || $0.hasSuffix(".md") }.flatMap { name in
      let text = try String(contentsOf: module.appendingPathComponent(name), encoding: .utf8)
        .replacing(#/(?m)^ *\/\/\/ ?/#, with: "")
      return text.matches(of: #/(?s)```swift\n(.*?)\n```/#).map { "// \(name)\n\($0.1)" }
    }
  }

  @Test func everyTypeToStartFromHasAnExample() throws {
    let examples = try Self.examples()
    let files = [
      "FoundationModels.docc/FoundationModels.md", "Session/LanguageModelSession.swift",
      "Model/SystemLanguageModel.swift", "Macros.swift", "Prompting/Tool.swift",
      "Prompting/GenerationOptions.swift",
    ]
    for file in files {
      #expect(examples.contains { $0.hasPrefix("// \(file)\n") }, "\(file) has no example")
    }
  }

  @Test(arguments: try examples()) func documentationExampleCompiles(_ example: String) async throws {
    let messages = try await Self.messages(of: example)
    #expect(messages == "", "\(example)")
  }

  @Test func supportedDeclarationsCompileWithoutMessages() async throws {
    let messages = try await Self.messages(
      of: """
        @Generable public struct A {
          public var a, b: Int
          @Guide(description: "c", .count(2)) var c: [String]?
          var d: Optional<Double> { didSet {} }
          static let e = 1
          var f: Int { a }
          @Generable struct Empty {}
          var g: Empty
          var `switch`: [B]
        }
        @Generable enum B { case one, two(Int), three(a: [B], String?) }
        @Generable public struct C: Sendable & Equatable { var id: GenerationID, other: GenerationID }
        func same(_ a: C.PartiallyGenerated) -> Bool { a == a && a.id == a.other }
        func partial(_ a: A.PartiallyGenerated) -> [Double?] { [a.d, a.c?.first.flatMap { Double($0) }] }
        """)
    #expect(messages == "")
  }
}
