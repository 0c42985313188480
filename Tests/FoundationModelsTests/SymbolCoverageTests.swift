import Foundation
import TestSupport
import Testing

/// Compares the declarations of the module with the names of Apple's interface (`foundationmodels-26.5-names.txt`, one a line).
@Suite(.tagged(.childProcess)) struct SymbolCoverageTests {
  /// The interface shows some variables inside of function bodies; they are not declarations.
  private static let exceptions = [
    "entry", "text", "segment", "response", "source", "content", "structure",
  ].map {
    NameCoverage.Exception(
      prefix: "LanguageModelSession.\($0)",
      reason: "a variable inside of a function body")
  }

  @Test func allOfApplesNamesAreDeclared() throws {
    let list = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("foundationmodels-26.5-names.txt")
    let coverage = try NameCoverage(
      of: list, in: try Self.declaredNames(), but: Self.exceptions, normalized: Self.normalized)
    print("FoundationModels: \(coverage.summary)")
    #expect(coverage.wanted.count > 250)
    #expect(coverage.complaints == [])
  }

  @Test func missingNamesAreNoticed() throws {
    let declared = try Self.declaredNames()
    #expect(declared.contains("LanguageModelSession.respond(to:options:)"))
    #expect(declared.contains(Self.normalized("Prompt.init(@FoundationModels.PromptBuilder:)")))
    #expect(declared.contains("Bool.generationSchema"))
    #expect(!declared.contains("LanguageModelSession.respond(with:options:)"))
    #expect(!declared.contains("LanguageModelSession.answer(to:options:)"))
  }

  /// Converts a name of the list to the spelling of the symbol graph: types of the standard library without their module, and a result
  /// builder's parameter under its label.
  private static func normalized(_ name: String) -> String {
    name.replacing(#/^Swift\./#, with: "").replacing("`", with: "")
      .replacing(#/subscript\(\w+:\)/#, with: "subscript(_:)")
      .replacing(
        #/\(@FoundationModels\.\w+:\)/#, with: name.contains("streamResponse") ? "(prompt:)" : "(_:)"
      )
      .replacing(#/@FoundationModels\.(\w+)Builder:/#) { "\($0.1.lowercased()):" }
  }

  /// The list has cases without their associated values.
  private static func declaredNames() throws -> Set<String> {
    let names = try SymbolGraph.publicNames(of: "FoundationModels")
    return names.union(names.filter { $0.hasSuffix(")") }.map { String($0.prefix { $0 != "(" }) })
  }
}
