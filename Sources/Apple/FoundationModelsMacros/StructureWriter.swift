/// Writes what a structure needs to be generated.
struct StructureWriter {
  let properties: [StoredProperty]
  /// `public ` and the like, or nothing.
  let access: String
  /// The expression of the description, or nil.
  let description: String?
  /// The expression of whether nil is written, or nil.
  let explicitNil: String?

  /// The schema and the partial form.
  var members: [String] { [schema, partial] }

  private var schema: String {
    let entries = properties.map { property in
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
    let declarations = properties.map { "\($0.access)var \($0.name): (\($0.type)).PartiallyGenerated?" }
    let reading = properties.map { "self.\($0.name) = try content.value(forProperty: \"\($0.key)\")" }
    // A structure that has an `id` of its own keeps it.
    let hasIdentity = properties.contains { $0.key == "id" }
    let declaration = hasIdentity ? "" : "\(access)var id: FoundationModels.GenerationID"
    let identification = hasIdentity ? "" : "self.id = content.id ?? FoundationModels.GenerationID()"
    let conformances =
      (hasIdentity ? "" : "Identifiable, ") + "FoundationModels.ConvertibleFromGeneratedContent"
    return """
      nonisolated \(access)struct PartiallyGenerated: \(conformances) {
        \(([declaration] + declarations).joined(separator: "\n  "))
        nonisolated \(access)init(_ content: FoundationModels.GeneratedContent) throws {
          \(([identification] + reading).joined(separator: "\n    "))
        }
      }
      """
  }

  /// How it is read and written.
  var conversions: String {
    let reading = properties.map { "self.\($0.name) = try content.value(forProperty: \"\($0.key)\")" }
    let writing = properties.map { property in
      let entry = "properties.append((\"\(property.key)\", self.\(property.name)))"
      guard property.isOptional else { return entry }
      return "if self.\(property.name) != nil || \(explicitNil ?? "false") { \(entry) }"
    }
    return """
      nonisolated \(access)init(_ content: FoundationModels.GeneratedContent) throws {
        \(reading.joined(separator: "\n  "))
      }
      nonisolated \(access)var generatedContent: FoundationModels.GeneratedContent {
        \(properties.isEmpty ? "let" : "var") properties: [(String, any FoundationModels.ConvertibleToGeneratedContent)] = []
        \(writing.joined(separator: "\n  "))
        return FoundationModels.GeneratedContent(properties: properties, uniquingKeysWith: { _, last in last })
      }
      """
  }
}
