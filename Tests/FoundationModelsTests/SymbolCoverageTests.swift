import Foundation
import TestSupport
import Testing

/// Compares what the module declares with the names of Apple's interface (`foundationmodels-26.5-names.txt`, one a line).
@Suite("Coverage of Apple's names", .tagged(.childProcess))
struct SymbolCoverageTests {
  /// A variable within a function's body that the interface shows is no name.
  private static let exceptions = [
    "entry", "text", "segment", "response", "source", "content", "structure",
  ].map {
    NameCoverage.Exception(
      prefix: "LanguageModelSession.\($0)",
      reason: "a variable within a function's body that the interface shows")
  }

  @Test("is whole but for what is listed with a reason")
  func coverage() throws {
    let list = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("foundationmodels-26.5-names.txt")
    let coverage = try NameCoverage(
      of: list, in: try Self.declaredNames(), but: Self.exceptions, normalized: Self.normalized)
    print("FoundationModels: \(coverage.summary)")
    #expect(coverage.wanted.count > 250)
    #expect(coverage.complaints == [])
  }

  @Test("tells a name that is there from one that is not")
  func comparison() throws {
    let declared = try Self.declaredNames()
    #expect(declared.contains("LanguageModelSession.respond(to:options:)"))
    #expect(declared.contains(Self.normalized("Prompt.init(@FoundationModels.PromptBuilder:)")))
    #expect(declared.contains("Bool.generationSchema"))
    #expect(!declared.contains("LanguageModelSession.respond(with:options:)"))
    #expect(!declared.contains("LanguageModelSession.answer(to:options:)"))
  }

  /// The list's spelling as the symbol graph has it: types of the standard library without their module, and a result
  /// builder's parameter under its label.
  private static func normalized(_ name: String) -> String {
    name.replacing(#/^Swift\./#, with: "").replacing("`", with: "")
      .replacing(#/subscript\(\w+:\)/#, with: "subscript(_:)")
      .replacing(
        #/\(@FoundationModels\.\w+:\)/#, with: name.contains("streamResponse") ? "(prompt:)" : "(_:)"
      )
      .replacing(#/@FoundationModels\.(\w+)Builder:/#) { "\($0.1.lowercased()):" }
  }

  /// The list has cases without what is associated with them.
  private static func declaredNames() throws -> Set<String> {
    let names = try SymbolGraph.publicNames(of: "FoundationModels")
    return names.union(names.filter { $0.hasSuffix(")") }.map { String($0.prefix { $0 != "(" }) })
  }
}
