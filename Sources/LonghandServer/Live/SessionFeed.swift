import Foundation
import Longhand

/// What those get who follow one session: made once, however many they are. A value; whoever holds it guards it.
struct SessionFeed {
  /// Events that are kept for those who come a little late; who is later reads the store.
  static let mostKept = 256

  /// Something of which only the newest counts, and how often there was a new one.
  struct Newest {
    private(set) var event = Data()
    private(set) var count = 0

    mutating func set(_ event: Data) {
      self.event = event
      count += 1
    }
  }

  /// Texts of segments, by their sequence number, in order.
  private(set) var kept: [(sequence: Int, event: Data)] = []
  /// Every text after this one is kept.
  private(set) var floor: Int
  /// The newest text there is.
  private(set) var newest: Int

  /// What is being said.
  var partial = Newest()
  /// How loud it is.
  var level = Newest()
  /// What is known of the session.
  var session = Newest()
  /// What a reader must know.
  var notice = Newest()
  /// What `session` tells of; nil before the first time.
  var standing: SessionStatus?
  /// Nothing more will come, because all was said.
  var isEnded = false
  /// Nothing more will come, because it was erased.
  var isGone = false
  /// How many follow.
  var followers = 0

  /// - Parameter sequence: of the newest text there is.
  init(after sequence: Int) {
    floor = sequence
    newest = sequence
  }

  /// Adds a text.
  mutating func add(_ event: Data, sequence: Int) {
    guard sequence > newest else { return }
    newest = sequence
    kept.append((sequence, event))
    // Not one by one: that would move all the others every time.
    guard kept.count > 2 * Self.mostKept else { return }
    let most = kept.count - Self.mostKept
    floor = kept[most - 1].sequence
    kept.removeFirst(most)
  }

  /// The texts after one; nil if some of them are no longer kept.
  func events(after sequence: Int) -> [(sequence: Int, event: Data)]? {
    guard sequence >= floor else { return nil }
    guard sequence < newest else { return [] }
    let first = kept.firstIndex { $0.sequence > sequence } ?? kept.endIndex
    return Array(kept[first...])
  }
}
