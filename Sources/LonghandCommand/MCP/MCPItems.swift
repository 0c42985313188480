import Longhand

/// The items of an answer, as many as its characters allow, and at least one.
struct MCPItems {
  private(set) var values: [JSONValue] = []
  private(set) var isFull = false
  private var rest: Int
  private let limit: Int

  init(_ form: MCPForm, limit: Int = .max) { (rest, self.limit) = (form.maxCharacters, limit) }

  /// Adds an item, unless it does not fit.
  /// - Returns: whether it was added. After the first one that is not, none is.
  @discardableResult mutating func add(_ item: JSONValue) -> Bool {
    let length = item.text.count + 2
    isFull = isFull || values.count >= limit || !values.isEmpty && length > rest
    guard !isFull else { return false }
    values.append(item)
    rest -= length
    return true
  }
}
