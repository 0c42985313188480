/// What a `SFCustomLanguageModelData.TemplatePhraseCountGenerator` can be made of.
public protocol TemplateInsertable {
  /// Puts this into the generator.
  func insert(generator: SFCustomLanguageModelData.TemplatePhraseCountGenerator)
}
