import SwiftSyntax

/// Writes the members that make an enumeration generable. Each case becomes a text, or an object if any case has
/// associated values.
struct EnumerationWriter {
  private struct Case {
    let name: String
    let values: [(label: String?, property: StoredProperty)]

    var key: String { name.trimmingBackticks }
    var structure: String { "Generated_\(key)" }
  }

  let access: String
  let description: String?
  private let cases: [Case]
  /// The name of the property with the name of the case, in the structures of cases.
  private let mark: String
  private let hasRawValues: Bool

  init(_ declaration: EnumDeclSyntax, access: String, description: String?) {
    self.access = access
    self.description = description
    hasRawValues =
      declaration.inheritanceClause?.inheritedTypes.contains { $0.type.trimmedDescription == "String" }
      ?? false
    let elements = declaration.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
      .flatMap(\.elements)
    cases = elements.map { element in
      let parameters = element.parameterClause.map { Array($0.parameters) } ?? []
      let labels = parameters.map { parameter -> String? in
        parameter.firstName.flatMap { $0.text == "_" ? nil : $0.text }
      }
      let taken = Set(labels.compactMap { $0?.trimmingBackticks })
      return Case(
        name: element.name.text,
        values: zip(labels, parameters).enumerated().map { index, value in
          let (label, parameter) = value
          let name =
            label?.trimmingBackticks
            ?? Self.name(index == 0 ? "value" : "value\(index + 1)", notIn: taken)
          // A label may be a keyword.
          return (label, StoredProperty(name: "`\(name)`", type: parameter.type))
        })
    }
    mark = Self.name("case", notIn: Set(cases.flatMap { $0.values.map(\.property.key) }))
  }

  /// A name with as many underscores as make it different from others.
  private static func name(_ wanted: String, notIn taken: Set<String>) -> String {
    var name = wanted
    while taken.contains(name) { name += "_" }
    return name
  }

  var hasCases: Bool { !cases.isEmpty }
  private var isPlain: Bool { cases.allSatisfy(\.values.isEmpty) }

  var members: [String] {
    let choices =
      isPlain ? cases.map(text(of:)) : cases.map { "\($0.structure).self" }
    let schema = """
      nonisolated \(access)static var generationSchema: FoundationModels.GenerationSchema {
        FoundationModels.GenerationSchema(
          type: Self.self, description: \(description ?? "nil"), anyOf: [\(choices.joined(separator: ", "))])
      }
      """
    return [schema] + (isPlain ? [] : cases.map(structure))
  }

  /// The structure that represents a case of an enumeration with associated values.
  private func structure(for item: Case) -> String {
    var marking = StoredProperty(name: "`\(mark)`", type: "String")
    marking.guides = [".constant(\"\(item.key)\")"]
    let properties = [marking] + item.values.map(\.property)
    let writer = StructureWriter(properties: properties, access: "", description: nil, explicitNil: nil)
    let declarations = properties.map { "var \($0.name): \($0.type)\($0.isOptional ? "?" : "")" }
    let parameters = properties.map { "\($0.name): \($0.type)\($0.isOptional ? "?" : "")" }
    let assignments = properties.map { "self.\($0.name) = \($0.name)" }
    return """
      nonisolated private struct \(item.structure): FoundationModels.Generable {
        \(declarations.joined(separator: "\n  "))
        init(\(parameters.joined(separator: ", "))) {
          \(assignments.joined(separator: "\n    "))
        }
        \(writer.members.joined(separator: "\n"))
        \(writer.conversions)
      }
      """
  }

  private func text(of item: Case) -> String {
    hasRawValues ? "Self.\(item.name).rawValue" : "\"\(item.key)\""
  }

  /// The conversions from and to content.
  var conversions: String {
    let key = isPlain ? "String(content)" : "content.value(String.self, forProperty: \"\(mark)\")"
    return """
      nonisolated \(access)init(_ content: FoundationModels.GeneratedContent) throws {
        let name = try \(key)
        switch name {
        \(cases.map(reading).joined(separator: "\n  "))
        default:
          throw FoundationModels.LanguageModelSession.GenerationError.decodingFailure(
            .init(debugDescription: "No case is named \\(name)."))
        }
      }
      nonisolated \(access)var generatedContent: FoundationModels.GeneratedContent {
        switch self {
        \(cases.map(writing).joined(separator: "\n  "))
        }
      }
      """
  }

  private func reading(_ item: Case) -> String {
    guard !isPlain, !item.values.isEmpty else {
      return "case \(isPlain ? text(of: item) : "\"\(item.key)\""): self = .\(item.name)"
    }
    let arguments = item.values.map {
      "\($0.label.map { "\($0.trimmingBackticks): " } ?? "")values.\($0.property.name)"
    }
    return """
      case "\(item.key)":
          let values = try \(item.structure)(content)
          self = .\(item.name)(\(arguments.joined(separator: ", ")))
      """
  }

  private func writing(_ item: Case) -> String {
    if isPlain { return "case .\(item.name): return \(text(of: item)).generatedContent" }
    let properties = item.values.map(\.property)
    let pattern =
      properties.isEmpty ? "" : "(" + properties.map { "let \($0.name)" }.joined(separator: ", ") + ")"
    // In calls the compiler warns about backticks.
    let arguments = ["\(mark): \"\(item.key)\""] + properties.map { "\($0.key): \($0.name)" }
    return """
      case .\(item.name)\(pattern):
          return \(item.structure)(\(arguments.joined(separator: ", "))).generatedContent
      """
  }
}
