import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The macro `@Generable`.
public struct GenerableMacro: MemberMacro, ExtensionMacro {
  /// Writes the schema and the partial form.
  public static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    expansion(node, declaration, context)?.members.map { "\(raw: $0)" } ?? []
  }

  /// Writes the conformance and the conversions from and to content.
  public static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    // The expansion of the members reports the problems.
    guard let conversions = expansion(node, declaration, SilentContext(context))?.conversions else {
      return []
    }
    let text: DeclSyntax = """
      nonisolated extension \(type.trimmed): FoundationModels.Generable {
      \(raw: conversions)
      }
      """
    return text.as(ExtensionDeclSyntax.self).map { [$0] } ?? []
  }

  /// The written code; nil after reporting a problem to the context.
  private static func expansion(
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

  /// Whether the declaration of a structure names `Equatable` or `Hashable`. A macro cannot see extensions.
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

/// A context that ignores problems.
private final class SilentContext: MacroExpansionContext {
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

/// The macro `@Guide`. It writes nothing, because `@Generable` reads it. It reports declarations that cannot have a guide.
public struct GuideMacro: PeerMacro {
  /// Writes nothing.
  public static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let variable = declaration.as(VariableDeclSyntax.self)
    let isStored = variable?.bindings.allSatisfy { !StoredProperty.isComputed($0) } ?? false
    if !isStored || variable?.isStatic == true {
      context.diagnose(Diagnostic(node: node, message: Problem.misplacedGuide))
    }
    return []
  }
}

/// Declarations that cannot be generated, and what to do about them.
enum Problem: String, DiagnosticMessage {
  case kind = "'@Generable' can only be attached to a struct or an enum"
  case missingType = "a property of a '@Generable' struct needs an explicit type, such as 'var name: String'"
  case pattern = "a property of a '@Generable' struct needs a single name, not a pattern"
  case noCases = "a '@Generable' enum needs at least one case"
  case rawType = "a '@Generable' enum can have raw values only of type String"
  case misplacedGuide = "'@Guide' can only be attached to a stored property of a '@Generable' struct"

  var message: String { rawValue }
  var diagnosticID: MessageID { MessageID(domain: "FoundationModelsMacros", id: "\(self)") }
  var severity: DiagnosticSeverity { .error }
}
