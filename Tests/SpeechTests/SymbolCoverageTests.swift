import Foundation
import TestSupport
import Testing

/// Compares the module's declarations with the names of Apple's interface (`speech-26.5-names.txt`, one per line).
@Suite("Coverage of Apple's names", .tagged(.childProcess))
struct SymbolCoverageTests {
  @Test func everyNameOfAppleIsDeclared() throws {
    let list = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("speech-26.5-names.txt")
    let coverage = try NameCoverage(
      of: list, in: try SymbolGraph.publicNames(of: "Speech"), but: [], normalized: Self.normalized)
    print("Speech: \(coverage.summary)")
    #expect(coverage.wanted.count > 250)
    #expect(coverage.complaints == [])
  }

  /// The additions of 2026 as Apple's documentation declares them. A code of `SFSpeechError` is a case here, as those before.
  @Test func additionsOfSpeech27AreDeclaredAsApplesAre() throws {
    let list = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("speech-27-declarations.txt")
    let coverage = try NameCoverage(
      of: list, in: try SymbolGraph.publicDeclarations(of: "Speech"), but: [], normalized: \.self)
    #expect(coverage.wanted.count == 29)
    #expect(coverage.complaints == [])
  }

  @Test func undeclaredNameIsDetected() throws {
    let declared = try SymbolGraph.publicNames(of: "Speech")
    #expect(declared.contains(Self.normalized("AssetInventory.Status.<(a:b:)")))
    #expect(declared.contains("AssetInventory.reserve(locale:)"))
    #expect(!declared.contains("AssetInventory.reserve(_:)"))
    #expect(!declared.contains("AssetInventory.allocate(locale:)"))
    #expect(
      Self.normalized("A.init(classes:@Speech.A.TemplateInsertableBuilder:)") == "A.init(classes:builder:)")
  }

  /// A name of the list in the spelling of the symbol graph, which has the label of a result builder's parameter and no
  /// labels for the parameters of operators.
  private static func normalized(_ name: String) -> String {
    let name = name.replacing(#/@[\w.]+:/#, with: "builder:")
    guard let open = name.firstIndex(of: "("), let last = name[..<open].last, "<>=!~".contains(last) else {
      return name
    }
    return String(name[..<open]) + name[open...].replacing(#/\w+:/#, with: "_:")
  }
}
