#if os(Linux)
  import Foundation

  /// The public symbols of a built module, from the compiler's symbol graph.
  package struct SymbolGraph: Decodable {
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

    /// The public members that the compiler generates for a conformance; the graph does not have them.
    private static let derived = [
      "Swift.CaseIterable": ["allCases"], "Swift.RawRepresentable": ["rawValue"],
    ]

    private var names: [String] {
      let types = Dictionary(
        symbols.map { ($0.identifier.precise, $0.name) }, uniquingKeysWith: { first, _ in first })
      let members = relationships.filter { $0.kind == "conformsTo" }.flatMap { conformance in
        (Self.derived[conformance.targetFallback ?? ""] ?? []).compactMap { member in
          types[conformance.source].map { "\($0).\(member)" }
        }
      }
      return symbols.map(\.name) + members
    }

    /// The public names of a module, such as `Type.member(label:)`.
    package static func publicNames(of module: String) throws -> Set<String> {
      let output = FileManager.default.temporaryDirectory.appendingPathComponent(
        "symbols-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: output) }
      let system = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Sources/System").standardized
      let maps = try FileManager.default.contentsOfDirectory(atPath: system.path).flatMap {
        ["-I", "\(system.path)/\($0)"]
      }
      let modules = try BuiltModules.folder(having: module).appendingPathComponent("Modules")
      try Program.output(
        of: [
          "swift-symbolgraph-extract", "-module-name", module, "-I", modules.path, "-target", target,
          "-minimum-access-level", "public", "-output-dir", output.path,
        ] + maps)
      return try FileManager.default.contentsOfDirectory(at: output, includingPropertiesForKeys: nil)
        .reduce(into: []) { names, file in
          names.formUnion(try JSONDecoder().decode(Self.self, from: Data(contentsOf: file)).names)
        }
    }

    private static var target: String {
      #if arch(arm64)
        "aarch64-unknown-linux-gnu"
      #else
        "x86_64-unknown-linux-gnu"
      #endif
    }
  }
#endif
