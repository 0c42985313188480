import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A property of a generated structure.
struct StoredProperty {
  let name: String
  /// The type as written, without `?` or `Optional`.
  let type: String
  let isOptional: Bool
  /// `public `, `package ` or empty.
  var access = ""
  /// The arguments of its guides, as written.
  var description: String?
  var guides: [String] = []

  /// The name without backticks.
  var key: String { name.trimmingBackticks }
  /// Whether the property is the identity of the value, which no model generates.
  var isIdentity: Bool {
    !isOptional && ["GenerationID", "FoundationModels.GenerationID"].contains(type)
  }

  init(name: String, type: TypeSyntax) {
    self.name = name
    var type = type.trimmed
    var isOptional = false
    while let wrapped = Self.wrapped(type) { (type, isOptional) = (wrapped.trimmed, true) }
    self.type = type.description
    self.isOptional = isOptional
  }

  private static func wrapped(_ type: TypeSyntax) -> TypeSyntax? {
    if let optional = type.as(OptionalTypeSyntax.self) { return optional.wrappedType }
    guard let name = type.as(IdentifierTypeSyntax.self), name.name.text == "Optional",
      let argument = name.genericArgumentClause?.arguments.first
    else { return nil }
    return TypeSyntax(argument.argument)
  }

  static func isComputed(_ binding: PatternBindingSyntax) -> Bool {
    guard let accessors = binding.accessorBlock?.accessors else { return false }
    guard case .accessors(let list) = accessors else { return true }
    return !list.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
  }

  /// The stored properties of a structure. Reports those that cannot be generated.
  static func all(in members: MemberBlockSyntax, _ context: some MacroExpansionContext) -> [StoredProperty] {
    members.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }.filter { !$0.isStatic }
      .flatMap { properties(of: $0, context) }
  }

  private static func properties(
    of variable: VariableDeclSyntax, _ context: some MacroExpansionContext
  ) -> [StoredProperty] {
    // Of an array: the filtered collection of the tree would have no place in the source.
    let stored = Array(variable.bindings).filter { !isComputed($0) }
    // In `var a, b: Int` the type follows the last name.
    return stored.enumerated().compactMap { index, binding in
      let type = stored.dropFirst(index).lazy.compactMap(\.typeAnnotation).first?.type
      // It has its value, for example `let id = UUID()`.
      if variable.bindingSpecifier.tokenKind == .keyword(.let), binding.initializer != nil { return nil }
      let problem: Problem? =
        if !binding.pattern.is(IdentifierPatternSyntax.self) {
          .pattern
        } else if type == nil {
          .missingType
        } else {
          nil
        }
      if let problem { context.diagnose(Diagnostic(node: binding, message: problem)) }
      guard problem == nil, let type, let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
        return nil
      }
      var property = StoredProperty(name: pattern.identifier.text, type: type)
      property.read(variable.attributes)
      let names = variable.modifiers.map(\.name.text)
      property.access = names.first { ["public", "package"].contains($0) }.map { "\($0) " } ?? ""
      return property
    }
  }

  private mutating func read(_ attributes: AttributeListSyntax) {
    for case .attribute(let attribute) in attributes
    where attribute.attributeName.trimmedDescription.hasSuffix("Guide") {
      guard case .argumentList(let arguments)? = attribute.arguments else { continue }
      for argument in arguments {
        let text = argument.expression.trimmedDescription
        if argument.label?.text == "description" { description = text } else { guides.append(text) }
      }
    }
  }
}

extension VariableDeclSyntax {
  var isStatic: Bool {
    modifiers.contains { [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind) }
  }
}

extension String {
  var trimmingBackticks: String { hasPrefix("`") ? String(dropFirst().dropLast()) : self }
}
