import FileSupport
import Foundation

/// Parses a verb's arguments by the options that the verb declares.
///
/// Accepts `--opt value`, `--opt=value`, `-o value`, `-ovalue` and clusters of short flags (`-qh`). `--` ends the
/// options, and a single `-` is an operand. When an option is given twice, the last one counts, as scripts expect.
struct ArgumentParser {
  /// The verb's name, for hints.
  let verb: String
  /// All options that the verb takes.
  let options: [Option]

  /// Separates `arguments` into options and operands.
  func parse(_ arguments: [String]) throws -> ParsedArguments {
    var parsed = ParsedArguments(verb: verb)
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        parsed.operands += rest
        break
      } else if argument.hasPrefix("-"), argument != "-", !isOption(argument), isFile(argument) {
        throw dashed(argument)
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
      guard attached == nil else { throw Failure.usage("The option \(name) takes no value.", hint: listing) }
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
      // '-format' is a long name with one dash missing: the error shows the whole of it.
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

  /// The argument after the option, unless it is an option itself: then the value is missing. A negative number is none.
  private func value(of option: Option, as name: String, from rest: inout ArraySlice<String>) throws -> String
  {
    let what = option.value ?? "VALUE"
    // Two names of one option, as in '--apply -o FILE'.
    if let second = rest.first, second != name, option.names.contains(second) {
      rest.removeFirst()
      return try value(of: option, as: second, from: &rest)
    }
    guard let next = rest.first else {
      throw Failure.usage("The option \(name) needs a value (\(what)).", hint: listing)
    }
    if next.hasPrefix("-"), next != "-", Double(next) == nil {
      throw Failure.usage(
        "The option \(name) needs a value (\(what)), but \(next) follows.",
        hint: "If \(next) is the value, write: \(option.name)=\(next)")
    }
    rest.removeFirst()
    return next
  }

  private func option(named name: String) throws -> Option {
    guard let option = options.first(where: { $0.names.contains(name) }) else { throw unknown(name) }
    return option
  }

  private func isOption(_ argument: String) -> Bool { options.contains { $0.names.contains(argument) } }

  private func isFile(_ argument: String) -> Bool { access(argument.systemName, F_OK) == 0 }

  /// A file name that begins with a dash.
  private func dashed(_ name: String) -> Failure {
    .usage(
      "The name \(name) begins with a dash, like an option.",
      hint: "Write ./\(name), or write -- before the names of files.")
  }

  private func unknown(_ name: String) -> Failure {
    if !name.hasPrefix("--"), name.contains(".") { return dashed(name) }
    // Compare '-format' as '--format'.
    let typed = name.hasPrefix("--") ? name : "-\(name)"
    let nearest = NearestName.suggestion(for: typed, among: options.map(\.name))
    return .usage(
      "The verb '\(verb)' has no option \(name).", hint: nearest.map { "Did you mean \($0)?" } ?? listing)
  }

  private var listing: String { "Run 'longhand help \(verb)' to see its options." }
}
