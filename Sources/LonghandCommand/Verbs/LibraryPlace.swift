import Foundation
import Longhand

/// Which library a verb works with.
struct LibraryPlace: Sendable {
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
