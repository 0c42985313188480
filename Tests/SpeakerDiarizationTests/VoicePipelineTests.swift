import Foundation
import TestSupport
import Testing

@testable import SpeakerDiarization

/// The steps from networks' outputs to turns, with networks that hear tones instead of voices.
@Suite struct VoicePipelineTests {
  /// Hears each tone in a part of a window if it is loud. The speakers of a window are in the order in which they begin there.
  private struct Tones: VoiceNetworks {
    /// Each voice has two tones in turn, which fit into a part a whole number of times.
    static let tones: [[Double]] = [[500, 750], [2000, 2500], [4000, 5000]]
    static let part = 64
    static let waves = tones.map { tones in
      tones.map { tone in
        (0..<part).map { index in
          let angle = 2 * Double.pi * tone * Double(index) / 16_000
          return (Float(cos(angle)), Float(sin(angle)))
        }
      }
    }
    let layout = VoiceLayout(window: 160_000, field: 991, shift: 270, speakers: 3)

    func activity(in window: [Float]) -> [UInt16] {
      var order: [Int] = []
      return (0..<589).map { frame in
        let start = 270 * frame + 495 - Self.part / 2
        return Self.waves.indices.reduce(0) { active, voice in
          let isLoud = Self.waves[voice].contains { wave in
            var (real, imaginary): (Float, Float) = (0, 0)
            for index in 0..<Self.part {
              real += window[start + index] * wave[index].0
              imaginary += window[start + index] * wave[index].1
            }
            return (real * real + imaginary * imaginary).squareRoot() / Float(Self.part) > 0.02
          }
          guard isLoud else { return active }
          if !order.contains(voice) { order.append(voice) }
          return active | 1 << UInt16(order.firstIndex(of: voice) ?? 0)
        }
      }
    }

    /// The bands that change most.
    func description(of bands: [Float]) -> [Float] {
      (0..<VoiceBands.count).map { band in
        let values = stride(from: band, to: bands.count, by: VoiceBands.count).map { bands[$0] * bands[$0] }
        return max(0, values.reduce(0, +) / Float(values.count) - 20)
      }
    }
  }

  private static func sound(_ turns: [(ClosedRange<Double>, Int)], seconds: Double) -> [Int16] {
    (0..<Int(seconds * 16_000)).map { index in
      let time = Double(index) / 16_000
      let level = turns.filter { $0.0.contains(time) }.reduce(0) { sum, turn in
        sum + sin(2 * .pi * Tones.tones[turn.1][Int(time * 8) % 2] * time)
      }
      return Int16(3000 * level + Double(index * 7919 % 41) - 20)
    }
  }

  private static func found(_ sound: [Int16], voices: Int? = nil, part: Int = 50_000) throws -> NeuralVoices {
    var pipeline = VoicePipeline(Tones())
    for start in stride(from: 0, to: sound.count, by: part) {
      try pipeline.add(Array(sound[start..<min(start + part, sound.count)]))
    }
    return try pipeline.finish(voices: voices)
  }

  private static let talk = (0..<24).map { (Double($0)...Double($0) + 0.9, [0, 1, 0, 2, 1, 2][$0 % 6]) }
  private static let said = sound(talk, seconds: 24)

