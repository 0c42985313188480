import Foundation
import Longhand
import Testing

@testable import LonghandRecording

@Suite struct JoinedTrackReaderTests {
  /// Each sample is its own number and that of the part.
  private struct Part: TrackReader {
    let number: Float
    let frames: Int
    var sampleRate = 1000
    var channels = 1
    var gaps: [(range: ClosedRange<TimeInterval>, reason: RecordingGap.Reason)] = []
    var warnings: [TranscriptWarning] = []
    let lead = 0.0
    let statedDuration: TimeInterval? = nil
    let tracks: [TranscriptTrack] = []
    let timecode: Timecode? = nil
    var duration: TimeInterval { Double(frames) / Double(sampleRate) }

    func read(at start: Int64, count: Int, rate: Int) -> [[Float]] {
      let scale = rate / sampleRate
      let end = min(start + Int64(count), Int64(frames * scale))
      let samples = (start..<max(start, end)).map { number + Float($0 / Int64(scale)) / 1000 }
      return Array(repeating: samples, count: channels)
    }

    func again() -> any TrackReader { self }
  }

  @Test func partsFollowEachOtherWithoutAGap() throws {
    let second = Part(
      number: 2, frames: 30, gaps: [(0.01...0.02, .damaged)], warnings: [.damaged(0.01...0.02)])
    let reader = try JoinedTrackReader([
      ("a.wav", Part(number: 1, frames: 25)), ("b.wav", second), ("c.wav", Part(number: 3, frames: 5)),
    ])
    #expect(reader.duration == 0.06)
    let all = try reader.read(at: 0, count: 1000, rate: 1000)[0]
    let numbers: [Float] = [(1, 25), (2, 30), (3, 5)].flatMap { part, count in
      (0..<count).map { Float(part) + Float($0) / 1000 }
    }
    #expect(all == numbers)
    for (start, count) in [(0, 10), (24, 2), (25, 1), (20, 40), (54, 3), (59, 9), (60, 9), (99, 1)] {
      let read = try reader.again().read(at: Int64(start), count: count, rate: 1000)[0]
      #expect(read == Array(all.dropFirst(start).prefix(count)), "\(start)")
    }
    #expect(reader.gaps.map(\.range.lowerBound) == [0.035])
    #expect(reader.gaps.map(\.range.upperBound) == [0.045])
    #expect(reader.warnings.map(\.start) == [0.035])
    #expect(reader.warnings.allSatisfy { $0.message.hasPrefix("b.wav: ") })
  }

  @Test func otherRateIsReadAtTheGreatestOne() throws {
    let reader = try JoinedTrackReader([
      ("a.wav", Part(number: 1, frames: 10)), ("b.wav", Part(number: 2, frames: 20, sampleRate: 2000)),
    ])
    #expect(reader.sampleRate == 2000)
    #expect(reader.duration == 0.02)
    let all = try reader.read(at: 0, count: 100, rate: 2000)[0]
    #expect(all.count == 40)
    #expect(all[19] == 1.009)
    #expect(all[20] == 2)
  }

  @Test func partsOfOtherRecordingsAreRefused() {
    #expect(throws: TranscriptionError.self) {
      try JoinedTrackReader([
        ("a.wav", Part(number: 1, frames: 10)), ("b.wav", Part(number: 2, frames: 10, channels: 2)),
      ])
    }
  }
}
