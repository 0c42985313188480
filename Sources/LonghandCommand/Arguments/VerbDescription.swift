/// A verb's name, options and help text, for the parser and the help.
struct VerbDescription: Sendable {
  /// A command line that works as typed, and its purpose.
  struct Example: Sendable {
    var purpose: String
    var command: String
  }

  /// The name, as it is typed.
  var name: String
  /// What the verb does: one sentence without a full stop.
  var summary: String
  /// The operands, such as `FILE…`.
  var operands: String
  /// What a user needs to know beyond the options.
  var discussion: String
  /// The options in the order of the help, without those that every verb takes.
  var options: [Option]
  /// Command lines that work as typed.
  var examples: [Example]

  /// All options that the verb takes.
  var allOptions: [Option] { options + Option.everywhere }
  /// Parses the verb's arguments.
  var parser: ArgumentParser { ArgumentParser(verb: name, options: allOptions) }
}
