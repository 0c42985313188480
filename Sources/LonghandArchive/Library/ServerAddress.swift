/// The address at which this process serves a library, so that other programs make links that work.
package final class ServerAddress: Sendable {
  private let note: ProcessNote

  /// - Parameter address: that of the page, without a token.
  package init(_ address: String, of library: Library) {
    note = ProcessNote(in: library.servers)
    note.set(address + "\n")
  }

  /// The addresses at which processes that are alive serve a library.
  package static func all(of library: Library) -> [String] { ProcessNote.lines(in: library.servers).sorted() }
}
