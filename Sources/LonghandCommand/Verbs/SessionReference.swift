import Longhand

/// A session of a library, as the user names it: its ID, the beginning of it, or `last`.
struct SessionReference: Sendable {
  private let place: LibraryPlace
  private let name: String

  /// The verb's one operand.
  init(_ arguments: ParsedArguments) throws {
    name = try arguments.operands(named: ["ID"])[0]
    place = try LibraryPlace(arguments)
  }

  /// The library and the session.
  func open() throws -> (library: Library, session: RecordedSession) {
    let library = try place.open()
    return (library, try library.store.session(matching: name))
  }
}
