/// Several parts, in their order.
struct CompoundData: DataInsertable {
  let components: [any DataInsertable]

  func insert(data: SFCustomLanguageModelData) {
    for component in components { component.insert(data: data) }
  }
}
