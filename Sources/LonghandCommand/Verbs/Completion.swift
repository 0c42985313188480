import Foundation
import Longhand

#if os(Linux)
  import ModelStorage
#endif

/// What can follow the words of a command line: the answer to a shell that completes them.
struct Completion {
  /// One possible word.
  struct Candidate: Hashable {
    var text: String
    /// A few words about it, which some shells show.
    var note = ""
  }

  /// The words that start with what was typed.
  private(set) var candidates: [Candidate] = []
  /// What the shell itself completes.
  private(set) var files: Files?

  enum Files: String {
    case files
    case folders
  }

  /// The sessions that a shell lists at most.
  private static let maxSessions = 100

  /// - Parameter words: the words after the program's name up to the cursor; the last one is being typed and may be empty.
  init(of words: [String]) { complete(words) }

  private mutating func complete(_ words: [String]) {
    // Bash separates the value of '--engine=rolling' and passes the equals sign as a word.
    var words = words
    if words.count > 2, words[words.count - 2] == "=" { words.remove(at: words.count - 2) }
    let typed = words.last == "=" ? "" : words.last ?? ""
    let earlier = Array(words.dropLast())
    guard let first = earlier.first else {
      return offer(Self.verbs + [Candidate(text: "help", note: "show the options of a verb")], typed)
    }
    if first == "help" {
      return offer(Self.verbs + [Candidate(text: "--man"), Candidate(text: "recognition")], typed)
    }
    guard let verb = Verbs.all.first(where: { $0.description.name == first })?.description else { return }
    complete(typed, after: Array(earlier.dropFirst()), of: verb)
  }

  private static var verbs: [Candidate] {
    Verbs.all.map { Candidate(text: $0.description.name, note: $0.description.summary) }
  }

  private mutating func complete(_ typed: String, after earlier: [String], of verb: VerbDescription) {
    let options = verb.allOptions
    let isOpen = !earlier.contains("--")
    if isOpen, let named = options.first(where: { $0.names.contains(earlier.last ?? "") }),
      let kind = named.kind
    {
      return offer(kind, typed, earlier, verb)
    }
    if isOpen, typed.hasPrefix("--"), let sign = typed.firstIndex(of: "=") {
      guard let kind = options.first(where: { $0.name == typed[..<sign] })?.kind else { return }
      offer(kind, String(typed[typed.index(after: sign)...]), earlier, verb)
      candidates = candidates.map { Candidate(text: typed[...sign] + $0.text, note: $0.note) }
      return
    }
    if isOpen, typed.hasPrefix("-") {
      return offer(options.map { Candidate(text: $0.name, note: $0.summary) }, typed)
    }
    let operands = (try? verb.parser.parse(earlier).operands) ?? []
    for kind in verb.kinds(after: operands) { offer(kind, typed, earlier, verb) }
  }

  private mutating func offer(_ all: [Candidate], _ typed: String) {
    candidates += all.filter { $0.text.hasPrefix(typed) && Self.isPrintable($0) }
  }

  /// A line break would begin another candidate, and a colon is for what the shell completes.
  private static func isPrintable(_ candidate: Candidate) -> Bool {
    !candidate.text.hasPrefix(":")
      && candidate.text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  private mutating func offer(
    _ kind: ArgumentKind, _ typed: String, _ earlier: [String], _ verb: VerbDescription
  ) {
    switch kind {
    case .words(let words): offer(words.map { Candidate(text: $0) }, typed)
    case .list(let words):
      let before = typed.lastIndex(of: ",").map { String(typed[...$0]) } ?? ""
      offer(words.map { Candidate(text: before + $0) }, typed)
    case .file: files = .files
    case .folder: files = .folders
    case .session: offer(Self.sessions(of: try? verb.parser.parse(earlier)), typed)
    case .model: offer(Self.models(recognizersOnly: false), typed)
    case .recognizer: offer(Self.models(recognizersOnly: true), typed)
    case .vocabulary:
      files = .folders
      // The option that is completed has no value yet.
      let named = (try? verb.parser.parse(earlier)) ?? (try? verb.parser.parse(earlier.dropLast()))
      offer(Self.storedVocabularies(of: named) + Self.vocabularies(in: typed), typed)
    case .storedVocabulary: offer(Self.storedVocabularies(of: try? verb.parser.parse(earlier)), typed)
    case .text: break
    }
  }

  /// The sessions of the library that the command line names, by their names and the first characters of their IDs.
  private static func sessions(of arguments: ParsedArguments?) -> [Candidate] {
    let location = try? LibraryLocation(arguments ?? ParsedArguments(verb: ""))
    // Completing a word must not create a library.
    guard let location, FileManager.default.fileExists(atPath: location.url.path),
      let sessions = try? location.open().store.sessions(limit: maxSessions), !sessions.isEmpty
    else { return [] }
    let last = [Candidate(text: "last", note: "the newest session")]
    return last
      + sessions.flatMap { session in
        let note = "\(SessionsCommand.date(session.start)) \(session.source)".escapingControls
        return [session.name, String(session.id.prefix(8))].compactMap(\.self).map {
          Candidate(text: $0, note: note)
        }
      }
  }

  /// The vocabularies of the library that the command line names.
  private static func storedVocabularies(of arguments: ParsedArguments?) -> [Candidate] {
    let location = try? LibraryLocation(arguments ?? ParsedArguments(verb: ""))
    return (location.map { VocabularyFolder(of: $0.url).allNames } ?? []).map {
      Candidate(text: $0, note: "of the library")
    }
  }

  /// The files beside the typed path whose names end like those of vocabularies.
  private static func vocabularies(in typed: String) -> [Candidate] {
    let folder = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    return names.sorted().filter { [".json5", ".csv", ".txt"].contains(where: $0.hasSuffix) }
      .map { Candidate(text: folder + $0) }
  }
}

extension Completion {
  /// The names of the installed models.
  private static func models(recognizersOnly: Bool) -> [Candidate] {
    #if os(Linux)
      ModelStore().contents().models.filter { !recognizersOnly || $0.description.family.recognizesWords }
        .map { Candidate(text: $0.name) }
    #else
      []
    #endif
  }
}
