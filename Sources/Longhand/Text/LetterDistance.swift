/// The Levenshtein distance of letters.
struct LetterDistance: Sendable {
  private var row: [Int32] = []

  init() {}

  /// The distance of two words' letters.
  mutating func distance(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
    if row.count <= right.count { row = Array(repeating: 0, count: right.count + 16) }
    return row.withUnsafeMutableBufferPointer { row in
      right.withUnsafeBufferPointer { right in
        for column in 0...right.count { row[column] = Int32(truncatingIfNeeded: column) }
        for letter in left {
          var diagonal = row[0]
          row[0] += 1
          for column in 0..<right.count {
            let above = row[column + 1]
            row[column + 1] = min(
              diagonal + (right[column] == letter ? 0 : 1), min(above, row[column]) + 1)
            diagonal = above
          }
        }
        return Int(row[right.count])
      }
    }
  }

  /// 1 for the same letters, 0 for none in common.
  mutating func likeness(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Double {
    let longest = max(left.count, right.count)
    return longest == 0 ? 0 : 1 - Double(distance(left, right)) / Double(longest)
  }
}
