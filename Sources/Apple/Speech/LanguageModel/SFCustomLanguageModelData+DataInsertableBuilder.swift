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
}
