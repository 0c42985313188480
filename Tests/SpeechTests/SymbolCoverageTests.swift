import Foundation
import Testing

/// Compares what the module declares with the names of Apple's interface (`speech-26.5-names.txt`, one a line).
@Suite("Coverage of Apple's names")
struct SymbolCoverageTests {
  /// Names that may be missing, by how they begin, each with the reason.
  private static let exceptions: [(prefix: String, reason: String)] = []

  @Test("is whole but for what is listed with a reason")
  func coverage() throws {
    let wanted = try Self.wantedNames()
    #expect(wanted.count > 250)
    let declared = try Self.declaredNames()
    let missing = wanted.filter { !declared.contains(Self.normalized($0)) }
    let reasons = missing.map { name in Self.exceptions.first { name.hasPrefix($0.prefix) }?.reason }
    let present = wanted.count - missing.count
    print("Speech: \(present) of \(wanted.count) names, \(100 * present / wanted.count) %")
    for (reason, names) in Dictionary(grouping: zip(missing, reasons), by: \.1) {
      print("  missing, \(reason ?? "without a reason"): \(names.map(\.0).joined(separator: ", "))")
    }
    let unexplained = zip(missing, reasons).filter { $0.1 == nil }.map(\.0)
    #expect(unexplained.isEmpty, "missing: \(unexplained.joined(separator: ", "))")
    // A reason that no missing name has is a reason to forget.
    for (prefix, _) in Self.exceptions {
      #expect(missing.contains { $0.hasPrefix(prefix) }, "nothing is missing of \(prefix)")
    }
  }

  @Test("tells a name that is there from one that is not")
  func comparison() throws {
    let declared = try Self.declaredNames()
    #expect(declared.contains(Self.normalized("AssetInventory.Status.<(a:b:)")))
    #expect(declared.contains("AssetInventory.reserve(locale:)"))
    #expect(!declared.contains("AssetInventory.reserve(_:)"))
    #expect(!declared.contains("AssetInventory.allocate(locale:)"))
    #expect(
      Self.normalized("A.init(classes:@Speech.A.TemplateInsertableBuilder:)") == "A.init(classes:builder:)")
  }

  private static func wantedNames() throws -> [String] {
    let list = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("speech-26.5-names.txt")
    return try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// The list's spelling as the symbol graph has it: a result builder's parameter stands there under its label, and
  /// an operator's parameters have none.
  private static func normalized(_ name: String) -> String {
    let name = name.replacing(#/@[\w.]+:/#, with: "builder:")
    guard let open = name.firstIndex(of: "("), let last = name[..<open].last, "<>=!~".contains(last) else {
      return name
    }
    return String(name[..<open]) + name[open...].replacing(#/\w+:/#, with: "_:")
  }

  /// The public names of the module that these tests are linked with.
  private static func declaredNames() throws -> Set<String> {
    let output = FileManager.default.temporaryDirectory.appendingPathComponent("symbols-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: output) }
    let system = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/System").standardized
    let maps = try FileManager.default.contentsOfDirectory(atPath: system.path).flatMap {
      ["-I", "\(system.path)/\($0)"]
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "swift-symbolgraph-extract", "-module-name", "Speech", "-I", try modules().path, "-target", target,
        "-minimum-access-level", "public", "-output-dir", output.path,
      ] + maps
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(String(decoding: text, as: UTF8.self))")
    var names: Set<String> = []
    for file in try FileManager.default.contentsOfDirectory(at: output, includingPropertiesForKeys: nil) {
      let graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file))
      names.formUnion(graph.names)
    }
    return names
  }

  /// Where the built modules lie: beside the test program.
  private static func modules() throws -> URL {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let arguments = [program] + CommandLine.arguments
    // `swift test` runs the bundle through a program of the toolchain, which gets the bundle's path.
    let folders = arguments.map {
      URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("Modules")
    }
    return try #require(
      folders.first {
        FileManager.default.fileExists(atPath: $0.appendingPathComponent("Speech.swiftmodule").path)
      })
  }

  private static var target: String {
    #if arch(arm64)
      "aarch64-unknown-linux-gnu"
    #else
      "x86_64-unknown-linux-gnu"
    #endif
  }

  private struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
      struct Identifier: Decodable { let precise: String }
      let identifier: Identifier
      let pathComponents: [String]
      var name: String { pathComponents.joined(separator: ".") }
    }
    struct Relationship: Decodable {
      let kind: String
      let source: String
      let targetFallback: String?
    }
    let symbols: [Symbol]
    let relationships: [Relationship]

    /// The members that the compiler writes for a conformance: they are public, and the graph does not have them.
    private static let derived = [
      "Swift.CaseIterable": ["allCases"], "Swift.RawRepresentable": ["rawValue"],
    ]

    var names: [String] {
      let types = Dictionary(
        symbols.map { ($0.identifier.precise, $0.name) }, uniquingKeysWith: { first, _ in first })
      let members = relationships.filter { $0.kind == "conformsTo" }.flatMap { conformance in
        (Self.derived[conformance.targetFallback ?? ""] ?? []).compactMap { member in
          types[conformance.source].map { "\($0).\(member)" }
        }
      }
      return symbols.map(\.name) + members
    }
  }
}
