import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Guide`: writes nothing itself; `@Generable` reads it. Says where it has no place.
public struct GuideMacro: PeerMacro {
  /// Nothing.
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
