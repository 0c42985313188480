import Foundation
import Longhand

/// Which library a verb works with.
struct LibraryLocation: Sendable {
  /// Its folder.
  let url: URL

  /// The one that was named, that of the environment, or the user's.
  init(_ arguments: ParsedArguments) throws {
    let named = arguments.value(.library) ?? ProcessInfo.processInfo.environment["LONGHAND_LIBRARY"]
    guard named != "" else {
      throw Failure.usage("the name of the library is empty", hint: "such as --library ~/recordings")
    }
    url = named.map { URL(fileURLWithPath: $0) } ?? Library.usual
  }

  /// Opens it; makes it where there is none.
  func open() throws -> Library { try Library(at: url) }
}

/// A session of a library, as the user names it: its ID, the beginning of it, or `last`.
struct SessionReference: Sendable {
  private let location: LibraryLocation
  private let name: String

  /// The verb's one operand.
  init(_ arguments: ParsedArguments) throws {
    name = try arguments.operands(named: ["ID"])[0]
    location = try LibraryLocation(arguments)
  }

  /// The library and the session.
  func open() throws -> (library: Library, session: RecordedSession) {
    let library = try location.open()
    return (library, try library.store.session(matching: name))
  }
}
