import Foundation
import Longhand

/// The location of the library: `--library`, else `$LONGHAND_LIBRARY`, else the user's data folder.
struct LibraryLocation: Sendable {
  /// The library's folder.
  let url: URL

  init(_ arguments: ParsedArguments) throws {
    let named = arguments.value(.library) ?? ProcessInfo.processInfo.environment["LONGHAND_LIBRARY"]
    guard named != "" else {
      throw Failure.usage("The name of the library is empty.", hint: "Example: --library ~/recordings")
    }
    url = named.map { URL(fileURLWithPath: $0) } ?? Library.defaultLocation
  }

  /// Opens the library; creates it if it does not exist.
  func open() throws -> Library { try Library(at: url) }
}

/// A session in a library, as the user named it: its ID, the first characters of it, or `last`.
struct SessionReference: Sendable {
  private let location: LibraryLocation
  private let name: String

  init(_ arguments: ParsedArguments) throws {
    self.init(try arguments.operands(named: ["ID"])[0], in: try LibraryLocation(arguments))
  }

  init(_ name: String, in location: LibraryLocation) { (self.name, self.location) = (name, location) }

  /// Opens the library and finds the session.
  func open() throws -> (library: Library, session: RecordedSession) {
    let library = try location.open()
    return (library, try session(in: library))
  }

  func library() throws -> Library { try location.open() }

  /// The file with this ID that is being uploaded; nil if there is none, or if a session has the name.
  func upload(in library: Library) -> Upload? {
    guard name.count >= 4, (try? session(in: library)) == nil else { return nil }
    return library.uploads.all.first { $0.id.hasPrefix(name.lowercased()) }
  }

  func session(in library: Library) throws -> RecordedSession { try library.store.session(matching: name) }
}
