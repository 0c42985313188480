/// Writes the members that make a structure generable.
struct StructureWriter {
  let properties: [StoredProperty]
  /// The access modifier with a space, or empty.
  let access: String
  /// The expression of the description.
  let description: String?
  /// The expression of `representNilExplicitlyInGeneratedContent`.
  let explicitNil: String?
  /// Whether the declaration names `Equatable`; then the partial form is `Equatable` too.
  var isEquatable = false

  /// The schema and the partial form.
  var members: [String] { [schema, partial] }

  /// The properties that a model generates.
  private var generated: [StoredProperty] { properties.filter { !$0.isIdentity } }

  private var schema: String {
    let entries = generated.map { property in
      let type = property.isOptional ? "(\(property.type))?.self" : "(\(property.type)).self"
      let guides = property.guides.isEmpty ? "" : ", guides: [\(property.guides.joined(separator: ", "))]"
      let description = property.description.map { "description: \($0), " } ?? ""
      return "FoundationModels.GenerationSchema.Property("
        + "name: \"\(property.key)\", \(description)type: \(type)\(guides))"
    }
    let explicitNil = explicitNil.map { "representNilExplicitlyInGeneratedContent: \($0), " } ?? ""
    return """
      nonisolated \(access)static var generationSchema: FoundationModels.GenerationSchema {
        FoundationModels.GenerationSchema(
          type: Self.self, description: \(description ?? "nil"), \(explicitNil)properties: [
            \(entries.joined(separator: ",\n      "))
          ])
      }
      """
  }

  private var partial: String {
    // A structure with its own `id` keeps it.
    let ownID = properties.first { $0.key == "id" }
    let addedID = ownID == nil ? ["\(access)var id: FoundationModels.GenerationID"] : []
    let declarations = properties.map { property in
      guard property.isIdentity else {
        return "\(property.access)var \(property.name): (\(property.type)).PartiallyGenerated?"
      }
      // The `id` of `Identifiable` is as visible as the partial form.
      return "\(property.key == "id" ? access : property.access)var \(property.name): \(property.type)"
    }
    let isIdentifiable = ownID?.isIdentity ?? true
    let conformances =
      (isIdentifiable ? ["Identifiable"] : []) + ["FoundationModels.ConvertibleFromGeneratedContent"]
      + (isEquatable ? ["Equatable"] : [])
    let identification = ownID == nil ? [Self.identification(of: "id")] : []
    return """
      nonisolated \(access)struct PartiallyGenerated: \(conformances.joined(separator: ", ")) {
        \((addedID + declarations).joined(separator: "\n  "))
        nonisolated \(access)init(_ content: FoundationModels.GeneratedContent) throws {
          \((identification + reading).joined(separator: "\n    "))
        }
      }
      """
  }

  /// The statements that read each property.
  private var reading: [String] {
    properties.map { property in
      property.isIdentity
        ? Self.identification(of: property.name)
        : "self.\(property.name) = try content.value(forProperty: \"\(property.key)\")"
    }
  }

  private static func identification(of name: String) -> String {
    "self.\(name) = content.id ?? FoundationModels.GenerationID()"
  }

  /// The conversions from and to content.
  var conversions: String {
    let identity = properties.first(where: \.isIdentity).map { "id: self.\($0.name), " } ?? ""
    let writing = generated.map { property in
      let entry = "properties.append((\"\(property.key)\", self.\(property.name)))"
      guard property.isOptional else { return entry }
      return "if self.\(property.name) != nil || \(explicitNil ?? "false") { \(entry) }"
    }
    return """
      nonisolated \(access)init(_ content: FoundationModels.GeneratedContent) throws {
        \(reading.joined(separator: "\n  "))
      }
      nonisolated \(access)var generatedContent: FoundationModels.GeneratedContent {
        \(generated.isEmpty ? "let" : "var") properties: [(String, any FoundationModels.ConvertibleToGeneratedContent)] = []
        \(writing.joined(separator: "\n  "))
        return FoundationModels.GeneratedContent(
          properties: properties, \(identity)uniquingKeysWith: { _, last in last })
      }
      """
  }
}
