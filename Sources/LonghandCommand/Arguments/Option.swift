/// One option of a verb: its names, whether it takes a value, and what it does.
struct Option: Sendable, Hashable {
  /// The names with their dashes, the one that errors and help speak of last.
  var names: [String]
  /// What the help calls the value; `nil` when the option takes none.
  var value: String?
  /// What it does, in a few words.
  var summary: String

  init(_ names: String..., value: String? = nil, does summary: String) {
    self.names = names
    self.value = value
    self.summary = summary
  }

  /// The name that errors and help speak of.
  var name: String { names.last ?? "" }
}
