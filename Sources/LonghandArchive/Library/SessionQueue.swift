/// The sessions that wait for their turn in this process. Other processes see them as waiting while this one is alive; if the
/// file cannot be written, they see these sessions as interrupted.
package final class SessionQueue: Sendable {
  private let note: ProcessNote

  package init(in library: Library) { note = ProcessNote(in: library.queues) }

  /// Sets the sessions that wait.
  package func set(_ sessions: [String]) { note.set(sessions.map { "\($0)\n" }.joined()) }

  /// Whether a session waits in a process that is alive.
  static func contains(_ session: String, in library: Library) -> Bool {
    !ProcessNote.lines(in: library.queues, only: session).isEmpty
  }
}

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
