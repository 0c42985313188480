extension Transcript {
  /// The entries, without instructions at the beginning. Setting it keeps those.
  public var history: HistoryView {
    get { HistoryView(entries: entries[historyStart...]) }
    set { entries.replaceSubrange(historyStart..., with: newValue.entries) }
  }

  private var historyStart: Int {
    if case .instructions = entries.first { 1 } else { 0 }
  }

  /// The conversation in a transcript.
  public struct HistoryView: Sendable, RandomAccessCollection, MutableCollection, RangeReplaceableCollection,
    ExpressibleByArrayLiteral
  {
    /// An entry.
    public typealias Element = Entry
    /// A part of the conversation.
    public typealias SubSequence = HistoryView

    /// The position of an entry.
    public struct Index: Comparable, Hashable, Sendable {
      fileprivate let position: Int

      /// Whether a position is before another.
      public static func < (first: Index, second: Index) -> Bool { first.position < second.position }
    }

    fileprivate var entries: ArraySlice<Entry>

    fileprivate init(entries: ArraySlice<Entry>) { self.entries = entries }

    /// Creates an empty conversation.
    public init() { entries = [] }

    /// Creates a conversation from entries.
    public init(arrayLiteral elements: Entry...) { entries = elements[...] }

    /// The position of the first entry.
    public var startIndex: Index { Index(position: entries.startIndex) }

    /// The position after the last entry.
    public var endIndex: Index { Index(position: entries.endIndex) }

    /// The next position.
    public func index(after index: Index) -> Index { self.index(index, offsetBy: 1) }

    /// The position before.
    public func index(before index: Index) -> Index { self.index(index, offsetBy: -1) }

    /// The position at a distance.
    public func index(_ index: Index, offsetBy distance: Int) -> Index {
      Index(position: index.position + distance)
    }

    /// The distance between two positions.
    public func distance(from start: Index, to end: Index) -> Int { end.position - start.position }

    /// The entry at a position.
    public subscript(index: Index) -> Entry {
      get { entries[index.position] }
      set { entries[index.position] = newValue }
    }

    /// A part of the conversation.
    public subscript(bounds: Range<Index>) -> HistoryView {
      get { HistoryView(entries: entries[bounds.lowerBound.position..<bounds.upperBound.position]) }
      set { entries[bounds.lowerBound.position..<bounds.upperBound.position] = newValue.entries }
    }

    /// Replaces some of the entries.
    public mutating func replaceSubrange<C>(_ subrange: Range<Index>, with newElements: consuming C)
    where C: Collection, C.Element == Entry {
      entries.replaceSubrange(
        subrange.lowerBound.position..<subrange.upperBound.position, with: newElements)
    }
  }
}
