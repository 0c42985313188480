import Foundation
import TestSupport
import Testing

@testable import LonghandRecording

/// Several sources with clocks of their own become one recording.
@Suite struct ChannelMixerTests {
  /// A source that says a click every five seconds of true time, in buffers of a tenth of a second.
  private struct Source {
    /// Its frames in a true second are `rate * (1 + drift)`.
    var rate = 1000
    var drift = 0.0
    /// When it delivers nothing, in seconds.
    var absent: Range<Double> = -1 ..< -1
    /// How late a buffer can be, in seconds.
    var lateness = 0.0
    private var sent: Int64 = 0

    init(rate: Int = 1000, drift: Double = 0, absent: Range<Double> = -1 ..< -1, lateness: Double = 0) {
      (self.rate, self.drift, self.absent, self.lateness) = (rate, drift, absent, lateness)
    }

    /// The buffer that is complete at a true time.
    mutating func buffer(at time: Double) -> (samples: [Float], at: Int64) {
      let actual = Double(rate) * (1 + drift)
      let end = Int64((time * actual).rounded(.down))
      defer { sent = end }
      let samples = (sent..<end).map { frame -> Float in
        let second = (Double(frame) + 0.5) / actual
        return second.truncatingRemainder(dividingBy: 5) < 0.05 ? 0.5 : 0
      }
      return (samples, sent)
    }
  }

  /// Mixes two sources for some seconds.
  /// - Returns: the samples of each channel, and the gaps.
  private func mix(
    _ sources: [Source], seconds: Double, seed: UInt64 = 1
  ) -> (channels: [[Float]], gaps: [(channel: Int, range: Range<Int>)]) {
    var random = SeededGenerator(seed: seed)
    var sources = sources
    let rates = sources.map(\.rate)
    let target = rates.max() ?? 0
    var mixer = ChannelMixer(rates: rates, targetRate: target, now: 100)
    var channels = [[Float]](repeating: [], count: sources.count)
    var gaps: [(channel: Int, range: Range<Int>)] = []
    for step in 1...Int(seconds * 10) {
      let time = Double(step) / 10
      for index in sources.indices {
        let buffer = sources[index].buffer(at: time)
        guard !sources[index].absent.contains(time) else { continue }
        let now = 100 + time + Double.random(in: 0...max(1e-9, sources[index].lateness), using: &random)
        mixer.receive(buffer.samples, at: buffer.at, of: index, now: now)
      }
      for audio in mixer.take(now: 100 + time + 0.05) {
        switch audio {
        case .samples(let data, _):
          let samples = RecordingFormat.samples(in: data)
          for (index, sample) in samples.enumerated() {
            channels[index % sources.count].append(Float(sample) / 32_768)
          }
        case .channelGap(let channel, let offset, let frames):
          let start = channels[channel].count + Int(offset)
          gaps.append((channel, start..<start + Int(frames)))
        default: break
        }
      }
    }
    return (channels, gaps)
  }

  /// Where the clicks of a channel begin, in samples.
  private func clicks(_ samples: [Float]) -> [Int] {
    samples.indices.dropFirst().filter { samples[$0] >= 0.25 && samples[$0 - 1] < 0.25 }
  }

  private func largestDifference(_ first: [Int], _ second: [Int]) -> Int? {
    zip(first, second).map { abs($0 - $1) }.max()
  }

  /// One source runs 200 ppm fast. Without compensation it would be 0.12 s ahead after 10 minutes, 0.72 s after an hour.
  @Test func channelsStayAlignedAlthoughAClockRunsFast() throws {
    let seconds = isSoak ? 3600.0 : 600
    let (channels, gaps) = mix(
      [Source(lateness: 0.03), Source(drift: 200e-6, lateness: 0.03)], seconds: seconds)
    let found = channels.map(clicks)
    #expect(found[0].count >= Int(seconds / 5) - 2)
    #expect(found[0].count == found[1].count)
    #expect(try #require(largestDifference(found[0], found[1])) <= 20)
    #expect(gaps.isEmpty)
    #expect(Double(channels[0].count) / 1000 > seconds - 0.5)
  }

  @Test func bothClocksMayRunWrong() throws {
    let (channels, _) = mix(
      [Source(drift: -150e-6, lateness: 0.02), Source(rate: 1600, drift: 150e-6, lateness: 0.02)],
      seconds: 400)
    let found = channels.map(clicks)
    #expect(found[0].count == found[1].count)
    #expect(try #require(largestDifference(found[0], found[1])) <= 32)
  }

