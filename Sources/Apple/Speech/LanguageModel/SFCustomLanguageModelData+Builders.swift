/// Content of `SFCustomLanguageModelData`: a phrase, a pronunciation, or templates.
public protocol DataInsertable {
  /// Adds this content to the data.
  func insert(data: SFCustomLanguageModelData)
}

/// Content of a `SFCustomLanguageModelData.TemplatePhraseCountGenerator`: one or several templates.
public protocol TemplateInsertable {
  /// Adds the templates to the generator.
  func insert(generator: SFCustomLanguageModelData.TemplatePhraseCountGenerator)
}

extension SFCustomLanguageModelData {
  /// Several templates, in order.
  public struct CompoundTemplate: TemplateInsertable {
    private let components: [any TemplateInsertable]

    /// Combines `components`.
    public init(_ components: [any TemplateInsertable]) { self.components = components }

    /// Adds every template to the generator.
    public func insert(generator: TemplatePhraseCountGenerator) {
      for component in components { component.insert(generator: generator) }
    }
  }

  private struct CompoundData: DataInsertable {
    let components: [any DataInsertable]

    func insert(data: SFCustomLanguageModelData) {
      for component in components { component.insert(data: data) }
    }
  }

  /// Builds the content of `SFCustomLanguageModelData` from a closure.
  @resultBuilder public struct DataInsertableBuilder {
    /// Combines the statements of a block.
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
    /// Combines the iterations of a loop.
    public static func buildArray(_ components: [any DataInsertable]) -> any DataInsertable {
      CompoundData(components: components)
    }
  }

  /// Builds templates from a closure.
  @resultBuilder public struct TemplateInsertableBuilder {
    /// Combines the statements of a block.
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
    /// Combines the iterations of a loop.
    public static func buildArray(_ components: [any TemplateInsertable]) -> any TemplateInsertable {
      CompoundTemplate(components)
    }
  }
}
