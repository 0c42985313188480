/// What can be written as a model's answer; in a prompt it stands as JSON.
public protocol ConvertibleToGeneratedContent: InstructionsRepresentable, PromptRepresentable {
  /// The value as an answer.
  var generatedContent: GeneratedContent { get }
}

extension ConvertibleToGeneratedContent {
  /// The value as JSON.
  public var instructionsRepresentation: Instructions { return Instructions(generatedContent.jsonString) }

  /// The value as JSON.
  public var promptRepresentation: Prompt { return Prompt(generatedContent.jsonString) }
}
