import Testing

@testable import LonghandServer

@Suite struct ArrivingFilesTests {
  private var arriving = ArrivingFiles()

  private func stamp(_ size: Int64, _ modified: Double = 1, number: UInt64 = 1) -> ArrivingFiles.Stamp {
    ArrivingFiles.Stamp(size: size, modified: modified, number: number)
  }

  @Test mutating func fileIsCompleteWhenItNoLongerGrows() {
    #expect(arriving.look(["a": stamp(10)], now: 0) == [])
    #expect(arriving.look(["a": stamp(20)], now: 2) == [], "it grows")
    #expect(arriving.look(["a": stamp(20)], now: 4.9) == [])
    #expect(arriving.look(["a": stamp(20), "b": stamp(5)], now: 5) == ["a"])
    #expect(arriving.look(["a": stamp(20), "b": stamp(5)], now: 8) == ["a", "b"])
    #expect(arriving.look(["a": stamp(20, 2), "b": stamp(5, number: 2)], now: 9) == [], "both changed")
    #expect(arriving.look(["a": stamp(20, 2)], now: 12) == ["a"])
  }

  @Test mutating func emptyAndRemovedFilesAreNotTaken() {
    _ = arriving.look(["a": stamp(0), "b": stamp(1)], now: 0)
    #expect(arriving.look(["a": stamp(0)], now: 10) == [])
    #expect(arriving.look(["a": stamp(0), "b": stamp(1)], now: 11) == [], "it is there again")
  }

  /// Such as one that states more audio than it has, or that grew again after it was taken.
  @Test mutating func doubtedFileWaitsOnceForLonger() {
    _ = arriving.look(["a": stamp(1)], now: 0)
    #expect(arriving.look(["a": stamp(1)], now: 3) == ["a"])
    let doubts = [arriving.doubt("a", now: 3), arriving.doubt("b", now: 3)]
    #expect(doubts == [true, false], "one of them is not there")
    #expect(arriving.look(["a": stamp(1)], now: 22.9) == [])
    #expect(arriving.look(["a": stamp(1)], now: 23) == ["a"])
    let again = arriving.doubt("a", now: 23)
    #expect(!again, "the rest does not come any more")
    #expect(arriving.look(["a": stamp(2)], now: 24) == [])
    #expect(arriving.look(["a": stamp(2)], now: 27) == ["a"], "the rest has come")
    let changed = arriving.doubt("a", now: 27)
    #expect(changed)
  }

  @Test mutating func delayedFileWaits() {
    _ = arriving.look(["a": stamp(1)], now: 0)
    #expect(arriving.look(["a": stamp(1)], now: 3) == ["a"])
    arriving.delay("a", until: 63)
    #expect(arriving.look(["a": stamp(1)], now: 62) == [])
    #expect(arriving.look(["a": stamp(1)], now: 63) == ["a"])
  }
}
