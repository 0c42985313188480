/// What `SFCustomLanguageModelData` can be made of.
public protocol DataInsertable {
  /// Puts this into the data.
  func insert(data: SFCustomLanguageModelData)
}
