extension SFCustomLanguageModelData {
  /// Templates and the classes that they name.
  public struct PhraseCountsFromTemplates: DataInsertable {
    private let generator = TemplatePhraseCountGenerator()

    /// The templates that a result builder gives.
    public init(
      classes: [String: [String]],
      @SFCustomLanguageModelData.TemplateInsertableBuilder builder: () -> any TemplateInsertable
    ) {
      for (name, values) in classes { generator.define(className: name, values: values) }
      builder().insert(generator: generator)
    }

    /// Adds the templates to the data.
    public func insert(data: SFCustomLanguageModelData) { data.insert(phraseCountGenerator: generator) }
  }
}
