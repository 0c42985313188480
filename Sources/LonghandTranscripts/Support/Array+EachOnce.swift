extension Array where Element: Hashable {
  /// The elements in order, each once.
  package var eachOnce: [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}
