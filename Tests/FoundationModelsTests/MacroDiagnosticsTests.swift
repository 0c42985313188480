import Foundation
import TestSupport
import Testing

/// Compiles small programs, to see what the macros refuse.
@Suite("What the macros refuse", .tagged(.childProcess), .serialized)
struct MacroDiagnosticsTests {
  /// What the compiler says of a program.
  private static func messages(of program: String) async throws -> String {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "macro-\(UUID().uuidString).swift")
    try "import FoundationModels\n\(program)\n".write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let products = try BuiltModules.folder(having: "FoundationModels")
    let plugin = products.appendingPathComponent("FoundationModelsMacros-tool").path
    try #require(FileManager.default.fileExists(atPath: plugin))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "swiftc", "-typecheck", "-swift-version", "6", "-I", products.appendingPathComponent("Modules").path,
      "-load-plugin-executable", "\(plugin)#FoundationModelsMacros", file.path,
    ]
    let output = Pipe()
    process.standardError = output
    process.standardOutput = output
    try process.run()
    return await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        continuation.resume(returning: String(decoding: data, as: UTF8.self))
      }
    }
  }

  @Test(
    "is told by name",
    arguments: [
      ("@Generable class A {}", "can only be attached to a struct or an enum"),
      ("@Generable struct A { var a = 1 }", "needs a written type"),
      ("@Generable struct A { let a: Int = 1 }", "a constant with a value"),
      ("@Generable struct A { var (a, b): (Int, Int) }", "needs a name of its own"),
      ("@Generable enum A {}", "at least one case"),
      ("@Generable enum A: Int { case a }", "raw values of type String"),
      ("@Generable struct A { @Guide(description: \"\") var a: Int { 1 } }", "to a stored property"),
      ("@Guide(description: \"\") func a() {}", "to a stored property"),
      ("@Generable struct A { @Guide(.range(0...1)) var a: String }", "error:"),
      ("@Generable struct A { var a: AnyObject }", "error:"),
    ])
  func refusal(program: String, message: String) async throws {
    let messages = try await Self.messages(of: program)
    #expect(messages.contains(message), "\(messages)")
    #expect(messages.contains("error:"))
  }

  @Test("is nothing that can be generated")
  func acceptance() async throws {
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
