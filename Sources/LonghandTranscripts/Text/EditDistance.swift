/// The costs of the steps that turn one list of elements, the source, into another, the target.
protocol EditCosts: Sendable {
  associatedtype Element
  associatedtype Cost: FixedWidthInteger & Sendable

  /// The cost of removing an element of the source.
  func removal(of element: Element) -> Cost
  /// The cost of inserting an element of the target.
  func insertion(of element: Element) -> Cost
  /// The cost of replacing an element of the source with one of the target; 0 if they are equal.
  func replacement(of element: Element, with other: Element) -> Cost
}

/// Costs that are the same for all elements.
struct UniformCosts<Element: Equatable & Sendable, Cost: FixedWidthInteger & Sendable>: EditCosts {
  var removal: Cost
  var insertion: Cost
  var replacement: Cost

  @inline(__always) func removal(of element: Element) -> Cost { removal }
  @inline(__always) func insertion(of element: Element) -> Cost { insertion }
  @inline(__always) func replacement(of element: Element, with other: Element) -> Cost {
    element == other ? 0 : replacement
  }
}

/// The least cost of turning a source into a target (Wagner and Fischer, "The string-to-string correction problem", 1974).
///
/// It keeps one row of the table: the costs of turning the source up to one element into each prefix of the target.
/// `LetterDistance` and `PhoneticDistance` are what other modules use: there, generic code would not be specialized.
struct EditDistance<Costs: EditCosts>: Sendable {
  typealias Element = Costs.Element
  typealias Cost = Costs.Cost

  let costs: Costs
  /// Kept between calls of `distance`, so that most of them allocate nothing.
  private var row: [Cost] = []

  init(costs: Costs) { self.costs = costs }

  /// The distance of two lists; nil if it is above `limit`.
  mutating func distance(
    from source: ArraySlice<Element>, to target: ArraySlice<Element>, limit: Cost = .max
  ) -> Cost? {
    if row.count <= target.count { row = Array(repeating: 0, count: target.count + 16) }
    let costs = costs
    return row.withUnsafeMutableBufferPointer { row in
      target.withUnsafeBufferPointer { target in
        Self.fill(row, target, costs)
        for element in source where Self.advance(row, past: element, target, costs) > limit { return nil }
        return row[target.count] <= limit ? row[target.count] : nil
      }
    }
  }

  /// The costs of turning an empty source into each prefix of `target`.
  func firstRow(to target: [Element]) -> [Cost] {
    var row = [Cost](repeating: 0, count: target.count + 1)
    row.withUnsafeMutableBufferPointer { row in
      target.withUnsafeBufferPointer { Self.fill(row, $0, costs) }
    }
    return row
  }

  /// Replaces the row of a source with the row of the same source followed by `more`.
  func advance(_ row: inout [Cost], past more: some Sequence<Element>, to target: [Element]) {
    row.withUnsafeMutableBufferPointer { row in
      target.withUnsafeBufferPointer { target in
        for element in more { _ = Self.advance(row, past: element, target, costs) }
      }
    }
  }

  /// The row of every part of a source that ends at each of its elements, where the part may begin anywhere.
  /// - Parameters:
  ///   - start: the cost of a part that begins at an index, which makes the parts of equal cost different.
  ///   - body: called with the index after the last element of the parts, and the least cost of turning one into the target.
  func forEachEnd(
    in source: [Element], to target: [Element], start: (Int) -> Cost, _ body: (Int, Cost) -> Void
  ) {
    var row = firstRow(to: target)
    row.withUnsafeMutableBufferPointer { row in
      target.withUnsafeBufferPointer { target in
        for column in row.indices { row[column] &+= start(0) }
        for (index, element) in source.enumerated() {
          _ = Self.advance(row, past: element, target, costs, first: start(index + 1))
          body(index + 1, row[target.count])
        }
      }
    }
  }

  @inline(__always) private static func fill(
    _ row: UnsafeMutableBufferPointer<Cost>, _ target: UnsafeBufferPointer<Element>, _ costs: Costs
  ) {
    row[0] = 0
    for column in 0..<target.count { row[column + 1] = row[column] &+ costs.insertion(of: target[column]) }
  }

  /// Returns the least cost of the new row.
  /// - Parameter first: the cost before the target begins, if that is not of removing the element.
  @inline(__always) private static func advance(
    _ row: UnsafeMutableBufferPointer<Cost>, past element: Element, _ target: UnsafeBufferPointer<Element>,
    _ costs: Costs, first: Cost? = nil
  ) -> Cost {
    let removal = costs.removal(of: element)
    var diagonal = row[0]
    var left = first ?? diagonal &+ removal
    row[0] = left
    var least = left
    for column in 0..<target.count {
      let above = row[column + 1]
      let other = target[column]
      // In this order the next cell waits for one addition and one comparison only.
      let fromAbove = min(diagonal &+ costs.replacement(of: element, with: other), above &+ removal)
      left = min(fromAbove, left &+ costs.insertion(of: other))
      row[column + 1] = left
      least = min(least, left)
      diagonal = above
    }
    return least
  }
}

/// The Levenshtein distance of words' letters.
package struct LetterDistance: Sendable {
  private var edits = EditDistance(
    costs: UniformCosts<UInt8, Int32>(removal: 1, insertion: 1, replacement: 1))

  package init() {}

  mutating func distance(from left: ArraySlice<UInt8>, to right: ArraySlice<UInt8>) -> Int32? {
    edits.distance(from: left, to: right)
  }

  /// How similar two words are: 1 for the same letters, 0 for no letter in common.
  package mutating func similarity(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Double {
    let longest = max(left.count, right.count)
    guard longest > 0, let distance = distance(from: left, to: right) else { return 0 }
    return 1 - Double(distance) / Double(longest)
  }
}
