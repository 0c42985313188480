extension SFCustomLanguageModelData {
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
}
