/// What `SFCustomLanguageModelData` can be made of.
public protocol DataInsertable {
  /// Puts this into the data.
  func insert(data: SFCustomLanguageModelData)
}

/// Several parts, in their order.
struct CompoundData: DataInsertable {
  let components: [any DataInsertable]

  func insert(data: SFCustomLanguageModelData) {
    for component in components { component.insert(data: data) }
  }
}
