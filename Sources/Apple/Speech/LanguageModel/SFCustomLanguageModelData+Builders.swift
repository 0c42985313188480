extension SFCustomLanguageModelData {
  /// Gathers what is inserted into data.
  @resultBuilder public struct DataInsertableBuilder {
    /// One part after the other.
    public static func buildBlock(_ components: any DataInsertable...) -> any DataInsertable {
      CompoundData(components: components)
    }
    /// The first branch of a condition.
    public static func buildEither(first: any DataInsertable) -> any DataInsertable { first }
    /// The second branch of a condition.
    public static func buildEither(second: any DataInsertable) -> any DataInsertable { second }
    /// A condition without a second branch.
    public static func buildOptional(_ component: (any DataInsertable)?) -> any DataInsertable {
      component ?? CompoundData(components: [])
    }
    /// The rounds of a loop.
    public static func buildArray(_ components: [any DataInsertable]) -> any DataInsertable {
      CompoundData(components: components)
    }
  }

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

  /// Gathers templates.
  @resultBuilder public struct TemplateInsertableBuilder {
    /// One template after the other.
    public static func buildBlock(_ components: any TemplateInsertable...) -> any TemplateInsertable {
      CompoundTemplate(components)
    }
    /// The first branch of a condition.
    public static func buildEither(first: any TemplateInsertable) -> any TemplateInsertable { first }
    /// The second branch of a condition.
    public static func buildEither(second: any TemplateInsertable) -> any TemplateInsertable { second }
    /// A condition without a second branch.
    public static func buildOptional(_ component: (any TemplateInsertable)?) -> any TemplateInsertable {
      component ?? CompoundTemplate([])
    }
    /// The rounds of a loop.
    public static func buildArray(_ components: [any TemplateInsertable]) -> any TemplateInsertable {
      CompoundTemplate(components)
    }
  }

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
