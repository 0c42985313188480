import Foundation
import ScriptedSpeech

/// Speech with known words, in faint noise.
struct SweepTalk: Sendable {
  private(set) var samples: [Int16] = []
  /// Every word, with its times in seconds from the first sample.
  private(set) var words: [SpokenTones.Word] = []

  var duration: TimeInterval { Double(samples.count) / Double(SpokenTones.sampleRate) }

  /// 20 to 60 s of utterances of 1 to 6 words, some with a long one among them.
  init(using generator: inout some RandomNumberGenerator) {
    let isLasting = Int.random(in: 0..<4, using: &generator) == 0
    let target = Double.random(in: isLasting ? 30...50 : 20...30, using: &generator)
    let noise = Int16.random(in: 2...24, using: &generator)
    var long =
      Int.random(in: 0..<4, using: &generator) == 0 ? Double.random(in: 0..<15, using: &generator) : nil
    rest(Double.random(in: 0.2...2, using: &generator))
    while duration < target {
      var count = Int.random(in: 1...6, using: &generator)
      if let place = long, duration >= place {
        // About 30 s without a pause.
        count = 85
        long = nil
      }
      say((0..<count).map { _ in Int.random(in: SpokenTones.vocabulary.indices, using: &generator) })
      let isShort = Int.random(in: 0..<3, using: &generator) > 0
      rest(Double.random(in: isShort ? 0.35...1.2 : 1.2...6, using: &generator))
    }
    addRoom(noise: noise, using: &generator)
  }

  /// So many seconds: a few utterances, then a silence three times as long, again and again.
  init(length: TimeInterval, using generator: inout some RandomNumberGenerator) {
    while duration < length {
      let start = duration
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let count = Int.random(in: 2...12, using: &generator)
        say((0..<count).map { _ in Int.random(in: SpokenTones.vocabulary.indices, using: &generator) })
        rest(Double.random(in: 0.4...1.2, using: &generator))
      }
      rest(3 * (duration - start))
    }
    samples.removeLast(max(0, samples.count - Int(length * Double(SpokenTones.sampleRate))))
    words.removeAll { $0.end > length }
    addRoom(noise: 8, using: &generator)
  }

  private mutating func addRoom(noise: Int16, using generator: inout some RandomNumberGenerator) {
    // The same noise is repeated, so that a shift by less than its length changes the samples.
    let room = (0..<8009).map { _ in Int16.random(in: -noise...noise, using: &generator) }
    samples.withUnsafeMutableBufferPointer { samples in
      for index in samples.indices { samples[index] += room[index % room.count] }
    }
  }

  private mutating func rest(_ seconds: TimeInterval) {
    samples += [Int16](repeating: 0, count: Int(seconds * Double(SpokenTones.sampleRate)))
  }

  private mutating func say(_ numbers: [Int]) {
    let start = duration
    words += SpokenTones.times(of: numbers).map {
      SpokenTones.Word(number: $0.number, start: start + $0.start, end: start + $0.end)
    }
    samples += SpokenTones.sound(of: numbers)
  }
}
