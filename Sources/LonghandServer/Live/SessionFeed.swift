import Foundation
import Longhand

/// The events of one session. Each is encoded once, however many clients follow the session.
struct SessionFeed {
  /// Segments that are kept for clients that are a little behind. Clients further behind read the store.
  static let maxKept = 256

  /// The newest event of a kind that replaces earlier ones, and the number of events so far.
  struct Newest {
    private(set) var event = Data()
    private(set) var count = 0

    mutating func set(_ event: Data) {
      self.event = event
      count += 1
    }
  }

  /// Events that do not replace each other: the newest ones, and the number of events so far.
  struct Log {
    private(set) var count = 0
    private var kept: [Data] = []

    mutating func add(_ event: Data) {
      kept = (kept + [event]).suffix(SessionFeed.maxKept)
      count += 1
    }

    /// The events after the first `count` of them.
    func events(after count: Int) -> Data { kept.suffix(max(0, self.count - count)).reduce(Data(), +) }
  }

  /// What followers can still expect.
  enum State {
    /// Segments are being recognized.
    case open
    /// The session is complete; only changes by people come.
    case complete
    /// The session was deleted; nothing more comes.
    case deleted
  }

  /// What `session` reports.
  struct Report: Equatable {
    var status: SessionStatus
    /// How often the speakers were changed.
    var speakers: Int
    var activity: SessionActivity
    /// The number of sessions whose turn comes before, if the session waits for its own.
    var position: Int?
  }

  /// Segments with their sequence numbers, in order.
  private(set) var kept: [(sequence: Int, event: Data)] = []
  /// Every segment with a greater sequence number is kept.
  private(set) var floor: Int
  /// The sequence number of the newest segment.
  private(set) var newest: Int

  /// Segments that were sent before and have another second text now. A client that misses some reads them with the
  /// session.
  var secondTexts = Log()
  /// Warnings and errors, and the end of their causes.
  var notices = Log()
  /// Passages in English. A client that comes later asks for those before.
  var translated = Log()

  /// The text that may still change.
  var partial = Newest()
  /// The level of the recording.
  var level = Newest()
  /// The session's status.
  var session = Newest()
  /// What `session` reports; nil if it must be reported again: before the first report, and to a client that came since.
  var report: Report?
  /// How many clients have come.
  var joins = 0
  var state = State.open
  /// The number of clients that follow the session.
  var followers = 0

  /// - Parameter sequence: the sequence number of the newest segment so far.
  init(after sequence: Int) {
    floor = sequence
    newest = sequence
  }

  /// Adds a segment, unless it has been added already.
  mutating func add(_ event: Data, sequence: Int) {
    guard sequence > newest else { return }
    newest = sequence
    kept.append((sequence, event))
    // Removed in batches: each removal moves all that remain.
    guard kept.count > 2 * Self.maxKept else { return }
    let count = kept.count - Self.maxKept
    floor = kept[count - 1].sequence
    kept.removeFirst(count)
  }

  /// The segments after a sequence number; nil if some of them are no longer kept.
  func events(after sequence: Int) -> [(sequence: Int, event: Data)]? {
    guard sequence >= floor else { return nil }
    guard sequence < newest else { return [] }
    let first = kept.firstIndex { $0.sequence > sequence } ?? kept.endIndex
    return Array(kept[first...])
  }
}
