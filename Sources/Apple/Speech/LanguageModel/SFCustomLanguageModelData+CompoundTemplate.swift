extension SFCustomLanguageModelData {
  /// Several templates, in their order.
  public struct CompoundTemplate: TemplateInsertable {
    private let components: [any TemplateInsertable]

    /// All of `components`.
    public init(_ components: [any TemplateInsertable]) { self.components = components }

    /// Adds every template to the generator.
    public func insert(generator: TemplatePhraseCountGenerator) {
      for component in components { component.insert(generator: generator) }
    }
  }
}
