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
