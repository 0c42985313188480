import Foundation

extension GenerationSchema {
  /// What is wrong with a schema that was put together.
  public enum SchemaError: Error, LocalizedError {
    /// What an error is about.
    public struct Context: Sendable {
      /// For developers.
      public let debugDescription: String

      /// What an error is about.
      public init(debugDescription: String) { self.debugDescription = debugDescription }
    }

    /// Two schemas have the same name.
    case duplicateType(schema: String?, type: String, context: Context)
    /// Two properties have the same name.
    case duplicateProperty(schema: String, property: String, context: Context)
    /// There is nothing to choose from.
    case emptyTypeChoices(schema: String, context: Context)
    /// A schema is referred to that is not there.
    case undefinedReferences(schema: String?, references: [String], context: Context)

    /// What is wrong.
    public var errorDescription: String? {
      switch self {
      case .duplicateType(_, let type, _): "Two schemas are called \(type)."
      case .duplicateProperty(let schema, let property, _): "\(schema) has two properties \(property)."
      case .emptyTypeChoices(let schema, _): "\(schema) has nothing to choose from."
      case .undefinedReferences(_, let references, _):
        "There is no schema \(references.joined(separator: ", "))."
      }
    }

    /// What mends it.
    public var recoverySuggestion: String? {
      switch self {
      case .duplicateType, .duplicateProperty: "Give each a name of its own."
      case .emptyTypeChoices: "Give at least one choice."
      case .undefinedReferences: "Add it to the dependencies."
      }
    }
  }
}