  /// The seconds that two sets of turns disagree in, with the best assignment of three voices.
  private static func wrong(_ turns: [NeuralVoices.Turn], _ talk: [(ClosedRange<Double>, Int)]) -> Double {
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].map { names in
      stride(from: 0.005, to: 24, by: 0.01).reduce(0) { sum, time in
        let own = Set(
          turns.filter { $0.start <= time && time < $0.end && $0.voice < 3 }.map { names[$0.voice] })
        return sum + 0.01
          * Double(own.symmetricDifference(talk.filter { $0.0.contains(time) }.map(\.1)).count)
      }
    }.min() ?? 0
  }

  @Test func turnsOfASecondAreSeparated() throws {
    let found = try Self.found(Self.said)
    #expect(Set(found.turns.map(\.voice)) == [0, 1, 2])
    #expect(Self.wrong(found.turns, Self.talk) < 2)
    #expect(found.prints.map(\.voice) == [0, 1, 2])
    #expect(found.prints.allSatisfy { abs($0.seconds - 8) < 1.5 })
    #expect(found.turns.allSatisfy { $0.end <= 24 })
  }

  @Test func voicesThatSpeakAtOnceBothHaveTurns() throws {
    let talk = Self.talk + [(10.2...12.4, 0), (20...21.9, 1)]
    let found = try Self.found(Self.sound(talk, seconds: 24))
    #expect(Self.wrong(found.turns, talk) < 2.5)
    let both = found.turns.filter { $0.start < 11 && $0.end > 10.5 }
    #expect(both.count == 2)
  }

  @Test(arguments: [1, 2]) func numberOfVoicesCanBeGiven(number: Int) throws {
    let found = try Self.found(Self.said, voices: number)
    #expect(Set(found.turns.map(\.voice)).count == number)
  }

  /// What would be found for another number comes along, so that it can be corrected later.
  @Test(arguments: [nil, 2, 3]) func otherNumbersAreKnownToo(number: Int?) throws {
    let found = try Self.found(Self.said, voices: number)
    let others = try #require(found.others)
    let numbers = others.map { turns in Set(turns.map(\.voice)).count }
    #expect(numbers.contains(1) && !numbers.contains(number ?? 3) && numbers == numbers.sorted())
    for (other, turns) in zip(numbers, others) where other <= 3 {
      #expect(try turns == Self.found(Self.said, voices: other).turns)
    }
  }

  @Test func voicesSoFarAreGuessed() throws {
    var pipeline = VoicePipeline(Tones())
    try pipeline.add(Self.said)
    let guess = try pipeline.found(voices: nil)
    #expect(Set(guess.turns.map(\.voice)) == [0, 1, 2])
    #expect(Self.wrong(guess.turns, Self.talk) < 2.5)
    #expect(guess.turns.allSatisfy { $0.end <= 24 })
    // It goes on from there.
    try pipeline.add(Self.sound([(1...5, 0)], seconds: 6))
    let found = try pipeline.found(voices: nil)
    #expect(Self.wrong(found.turns.filter { $0.end < 24 }, Self.talk) < 2.5)
    let last = try #require(found.turns.last)
    #expect(last.voice == guess.turns[0].voice && abs(last.start - 25) < 0.3 && abs(last.end - 29) < 0.3)
    #expect(try pipeline.finish(voices: 2).turns.contains { $0.end > 28.7 })
  }

  /// What is heard does not depend on how the recording comes, also if windows are heard before its end.
  @Test func partsDoNotMatter() throws {
    let short = Self.said
    #expect(try Self.found(short, part: 777) == Self.found(short, part: short.count))
    let long = (0..<14).flatMap { _ in short }
    let found = try Self.found(long, part: 100_001)
    if isSoak { #expect(try found == Self.found(long, part: long.count)) }
    // The sound before it is gone by then.
    let last = found.turns.filter { $0.end > 312 }.map { turn in
      NeuralVoices.Turn(
        start: turn.start - 312, end: turn.end - 312, voice: turn.voice, confidence: turn.confidence)
    }
    #expect(Self.wrong(last, Self.talk) < 2)
  }

  /// Descriptions at an angle from that of angle 0, in degrees.
  private static func window(_ angle: Double, frames: Int, of speaker: Int = 0) -> HeardWindow {
    let values = [Float(cos(angle * .pi / 180)), Float(sin(angle * .pi / 180))]
    let description = HeardWindow.Description(values: values, frames: frames)
    return HeardWindow(
      first: 0, activity: [1], speakers: [description],
      runs: [.init(speaker: speaker, range: 0..<1, description: description)])
  }

  @Test func clusterWithLittleSpeechIsNoVoiceUnlessItIsUnlikeTheOthers() {
    let voices = (0..<10).flatMap { _ in [Self.window(0, frames: 200), Self.window(140, frames: 200)] }
    func count(_ angle: Double, _ frames: Int) -> Int {
      VoiceCentres(.init(voices + [Self.window(angle, frames: frames)]), number: nil).values.count
    }
    // Between the others, as mixtures are: of 40 s, 2 s are more than a 22nd.
    #expect([150, 200].map { count(70, $0) } == [2, 3])
    // Far from the others, more than a 40th is enough.
    #expect([101, 110].map { count(250, $0) } == [2, 3])
    // 20 s are enough however long the others speak.
    let long = (0..<30).flatMap { _ in voices } + (0..<12).map { _ in Self.window(70, frames: 180) }
    #expect(VoiceCentres(.init(long), number: nil).values.count == 3)
    #expect(VoiceCentres(.init(Array(long.dropLast())), number: nil).values.count == 2)
  }

  @Test func numberRemovesTheSmallestClusterOrSplitsTheWidest() {
    func angles(_ windows: [HeardWindow], _ number: Int) -> [Double] {
      VoiceCentres(.init(windows), number: number).values
        .map { atan2(Double($0[1]), Double($0[0])) * 180 / .pi }.sorted()
    }
    let voices = (0..<10).flatMap { _ in [Self.window(0, frames: 200), Self.window(80, frames: 200)] }
    // The small one is farther from the others than they are from each other.
    let two = angles(voices + [Self.window(200, frames: 150)], 2)
    #expect(two.count == 2 && abs(two[0]) < 1 && abs(two[1] - 80) < 6, "\(two)")
    func near(_ angle: Double) -> [HeardWindow] {
      (0..<10).flatMap { _ in [Self.window(0, frames: 200), Self.window(angle, frames: 200)] }
    }
    #expect(VoiceCentres(.init(near(50)), number: nil).values.count == 1)
    let split = angles(near(50), 2)
    #expect(split.count == 2 && abs(split[0]) < 1 && abs(split[1] - 50) < 1, "\(split)")
    // A number that is too high divides no voice into parts of which no word is for sure.
    #expect(angles(near(30), 2).count == 1)
    let three = angles(near(30) + (0..<10).map { _ in Self.window(140, frames: 200) }, 3)
    #expect(three.count == 2, "\(three)")
  }

  @Test func silenceAndShortSoundHaveNoTurns() throws {
    for seconds in [0, 0.01, 0.4, 12] {
      let none = NeuralVoices(turns: [], prints: [], others: [])
      #expect(try Self.found(Self.sound([], seconds: seconds)) == none)
    }
    #expect(try Self.found(Self.sound([(0...0.2, 0)], seconds: 0.2)).turns.isEmpty)
  }

  @Test(arguments: 0..<(isSoak ? 20 : 5) as Range<UInt64>) func clustersAreThoseOfASearch(seed: UInt64) {
    var random = SystemNumbers(state: seed)
    let vectors = (0..<30).map { index in
      HeardWindow.unit((0..<6).map { ($0 == index % 4 ? 1 : 0) + 0.9 * random.next() })
    }
    for (least, distance) in [(1, 0.2), (1, 0.5), (3, 2), (20, 0.2)] as [(Int, Float)] {
      let found = VoiceLinkage(vectors).clusters(within: distance, least: least)
      #expect(found == Self.searched(vectors, within: distance, least: least))
    }
  }

  /// Average linkage by joining the nearest two clusters each time.
  private static func searched(_ vectors: [[Float]], within distance: Float, least: Int) -> [Int] {
    var clusters = vectors.indices.map { [$0] }
    func apart(_ one: [Int], _ other: [Int]) -> Float {
      one.flatMap { a in other.map { b in 1 - zip(vectors[a], vectors[b]).reduce(0) { $0 + $1.0 * $1.1 } } }
        .reduce(0, +) / Float(one.count * other.count)
    }
    while clusters.count > least {
      let pairs = clusters.indices.flatMap { one in (0..<one).map { (one, $0) } }
      let nearest = pairs.min {
        apart(clusters[$0.0], clusters[$0.1]) < apart(clusters[$1.0], clusters[$1.1])
      }
      guard let (one, other) = nearest,
        apart(clusters[one], clusters[other]) <= distance
      else { break }
      clusters[other] += clusters.remove(at: one)
    }
    let ordered = clusters.sorted { ($0.min() ?? 0) < ($1.min() ?? 0) }
    return vectors.indices.map { index in ordered.firstIndex { $0.contains(index) } ?? -1 }
  }

  private struct SystemNumbers {
    var state: UInt64

    mutating func next() -> Float {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(state >> 40) / Float(1 << 24)
    }
  }

  /// The values of another program for the same sound.
  @Test func bandsAreThoseOfKaldi() {
    var bands = VoiceBands()
    let sound = (0..<1000).map { Float(sin(Double($0 * $0) / 3000) / 4) }
    let found = bands.bands(of: sound[...])
    #expect(found.count == 4 * VoiceBands.count)
    for (index, value) in Self.expected { #expect(abs(found[index] - value) < 1e-3, "\(index)") }
  }

  private static let expected: [(Int, Float)] = [
    (0, -4.85296), (10, 0.75372), (40, -15.94238), (90, -3.34276), (170, -9.97245), (250, -13.58903),
  ]

  @Test func requestsAreRead() {
    var bytes = VoiceRequest.samples([1, -2, .max]).bytes + VoiceRequest.now(voices: 2).bytes
    bytes += VoiceRequest.end(voices: 3).bytes + [9]
    guard case .samples([1, -2, .max]) = VoiceRequest(removedFrom: &bytes) else {
      Issue.record("no samples")
      return
    }
    guard case .now(2) = VoiceRequest(removedFrom: &bytes) else {
      Issue.record("no question")
      return
    }
    guard case .end(3) = VoiceRequest(removedFrom: &bytes) else {
      Issue.record("no end")
      return
    }
    #expect(VoiceRequest(removedFrom: &bytes) == nil && bytes == [9])
    for count in 0..<8 {
      var part = Array(VoiceRequest.end(voices: nil).bytes.prefix(count))
      #expect(VoiceRequest(removedFrom: &part) == nil && part.count == count)
    }
  }
}
