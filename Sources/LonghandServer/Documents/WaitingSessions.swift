import Foundation
import Longhand
import Synchronization

/// The sessions that wait for their turn to be imported or continued by this server, and what it does again with complete ones.
final class WaitingSessions: Sendable {
  /// What is done again with a complete session.
  struct Work: Sendable, Hashable {
    enum Kind: String, Sendable { case transcription, speakers, translation }
    enum State: String, Sendable { case queued, running, done, failed }

    let kind: Kind
    /// Different for each work.
    let id = UUID()
    /// What was done stays, so that clients see it however short it was.
    var state = State.queued
    /// From 0 to 100; nil where it is not known.
    var percent: Int?
    /// Why it failed.
    var failure: String?

    init(_ request: PendingWork.Request) {
      switch request {
      case .transcription: kind = .transcription
      case .speakers: kind = .speakers
      case .translation: kind = .translation
      }
    }

    /// As the API sends it.
    var json: JSONValue {
      .object([
        ("id", .string(id.uuidString.lowercased())), ("kind", .string(kind.rawValue)),
        ("state", .string(state.rawValue)), ("percent", percent.map { .integer($0) } ?? .null),
        ("failure", failure.map { .string($0) } ?? .null),
      ])
    }
  }

  /// In the order of their turns, with those that are worked on again.
  private let order = Mutex<[String]>([])
  private let works = Mutex<[String: Work]>([:])
  /// Shows them to other processes.
  private let queue: SessionQueue?

  /// - Parameter library: where other processes see the sessions; nil to show them to none.
  init(in library: Library? = nil) { queue = library.map(SessionQueue.init) }

  /// In the order of their turns, with the complete ones with which something is done again.
  var all: [String] { order.withLock { $0 } }

  /// - Parameters:
  ///   - sessions: those whose state is `queued`.
  ///   - order: all whose turn has not come.
  func set(_ sessions: [String], order: [String]) {
    self.order.withLock { $0 = order }
    queue?.set(sessions)
  }

  /// What is done with a session again; nil for nothing.
  func work(on session: String) -> Work? { works.withLock { $0[session] } }

  func set(_ work: Work?, on session: String) { works.withLock { $0[session] = work } }
}
