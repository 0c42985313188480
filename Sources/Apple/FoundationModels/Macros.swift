/// Lets the type be generated: writes its schema, how it is read and written, and `PartiallyGenerated`, the same with
/// all values optional and an identity.
///
/// For structures, whose stored properties need written types, and for enumerations. An enumeration with associated
/// values is an object with `case`, the name of the case, and the values by their labels, or `value`, `value2`.
///
/// A property of type `GenerationID` is no part of the schema: it is the answer's `GeneratedContent.id`, in
/// `PartiallyGenerated` too. `PartiallyGenerated` of a structure that is declared `Equatable` or `Hashable` is
/// `Equatable`, for which those of its properties must be.
/// - Parameter description: what the model is told of it.
@attached(extension, conformances: Generable, names: named(init(_:)), named(generatedContent))
@attached(member, names: arbitrary)
public macro Generable(description: String? = nil) =
  #externalMacro(module: "FoundationModelsMacros", type: "GenerableMacro")

/// Lets the type be generated.
/// - Parameters:
///   - description: what the model is told of it.
///   - representNilExplicitlyInGeneratedContent: whether nil is written as null instead of left out.
@attached(extension, conformances: Generable, names: named(init(_:)), named(generatedContent))
@attached(member, names: arbitrary)
public macro Generable(description: String? = nil, representNilExplicitlyInGeneratedContent: Bool) =
  #externalMacro(module: "FoundationModelsMacros", type: "GenerableMacro")

/// Tells the model of a property, and what its value must keep to.
@attached(peer)
public macro Guide<T>(description: String? = nil, _ guides: GenerationGuide<T>...) =
  #externalMacro(module: "FoundationModelsMacros", type: "GuideMacro") where T: Generable

/// Tells the model of a property, and what the whole of its text must match.
@attached(peer)
public macro Guide<RegexOutput>(description: String? = nil, _ guides: Regex<RegexOutput>) =
  #externalMacro(module: "FoundationModelsMacros", type: "GuideMacro")

/// Tells the model of a property.
@attached(peer)
public macro Guide(description: String) =
  #externalMacro(module: "FoundationModelsMacros", type: "GuideMacro")
