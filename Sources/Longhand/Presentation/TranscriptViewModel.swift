import Foundation
import Observation

/// What a view shows of a session: its rows, what is being said, and whether the view follows it.
///
/// It does no work of its own: whoever has it hands in what the store has and what happens. It belongs to one thread
/// or actor, in an app the main one.
///
/// ```swift
/// let model = TranscriptViewModel(try store.page(of: session.id, limit: 100))
/// for await event in session.events { model.take(event) }
/// ```
@Observable public final class TranscriptViewModel {
  /// The committed segments that are held, in order. The list changes only when rows come or go; a correction changes
  /// its row.
  public private(set) var rows: [TranscriptRow]
  /// What is being said and is not committed yet, if anything.
  public private(set) var active: TranscriptAccumulator.Partial?
  /// Whether the view keeps to the end while text comes. It yields to a user who scrolls back.
  public private(set) var isFollowing = true
  /// Rows that came since the view does not follow.
  public private(set) var unseenRows = 0
  /// How loud it is, in dBFS; minus infinity for digital silence and before anything is known.
  public private(set) var level = -Double.infinity
  /// Seconds that the recognizer has come.
  public private(set) var transcribed: TimeInterval = 0

  private let mostRows: Int

  /// - Parameters:
  ///   - segments: what is committed already, in order, such as the last page of a session.
  ///   - mostRows: while the view follows, the earliest rows beyond these are let go.
  public init(_ segments: [Segment] = [], keeping mostRows: Int = .max) {
    self.mostRows = max(1, mostRows)
    rows = []
    prepend(segments)
  }

  /// The text of `active`, marked with `PartialTextAttribute`; on Apple platforms in italics too.
  public var activeText: AttributedString {
    var text = AttributedString(active?.text ?? "")
    text[PartialTextAttribute.self] = true
    #if canImport(Darwin)
      text.inlinePresentationIntent = .emphasized
    #endif
    return text
  }

  /// Adds a page of what was said before the first row. What is there already stays as it is.
  public func prepend(_ earlier: [Segment]) {
    let first = rows.first?.id ?? .max
    let new = earlier.filter { $0.id < first }.map(TranscriptRow.init)
    guard !new.isEmpty else { return }
    rows.insert(contentsOf: new, at: 0)
    for index in 0...min(new.count, rows.count - 1) { measurePause(before: index) }
  }

  /// Takes what happens while a recording is listened to.
  public func take(_ event: SessionEvent) {
    switch event {
    case .partial(let partial): if active != partial { active = partial }
    case .committed(let segment): update(segment)
    case .progress(let seconds): transcribed = max(transcribed, seconds)
    case .recording(.level(let level)): self.level = level
    case .recording, .failed, .restarted, .storeFailed, .storeBack, .transcriptionFailed: break
    }
  }

  /// Takes a segment as it is now: the next one becomes a row, one that is there changes its row unless the row has a
  /// later revision, and one before the first row is left out.
  public func update(_ segment: Segment) {
    guard let last = rows.last, segment.id <= last.id else {
      rows.append(TranscriptRow(segment))
      measurePause(before: rows.count - 1)
      if let active, active.end <= segment.end { self.active = nil }
      if isFollowing { trim() } else { unseenRows += 1 }
      return
    }
    guard let index = index(of: segment.id), segment.revision > rows[index].segment.revision else { return }
    rows[index].segment = segment
    for place in index...min(index + 1, rows.count - 1) { measurePause(before: place) }
  }

  /// The user scrolled; `isAtEnd` tells whether the end is in view. The view follows from there, or does not.
  public func scrolled(isAtEnd: Bool) {
    if isFollowing != isAtEnd { isFollowing = isAtEnd }
    if isAtEnd, unseenRows > 0 { unseenRows = 0 }
    if isAtEnd { trim() }
  }

  /// Goes back to the end, and keeps to it.
  public func follow() { scrolled(isAtEnd: true) }

  /// The row whose words are heard at a time, in seconds from the start of the audio; nil in a pause.
  public func row(at time: TimeInterval) -> TranscriptRow? {
    let index = firstIndex { $0.segment.end > time }
    guard index < rows.count, rows[index].segment.start <= time else { return nil }
    return rows[index]
  }

  private func index(of id: Int) -> Int? {
    let index = firstIndex { $0.id >= id }
    return index < rows.count && rows[index].id == id ? index : nil
  }

  /// The first row that holds to a condition which all rows after one that does hold to; the number of rows if none does.
  private func firstIndex(where isReached: (TranscriptRow) -> Bool) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if isReached(rows[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func measurePause(before index: Int) {
    let pause = index > 0 ? max(0, rows[index].segment.start - rows[index - 1].segment.end) : 0
    if rows[index].pauseBefore != pause { rows[index].pauseBefore = pause }
  }

  private func trim() {
    if rows.count > mostRows { rows.removeFirst(rows.count - mostRows) }
  }
}
