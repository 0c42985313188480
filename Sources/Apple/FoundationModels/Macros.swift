/// Makes a structure or an enumeration a type that a model can answer with.
///
/// ```swift
/// import FoundationModels
///
/// @Generable(description: "A chess move")
/// struct Move {
///   @Guide(description: "The target square", #/[a-h][1-8]/#)
///   var square: String
///   @Guide(description: "How likely it is, in percent", .range(0...100))
///   var likelihood: Int
///   var comment: String?
/// }
///
/// let session = LanguageModelSession()
/// let move = try await session.respond(to: "Open the game.", generating: Move.self).content
/// print(move.square, move.likelihood, move.comment ?? "")
/// ```
///
/// The macro writes the conformance to ``Generable``: the schema, the conversions to and from
/// ``GeneratedContent``, and `PartiallyGenerated`, a copy of the type with an identity and only optional properties.
/// Each stored property of a structure needs an explicit type.
///
/// A case with associated values becomes a JSON object. Its key `case` is the name of the case. The values have their
/// labels as keys, or `value`, `value2` and so on if they have no labels.
///
/// A property of type ``GenerationID`` is not part of the schema. Its value is the `id` of the ``GeneratedContent``.
/// If a structure's declaration names `Equatable` or `Hashable`, its `PartiallyGenerated` is `Equatable`; then the
/// partial types of all its properties must be `Equatable`.
/// - Parameter description: a description of the type for the model.
@attached(extension, conformances: Generable, names: named(init(_:)), named(generatedContent))
@attached(member, names: arbitrary)
public macro Generable(description: String? = nil) =
  #externalMacro(module: "FoundationModelsMacros", type: "GenerableMacro")

/// Makes a structure or an enumeration a type that a model can answer with.
/// - Parameters:
///   - description: a description of the type for the model.
///   - representNilExplicitlyInGeneratedContent: if true, nil is written as `null`; if false, the property is left out.
@attached(extension, conformances: Generable, names: named(init(_:)), named(generatedContent))
@attached(member, names: arbitrary)
public macro Generable(description: String? = nil, representNilExplicitlyInGeneratedContent: Bool) =
  #externalMacro(module: "FoundationModelsMacros", type: "GenerableMacro")

/// Describes a property for the model and limits its values.
@attached(peer)
public macro Guide<T>(description: String? = nil, _ guides: GenerationGuide<T>...) =
  #externalMacro(module: "FoundationModelsMacros", type: "GuideMacro") where T: Generable

/// Describes a property for the model. The whole text must match the regular expression.
@attached(peer)
public macro Guide<RegexOutput>(description: String? = nil, _ guides: Regex<RegexOutput>) =
  #externalMacro(module: "FoundationModelsMacros", type: "GuideMacro")

/// Describes a property for the model.
@attached(peer)
public macro Guide(description: String) =
  #externalMacro(module: "FoundationModelsMacros", type: "GuideMacro")
