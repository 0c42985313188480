/// The command line after parsing: the values of the options, and the operands in order.
struct ParsedArguments {
  /// The verb's name.
  var verb: String
  /// The arguments that are not options.
  var operands: [String] = []
  /// The option name and value of each option, in the order given.
  private var values: [(option: String, value: String)] = []

  init(verb: String) { self.verb = verb }

  mutating func add(_ value: String, of option: Option) { values.append((option.name, value)) }

  /// Returns whether the option was given.
  func has(_ option: Option) -> Bool { values.contains { $0.option == option.name } }

  /// The option's value; the last one if it was given several times.
  func value(_ option: Option) -> String? { values.last { $0.option == option.name }?.value }

  /// The given options that are among `options`, in the order given.
  func given(_ options: [Option]) -> [(option: String, value: String)] {
    let names = Set(options.map(\.name))
    return values.filter { names.contains($0.option) }
  }

  /// The given options that are among `options`, in the order given, as arguments of another command line.
  func arguments(of options: [Option]) -> [String] {
    let flags = Set(options.filter { $0.value == nil }.map(\.name))
    return given(options).map { flags.contains($0.option) ? $0.option : "\($0.option)=\($0.value)" }
  }

  /// The option's value as an integer.
  func integer(_ option: Option, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = value(option) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw Failure.usage(
        "The option \(option.name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'.",
        hint: "Example: \(option.name) \(min(max(4, range.lowerBound), range.upperBound))")
    }
    return number
  }

  /// The option's value as a number.
  func number(_ option: Option, in range: ClosedRange<Double>) throws -> Double? {
    guard let text = value(option) else { return nil }
    guard let number = Double(text), range.contains(number) else {
      let limits = "\(range.lowerBound.formatted()) to \(range.upperBound.formatted())"
      throw Failure.usage(
        "The option \(option.name) takes a number from \(limits), not '\(text)'.",
        hint: "Example: \(option.name) \(((range.lowerBound + range.upperBound) / 2).formatted())")
    }
    return number
  }

  /// The option's value as one of several names.
  /// - Parameter kind: what the names are of, for the error.
  func choice<Choice>(_ option: Option, of kind: String) throws -> Choice?
  where Choice: RawRepresentable<String> & CaseIterable {
    guard let name = value(option) else { return nil }
    guard let choice = Choice(rawValue: name) else {
      let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure.usage("There is no \(kind) '\(name)'.", hint: "Use one of: \(names)")
    }
    return choice
  }

  /// The operands; throws unless there are as many as `names`.
  func operands(named names: [String]) throws -> [String] {
    if operands.count > names.count {
      throw Failure.usage("Unexpected argument '\(operands[names.count])'.", hint: listing)
    }
    if operands.count < names.count {
      throw Failure.usage("The argument \(names[operands.count]) is missing.", hint: listing)
    }
    return operands
  }

  /// A hint that says where the verb's arguments are explained.
  var listing: String { "Run 'longhand help \(verb)' for help." }
}
