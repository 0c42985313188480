import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Generable`.
public struct GenerableMacro: MemberMacro, ExtensionMacro {
  /// The schema and the partial form.
  public static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    written(node, declaration, context)?.members.map { "\(raw: $0)" } ?? []
  }

  /// The conformance, with how the type is read and written.
  public static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    // What is wrong has been said where the members are written.
    guard let conversions = written(node, declaration, Silence(context))?.conversions else { return [] }
    let text: DeclSyntax = """
      nonisolated extension \(type.trimmed): FoundationModels.Generable {
      \(raw: conversions)
      }
      """
    return text.as(ExtensionDeclSyntax.self).map { [$0] } ?? []
  }

  /// nil if it cannot be generated, of which the context hears.
  private static func written(
    _ node: AttributeSyntax, _ declaration: some DeclGroupSyntax, _ context: some MacroExpansionContext
  ) -> (members: [String], conversions: String)? {
    var arguments: [String: String] = [:]
    if case .argumentList(let list)? = node.arguments {
      for argument in list { arguments[argument.label?.text ?? ""] = argument.expression.trimmedDescription }
    }
    let access = access(of: declaration)
    let fail = { (problem: Problem) in context.diagnose(Diagnostic(node: node, message: problem)) }
    if let structure = declaration.as(StructDeclSyntax.self) {
      let writer = StructureWriter(
        properties: StoredProperty.all(in: structure.memberBlock, context), access: access,
        description: arguments["description"],
        explicitNil: arguments["representNilExplicitlyInGeneratedContent"],
        isEquatable: isEquatable(structure))
      return (writer.members, writer.conversions)
    }
    guard let enumeration = declaration.as(EnumDeclSyntax.self) else {
      fail(.kind)
      return nil
    }
    let numbers = [
      "Int", "UInt", "Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "Double",
      "Float", "Character",
    ]
    let inherited = enumeration.inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription) ?? []
    if !Set(numbers).isDisjoint(with: inherited) {
      fail(.rawType)
      return nil
    }
    let writer = EnumerationWriter(enumeration, access: access, description: arguments["description"])
    guard writer.hasCases else {
      fail(.noCases)
      return nil
    }
    return (writer.members, writer.conversions)
  }

  /// Whether a structure's declaration says so; of what extensions say macros do not hear.
  private static func isEquatable(_ structure: StructDeclSyntax) -> Bool {
    let inherited = structure.inheritanceClause?.inheritedTypes.flatMap { inherited in
      inherited.type.trimmedDescription.split(separator: "&").map { $0.filter { !$0.isWhitespace } }
    }
    return !Set(inherited ?? []).isDisjoint(with: [
      "Equatable", "Hashable", "Swift.Equatable", "Swift.Hashable",
    ])
  }

  private static func access(of declaration: some DeclGroupSyntax) -> String {
    let names = declaration.modifiers.map(\.name.text)
    return names.first { ["public", "package", "fileprivate"].contains($0) }.map { "\($0) " } ?? ""
  }
}

/// A context that hears of no problem.
private final class Silence: MacroExpansionContext {
  private let context: any MacroExpansionContext

  init(_ context: some MacroExpansionContext) { self.context = context }

  var lexicalContext: [Syntax] { context.lexicalContext }
  func makeUniqueName(_ name: String) -> TokenSyntax { context.makeUniqueName(name) }
  func diagnose(_ diagnostic: Diagnostic) {}
  func location(
    of node: some SyntaxProtocol, at position: PositionInSyntaxNode, filePathMode: SourceLocationFilePathMode
  ) -> AbstractSourceLocation? {
    context.location(of: node, at: position, filePathMode: filePathMode)
  }
}
