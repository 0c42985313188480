/// Reads a verb's arguments by the options that it declares.
///
/// `--opt value`, `--opt=value`, `-o value`, `-ovalue` and clusters of short flags (`-qh`) are understood; `--` ends
/// the options, and a single `-` is an operand. Of an option given twice the last one counts, as scripts expect.
struct ArgumentParser {
  /// The verb, for the hints.
  let verb: String
  /// Everything that the verb takes.
  let options: [Option]

  /// Sorts `arguments` into options and operands.
  func parse(_ arguments: [String]) throws -> ParsedArguments {
    var parsed = ParsedArguments(verb: verb)
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        parsed.operands += rest
        break
      } else if argument.hasPrefix("--") {
        try parseLong(argument, rest: &rest, into: &parsed)
      } else if argument.hasPrefix("-"), argument != "-" {
        try parseShort(argument, rest: &rest, into: &parsed)
      } else {
        parsed.operands.append(argument)
      }
    }
    return parsed
  }

  private func parseLong(
    _ argument: String, rest: inout ArraySlice<String>, into parsed: inout ParsedArguments
  ) throws {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
      String.init)
    let name = parts[0]
    let option = try option(named: name)
    let attached = parts.count > 1 ? parts[1] : nil
    if option.value == nil {
      guard attached == nil else { throw Failure.usage("\(name) takes no value", hint: listing) }
      parsed.add("", of: option)
    } else {
      parsed.add(try attached ?? value(of: option, as: name, from: &rest), of: option)
    }
  }

  private func parseShort(
    _ argument: String, rest: inout ArraySlice<String>, into parsed: inout ParsedArguments
  ) throws {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      let name = "-\(letter)"
      // A single dash before a long name is a slip; the whole of it is what the user must see again.
      let known = options.first { $0.names.contains(name) }
      guard let option = known else { throw unknown(argument.count > 2 ? argument : name) }
      guard option.value == nil else {
        let attached = letters.first == "=" ? letters.dropFirst() : letters
        parsed.add(
          letters.isEmpty ? try value(of: option, as: name, from: &rest) : String(attached), of: option)
        return
      }
      parsed.add("", of: option)
    }
  }

  /// The argument after the option, unless it is an option itself: then the value was forgotten.
  private func value(of option: Option, as name: String, from rest: inout ArraySlice<String>) throws -> String
  {
    let what = option.value ?? "value"
    guard let next = rest.first else { throw Failure.usage("\(name) needs a value (\(what))", hint: listing) }
    if next.hasPrefix("-"), next != "-" {
      throw Failure.usage(
        "\(name) needs a value (\(what)), but \(next) follows",
        hint: "a value that begins with a dash is written \(option.name)=\(next)")
    }
    rest.removeFirst()
    return next
  }

  private func option(named name: String) throws -> Option {
    guard let option = options.first(where: { $0.names.contains(name) }) else { throw unknown(name) }
    return option
  }

  private func unknown(_ name: String) -> Failure {
    // '-format' is two letters away from nothing, but one dash away from '--format'.
    let typed = name.hasPrefix("--") ? name : "-\(name)"
    let nearest = NearestName.suggestion(for: typed, among: options.map(\.name))
    return .usage("\(verb) has no option \(name)", hint: nearest.map { "did you mean \($0)?" } ?? listing)
  }

  private var listing: String { "'longhand help \(verb)' lists the options" }
}