  /// A source that vanishes leaves a gap in its channel and none in the other, and is aligned when it is back.
  @Test func sourceThatVanishesIsAGapOfItsChannelOnly() throws {
    let (channels, gaps) = mix([Source(), Source(drift: 200e-6, absent: 62..<91)], seconds: 150)
    let found = channels.map(clicks)
    // The recording begins in a click, which has no start then.
    #expect(found[0].count == 29)
    #expect(Set(gaps.map(\.channel)) == [1])
    let missing = gaps.reduce(0) { $0 + $1.range.count }
    #expect((28_000...30_500).contains(missing))
    #expect(zip(gaps, gaps.dropFirst()).allSatisfy { $0.range.upperBound == $1.range.lowerBound })
    // The clicks at 65 to 90 s are in the first channel only.
    let heard = found[0].filter { first in found[1].contains { abs($0 - first) <= 20 } }
    #expect(heard.count == found[1].count)
    #expect(found[1].count == 23)
    for channel in channels { #expect(channel.count == channels[0].count) }
  }

  /// A source is named as lost, and as recovered, only if it was missing for a second: shorter gaps are no news.
  @Test(arguments: [(0.9, 0), (2.5, 1)]) func shortGapIsNoNews(_ missing: Double, _ expected: Int) {
    var mixer = ChannelMixer(rates: [1000, 1000], targetRate: 1000, now: 0)
    var (frames, lost, recovered) = (0, 0, 0)
    for tenth in 0..<80 {
      let now = Double(tenth + 1) / 10
      for channel in 0..<2 where channel == 0 || !(2..<2 + missing).contains(now) {
        mixer.receive(Array(repeating: 0.5, count: 100), at: Int64(tenth * 100), of: channel, now: now)
      }
      for audio in mixer.take(now: now) {
        switch audio {
        case .channelGap(1, _, let count): frames += Int(count)
        case .channelLost(1): lost += 1
        case .channelRecovered(1): recovered += 1
        default: break
        }
      }
    }
    #expect(frames > 300)
    #expect(lost == expected)
    #expect(recovered == expected)
  }

  /// Audio that comes late, but comes, is not lost, and waits for no longer than half a second.
  @Test func lateAudioIsNotLost() {
    var mixer = ChannelMixer(rates: [1000, 1000], targetRate: 1000, now: 0)
    var count = 0
    func take(_ now: Double) {
      for case .samples(let data, _) in mixer.take(now: now) { count += data.count / 4 }
    }
    for step in 1...10 {
      let now = Double(step) / 10
      mixer.receive(Array(repeating: 0.5, count: 100), at: nil, of: 0, now: now)
      mixer.receive(Array(repeating: 0.5, count: 100), at: nil, of: 1, now: now)
      take(now)
    }
    #expect(count > 900)
    for step in 11...14 {
      mixer.receive(Array(repeating: 0.5, count: 100), at: nil, of: 0, now: Double(step) / 10)
      take(Double(step) / 10)
    }
    #expect(count <= 1000)
    mixer.receive(Array(repeating: 0.5, count: 400), at: nil, of: 1, now: 1.45)
    take(1.45)
    #expect(count > 1300)
  }

  /// A busy machine: the process does not run, and then gets all that waits at once, one source after the other; or the
  /// sound server does not. Nothing was dropped, so nothing is missing, and all is in its place.
  @Test(arguments: [0.3, 0.7, 1.5, 6]) func standstillLosesNothing(_ longest: Double) throws {
    for seed in 1...(isSoak ? 50 : 3) as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      var sources = [Source(drift: 100e-6), Source(drift: -100e-6)]
      var mixer = ChannelMixer(rates: [1000, 1000], targetRate: 1000, now: 100)
      var channels = [[Float]](repeating: [], count: 2)
      var missing: Int64 = 0
      var events = 0
      func take(_ now: Double) {
        for audio in mixer.take(now: now) {
          switch audio {
          case .samples(let data, _):
            for (index, sample) in RecordingFormat.samples(in: data).enumerated() {
              channels[index % 2].append(Float(sample) / 32_768)
            }
          case .channelGap(_, _, let frames): missing += frames
          default: events += 1
          }
        }
      }
      var time = 0.0
      var (waiting, standstill) = ([[(samples: [Float], at: Int64)]](repeating: [], count: 2), 0.0)
      while time < 120 {
        time += 0.1
        for index in 0..<2 { waiting[index].append(sources[index].buffer(at: time)) }
        standstill -= 0.1
        guard standstill <= 0 else { continue }
        if time > 2, Int.random(in: 0..<12, using: &random) == 0 {
          standstill = .random(in: 0.2...longest, using: &random)
        }
        // The timer may come first, and each source some time after the other.
        var now = 100 + time
        take(now)
        for index in [0, 1].shuffled(using: &random) {
          for buffer in waiting[index] {
            now += 0.0005
            mixer.receive(buffer.samples, at: buffer.at, of: index, now: now)
            take(now)
          }
          waiting[index] = []
        }
      }
      #expect(missing == 0, "seed \(seed)")
      #expect(events == 0, "seed \(seed)")
      #expect(Double(channels[0].count) / 1000 > time - 1 - longest)
      let found = channels.map(clicks)
      #expect(found[0].count >= 21)
      #expect(found[0].count == found[1].count)
      #expect(try #require(largestDifference(found[0], found[1])) <= 20)
      for (first, second) in zip(found[0], found[0].dropFirst()) { #expect(abs(second - first - 5000) <= 20) }
    }
  }

  /// A source that was given up continues in its place: it had only been late, or some of it is missing, which its clock
  /// counts. What comes after it is there, even if each buffer comes late, as on a busy machine.
  @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
  func sourceThatWasLateForLongContinuesInItsPlace(isMissing: Bool, isLate: Bool) {
    var mixer = ChannelMixer(rates: [1000, 1000], targetRate: 1000, now: 0)
    var second: [Float] = []
    func take(_ now: Double) {
      for case .samples(let data, _) in mixer.take(now: now) {
        for (index, sample) in RecordingFormat.samples(in: data).enumerated() where index % 2 == 1 {
          second.append(Float(sample) / 32_768)
        }
      }
    }
    // The samples of the second source count tenths of seconds.
    func receive(_ tenth: Int, of channel: Int, now: Double) {
      let value = Float(tenth) / 128
      mixer.receive(Array(repeating: value, count: 100), at: Int64(tenth * 100), of: channel, now: now)
    }
    for tenth in 0..<60 {
      let now = Double(tenth + 1) / 10
      receive(tenth, of: 0, now: now)
      if !(20..<35).contains(tenth) {
        // The buffer of the tenth before has come meanwhile.
        let comesLate = isLate && tenth > 35
        if tenth == 35, !isMissing { for late in 20..<35 { receive(late, of: 1, now: now) } }
        if comesLate { receive(tenth - 1, of: 1, now: now) }
        if !isLate || tenth < 35 { receive(tenth, of: 1, now: now) }
      }
      take(now)
    }
    #expect(second.count > 5500)
    let wrong = second.indices.filter { index in
      let value = Float(index / 100) / 128
      return index % 100 > 5 && index % 100 < 95 && second[index] != 0 && abs(second[index] - value) > 1e-3
    }
    #expect(wrong.isEmpty, "the first is \(wrong.first ?? 0)")
    // The second source was not waited for so long, and is missing only until it is back.
    #expect(second.count { $0 == 0 } < (isMissing ? 1750 : 1600))
    #expect(second.suffix(500).allSatisfy { $0 != 0 })
  }

  /// While the process does not run, nobody waits for a source: its audio is there, and is still to be read.
  @Test func timeOfAStandstillIsNotCountedAsWaiting() {
    var mixer = ChannelMixer(rates: [1000, 1000], targetRate: 1000, now: 0)
    var (count, missing) = (0, 0)
    func take(_ now: Double) {
      for audio in mixer.take(now: now) {
        if case .samples(let data, _) = audio { count += data.count / 4 }
        if case .channelGap(_, _, let frames) = audio { missing += Int(frames) }
      }
    }
    func receive(_ channel: Int, _ tenths: Range<Int>, now: Double) {
      for tenth in tenths {
        mixer.receive(Array(repeating: 0.5, count: 100), at: Int64(tenth * 100), of: channel, now: now)
        take(now)
      }
    }
    for tenth in 0..<13 {
      receive(0, tenth..<tenth + 1, now: Double(tenth + 1) / 10)
      // The second source is late already.
      if tenth < 10 { receive(1, tenth..<tenth + 1, now: Double(tenth + 1) / 10) }
    }
    take(3.3)
    receive(0, 13..<33, now: 3.3)
    receive(1, 10..<33, now: 3.3)
    #expect(missing == 0)
    #expect(count > 3200)
  }

  /// Without a clock, arrivals show that audio is missing.
  @Test func sourceWithoutClockFindsItsPlaceAgain() {
    var mixer = ChannelMixer(rates: [1000, 1000], targetRate: 1000, now: 0)
    var (count, gaps) = (0, 0)
    for tenth in 1...100 {
      let now = Double(tenth) / 10
      for channel in 0..<2 where channel == 0 || !(30..<50).contains(tenth) {
        mixer.receive(Array(repeating: 0.5, count: 100), at: nil, of: channel, now: now)
      }
      for audio in mixer.take(now: now) {
        switch audio {
        case .samples(let data, _): count += data.count / 4
        case .channelGap(let channel, _, let frames):
          #expect(channel == 1)
          gaps += Int(frames)
        default: break
        }
      }
    }
    #expect(count > 9500)
    #expect((1900...2200).contains(gaps), "\(gaps) frames")
  }
}
