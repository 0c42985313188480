/// Gives out what arrives in any order, in order.
struct InOrder<Element> {
  private var expected: ArraySlice<Int>
  private var arrived: [Int: Element] = [:]

  /// - Parameter expected: the indices in their order.
  init(_ expected: ArraySlice<Int>) { self.expected = expected }

  /// Takes an element, and gives out all whose turn has come.
  mutating func add(_ element: Element, at index: Int) -> [Element] {
    arrived[index] = element
    var ready: [Element] = []
    while let next = expected.first, let element = arrived.removeValue(forKey: next) {
      ready.append(element)
      expected.removeFirst()
    }
    return ready
  }
}
