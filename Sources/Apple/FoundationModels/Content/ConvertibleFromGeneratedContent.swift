/// What can be made of a model's answer.
public protocol ConvertibleFromGeneratedContent: SendableMetatype {
  /// Makes it of an answer.
  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure` if the answer is something else.
  init(_ content: GeneratedContent) throws
}
