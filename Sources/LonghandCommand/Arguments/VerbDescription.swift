/// What the help and the parser need to know of a verb.
struct VerbDescription: Sendable {
  /// One command line that works as typed, and what it is for.
  struct Example: Sendable {
    var purpose: String
    var command: String
  }

  /// The verb, as it is typed.
  var name: String
  /// What it does, in a few words.
  var summary: String
  /// Its operands, such as `FILE…`.
  var operands: String
  /// What a user has to know beyond the options.
  var discussion: String
  /// Its options in the order of the help; those of every verb are added.
  var options: [Option]
  /// Command lines that work as typed.
  var examples: [Example]

  /// Everything that the verb takes.
  var allOptions: [Option] { options + Option.everywhere }
  /// Reads the verb's arguments.
  var parser: ArgumentParser { ArgumentParser(verb: name, options: allOptions) }
}
