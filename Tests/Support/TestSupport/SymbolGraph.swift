#if os(Linux)
  import Foundation

  /// The public symbols of a built module, from the compiler's symbol graph.
  package struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
      struct Identifier: Decodable { let precise: String }
      struct Fragment: Decodable { let spelling: String }
      let identifier: Identifier
      let pathComponents: [String]
      let declarationFragments: [Fragment]?
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
      Set(try all(of: module).flatMap(\.names))
    }

    /// The public declarations of a module, such as `static func member(label value: Int) throws -> Type`, each with its
    /// name before it and a tabulator between them.
    package static func publicDeclarations(of module: String) throws -> Set<String> {
      Set(
        try all(of: module).flatMap(\.symbols).map { symbol in
          "\(symbol.name)\t\((symbol.declarationFragments ?? []).map(\.spelling).joined())"
        })
    }

    private static func all(of module: String) throws -> [SymbolGraph] {
      let output = FileManager.default.temporaryDirectory.appendingPathComponent(
        "symbols-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: output) }
      let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Sources").standardized.path
      let paths = FileManager.default.enumerator(atPath: sources)?.allObjects as? [String] ?? []
      let maps = paths.filter { $0.hasSuffix("/module.modulemap") }.flatMap { path in
        ["-I", "\(sources)/\(path.dropLast("/module.modulemap".count))"]
      }
      let modules = try BuiltModules.folder(having: module).appendingPathComponent("Modules")
      try Program.output(
        of: [
          "swift-symbolgraph-extract", "-module-name", module, "-I", modules.path, "-target", target,
          "-minimum-access-level", "public", "-output-dir", output.path,
        ] + maps)
      return try FileManager.default.contentsOfDirectory(at: output, includingPropertiesForKeys: nil)
        .map { try JSONDecoder().decode(Self.self, from: Data(contentsOf: $0)) }
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
