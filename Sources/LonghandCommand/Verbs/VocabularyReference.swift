import Foundation
import Longhand

/// A vocabulary as the user named it: a file, or a vocabulary of the library by its name. A file that exists comes first.
struct VocabularyReference: Sendable {
  /// What the user typed.
  let text: String
  private let location: Result<LibraryLocation, any Error>

  /// The value of `--vocabulary`; nil if it is not given.
  init?(_ arguments: ParsedArguments) {
    guard let text = arguments.value(.vocabulary) else { return nil }
    self.init(text, arguments)
  }

  init(_ text: String, _ arguments: ParsedArguments) {
    self.text = text
    location = Result { try LibraryLocation(arguments) }
  }

  /// The file, which can be read while the result lives.
  /// - Throws: `Failure` if there is neither such a file nor such a vocabulary.
  func file() throws -> NamedFile {
    if isFile { return NamedFile(text) }
    let folder = VocabularyFolder(of: try location.get().url)
    let names = folder.allNames
    if names.contains(text) { return NamedFile(try folder.words(named: text).file.path) }
    throw Failure(
      .unreadable, "There is no such file, and the library has no vocabulary of this name.", input: text,
      hint: Self.hint(names, nearest: text))
  }

  /// Says that both a file and a vocabulary of the library have the name; nil if that is not so.
  var notice: String? {
    guard isFile, let folder = try? VocabularyFolder(of: location.get().url), folder.allNames.contains(text),
      let path = try? folder.words(named: text).file.path
    else { return nil }
    return
      "The vocabulary is the file '\(text)'. The library has one of this name, too: to use that, name \(path)"
  }

  /// Which vocabularies a library has.
  static func hint(_ names: [String], nearest text: String) -> String {
    guard !names.isEmpty else {
      return "The library has no vocabularies; 'longhand vocabulary add NAME TERM' makes one."
    }
    let suggestion = NearestName.suggestion(for: text, among: names).map { "Did you mean '\($0)'? " } ?? ""
    return "\(suggestion)Vocabularies of the library: \(names.joined(separator: ", "))."
  }

  private var isFile: Bool {
    var found = stat()
    return stat(text.systemName, &found) == 0 && !found.isFolder
  }
}
