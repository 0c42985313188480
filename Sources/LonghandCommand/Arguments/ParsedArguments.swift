/// What stood on the command line: the options' values, and the operands in their order.
struct ParsedArguments {
  /// The verb that the arguments belong to.
  var verb: String
  /// What is not an option.
  var operands: [String] = []
  /// Every value by its option's name, with the order of all of them.
  private var values: [(option: String, value: String)] = []

  init(verb: String) { self.verb = verb }

  mutating func add(_ value: String, of option: Option) { values.append((option.name, value)) }

  /// Whether the option was given.
  func has(_ option: Option) -> Bool { values.contains { $0.option == option.name } }

  /// The option's value, the last if it was given several times.
  func value(_ option: Option) -> String? { values.last { $0.option == option.name }?.value }

  /// All that were given of `options`, in their order.
  func given(_ options: [Option]) -> [(option: String, value: String)] {
    let names = Set(options.map(\.name))
    return values.filter { names.contains($0.option) }
  }

  /// The option's value as a whole number.
  func integer(_ option: Option, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = value(option) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw Failure.usage(
        "\(option.name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'",
        hint: "such as \(option.name) \(min(max(4, range.lowerBound), range.upperBound))")
    }
    return number
  }

  /// The operands, which must be as many as `names`.
  func operands(named names: [String]) throws -> [String] {
    if operands.count > names.count {
      throw Failure.usage(
        "\(verb) takes \(names.isEmpty ? "nothing" : names.joined(separator: " ")), so '\(operands[names.count])' is one too many",
        hint: listing)
    }
    if operands.count < names.count {
      throw Failure.usage("\(names[operands.count]) is missing", hint: listing)
    }
    return operands
  }

  /// Where the user finds what the verb takes.
  var listing: String { "'longhand help \(verb)' shows how" }
}
