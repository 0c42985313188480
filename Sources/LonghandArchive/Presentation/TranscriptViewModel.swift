import Foundation
import LonghandRecording
import LonghandTranscripts
import Observation

/// The state of a view of a session: its rows, the partial text, and whether the view follows new text.
///
/// It does no work of its own: the app passes it segments from the store and the events of a session. It must be used on
/// one thread or actor, in an app the main actor.
///
/// ```swift
/// let model = TranscriptViewModel()
/// model.take(.partial(.init(start: 0, end: 1, text: "hello th")))
/// print(model.activeText)  // hello th
/// let candidate = Candidate(text: "hello there", words: [], confidence: 0.9)
/// model.take(.committed(Segment(id: 0, start: 0, end: 1.5, candidates: [candidate])))
/// print(model.rows.map(\.segment.text))  // ["hello there"]
/// ```
///
/// In an app, the segments come from `TranscriptStore.page(of:before:limit:)` and the events from `LiveSession.events`.
@Observable public final class TranscriptViewModel {
  /// The rows of committed segments, in order. The list changes only when rows are added or removed; a correction changes
  /// its row.
  public private(set) var rows: [TranscriptRow]
  /// The partial result that is not committed yet; nil if there is none.
  public private(set) var active: TranscriptAccumulator.Partial?
  /// Whether the view stays at the end when text is added. It is false while the user has scrolled back.
  public private(set) var isFollowing = true
  /// The number of rows that were added while the view did not follow.
  public private(set) var unseenRows = 0
  /// The level of the audio in dBFS; minus infinity for digital silence and before the first event.
  public private(set) var level = -Double.infinity
  /// The position of the recognizer, in seconds from the start of the audio.
  public private(set) var transcribed: TimeInterval = 0
  /// The end of the audio that was last processed, in seconds, whether or not its text is final.
  public private(set) var processed: TimeInterval = 0

  private let maxRows: Int

  /// Creates a model.
  /// - Parameters:
  ///   - segments: segments that are already committed, in order, such as the last page of a session.
  ///   - maxRows: the most rows to keep while the view follows; the earliest are removed first.
  public init(_ segments: [Segment] = [], keeping maxRows: Int = .max) {
    self.maxRows = max(1, maxRows)
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

  /// Adds earlier segments before the first row. Segments that have a row already are ignored.
  public func prepend(_ earlier: [Segment]) {
    let known = Set(rows.map(\.id))
    let new = earlier.filter { !known.contains($0.id) }.map(TranscriptRow.init)
    guard !new.isEmpty else { return }
    rows.insert(contentsOf: new, at: 0)
    for index in 0...min(new.count, rows.count - 1) { measurePause(before: index) }
  }

  /// Processes an event of a session.
  public func take(_ event: SessionEvent) {
    switch event {
    case .partial(let partial):
      if active != partial { active = partial }
      advance(to: partial?.end ?? 0)
    case .committed(let segment): update(segment)
    case .progress(let seconds):
      if seconds > transcribed { transcribed = seconds }
      advance(to: seconds)
    case .recording(.level(let level)): self.level = level
    case .normalized(let id, let normalized):
      rows.last { $0.id == id }?.normalized = normalized
    case .recording, .translated, .translationFailed, .wordless, .failed, .restarted, .speakersGuessed: break
    case .storeFailed, .storeBack, .transcriptionFailed: break
    }
  }

  private func advance(to seconds: TimeInterval) { if seconds > processed { processed = seconds } }

  /// Adds or updates a segment: a new one gets a row by its time, and a known one changes its row if its revision is newer. A
  /// segment before the first row is ignored.
  public func update(_ segment: Segment) {
    let count = rows.count
    let index: Int
    if let known = rows.lastIndex(where: { $0.id == segment.id }) {
      guard segment.revision > rows[known].segment.revision else { return }
      index = known
      rows[index].segment = segment
    } else {
      index = firstIndex { $0.segment.start > segment.start }
      guard index > 0 || rows.isEmpty else { return }
      rows.insert(TranscriptRow(segment), at: index)
    }
    for changed in index...min(index + 1, rows.count - 1) { measurePause(before: changed) }
    guard rows.count > count else { return }
    if let active, active.end <= segment.end { self.active = nil }
    if isFollowing { trim() } else { unseenRows += 1 }
  }

  /// Call this when the user has scrolled. The view follows new text if the end is visible.
  /// - Parameter isAtEnd: whether the end of the text is visible.
  public func scrolled(isAtEnd: Bool) {
    if isFollowing != isAtEnd { isFollowing = isAtEnd }
    if isAtEnd, unseenRows > 0 { unseenRows = 0 }
    if isAtEnd { trim() }
  }

  /// Goes to the end and follows new text.
  public func follow() { scrolled(isAtEnd: true) }

  /// The row at a time, in seconds from the start of the audio; nil in a pause.
  public func row(at time: TimeInterval) -> TranscriptRow? {
    let index = firstIndex { $0.segment.end > time }
    guard index < rows.count, rows[index].segment.start <= time else { return nil }
    return rows[index]
  }

  /// The index of the first row that meets a condition, which all rows after it meet too; the number of rows if none does.
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
    if rows.count > maxRows { rows.removeFirst(rows.count - maxRows) }
  }
}

/// Marks text that may still change, so that a view can show it in another style.
public enum PartialTextAttribute: CodableAttributedStringKey {
  /// Always true.
  public typealias Value = Bool

  /// The name of the attribute when it is encoded.
  public static let name = "Longhand.partialText"
}
