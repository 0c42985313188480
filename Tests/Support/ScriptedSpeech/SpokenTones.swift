import Foundation

/// An artificial language for tests. Each of its 24 words is a voice-like sound with two tones that identify the word, so
/// that a program can generate speech and recognize it without mistakes.
///
/// ```swift
/// let samples = SpokenTones.sound(of: [3, 1, 4])
/// SpokenTones.text(of: SpokenTones.words(in: samples).map(\.number))   // "delta bravo echo"
/// ```
///
/// Speech detectors accept it as speech: the voice has a gliding pitch and a moving formant. Words are 250 to 300 ms long,
/// with 60 to 100 ms between them, which is shorter than a pause between utterances. Noise, a lower volume and other
/// sample rates from 8 kHz do not change the recognized words.
public enum SpokenTones {
  /// A recognized word.
  public struct Word: Sendable, Hashable, Codable {
    /// The index of the word in `vocabulary`.
    public var number: Int
    /// The start, in seconds from the first sample.
    public var start: TimeInterval
    /// The end, in seconds from the first sample.
    public var end: TimeInterval

    /// Creates a word; the times are seconds from the first sample.
    public init(number: Int, start: TimeInterval, end: TimeInterval) {
      self.number = number
      self.start = start
      self.end = end
    }
  }

  /// Frames per second (Hz) of all samples here, which are 16-bit mono.
  public static let sampleRate = 16_000

  /// The names of the words, by their number.
  public static let vocabulary = [
    "alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet", "kilo",
    "lima", "mike", "november", "oscar", "papa", "quebec", "romeo", "sierra", "tango", "uniform", "victor",
    "whiskey", "yankee",
  ]

  /// The names of words, separated by spaces. Unknown numbers are left out.
  public static func text(of words: [Int]) -> String {
    words.filter(vocabulary.indices.contains).map { vocabulary[$0] }.joined(separator: " ")
  }

  /// The numbers of the words in a text. Case and punctuation are ignored; other words are left out.
  public static func words(ofText text: String) -> [Int] {
    text.lowercased().split { !$0.isLetter }.compactMap { vocabulary.firstIndex(of: String($0)) }
  }

  /// Recognizes the words in samples, in order.
  ///
  /// A cut word is recognized if at least half of it is there, and never as another word.
  public static func words(in samples: [Int16]) -> [Word] {
    var reader = ToneReader()
    reader.take(samples)
    return reader.words
  }

  // MARK: The parts of a word

  /// The frequencies of the first tone, in Hz: far enough apart to be distinguished within 16 ms.
  static let lowTones = [1100.0, 1350, 1600, 1850, 2100]
  /// The frequencies of the second tone, in Hz.
  static let highTones = [2400.0, 2700, 3000, 3300, 3600]
  /// The length of the fade in and the fade out, in samples.
  static let edge = 400

  /// The length of a word, in samples.
  static func length(of word: Int) -> Int { 4000 + 160 * (word % 6) }

  /// The gap between two words, in samples.
  static func gap(after word: Int, before next: Int) -> Int { 960 + 128 * ((3 * word + next) % 6) }
}

extension SpokenTones {
  /// The root mean square of the voice, at a full scale of 32,768.
  private static let voiceLevel = 3500.0
  /// The amplitude of each of the two tones, at a full scale of 32,768: low enough that the pitch of the voice can be
  /// measured.
  private static let toneLevel = 1200.0
  /// The highest frequency of the voice, in Hz: below the tones.
  private static let highestHarmonic = 900.0

  /// The samples of each word, by its number.
  private static let sounds = vocabulary.indices.map(sound(of:))

  /// The samples of an utterance: the words with short gaps between them, and no silence before or after.
  /// - Parameter words: the numbers of the words; unknown numbers are left out.
  public static func sound(of words: [Int]) -> [Int16] {
    var samples: [Int16] = []
    var last: Int?
    for word in words where vocabulary.indices.contains(word) {
      if let last { samples += [Int16](repeating: 0, count: gap(after: last, before: word)) }
      samples += sounds[word]
      last = word
    }
    return samples
  }

  /// The times of the words in `sound(of:)`.
  public static func times(of words: [Int]) -> [Word] {
    var result: [Word] = []
    var position = 0
    for word in words where vocabulary.indices.contains(word) {
      if let last = result.last { position += gap(after: last.number, before: word) }
      let end = position + length(of: word)
      let rate = Double(sampleRate)
      result.append(Word(number: word, start: Double(position) / rate, end: Double(end) / rate))
      position = end
    }
    return result
  }

  private static func sound(of word: Int) -> [Int16] {
    let count = length(of: word)
    let voice = voice(of: word, count: count)
    let loudness = (voice.reduce(0) { $0 + $1 * $1 } / Double(count)).squareRoot()
    let tones = [lowTones[word / highTones.count], highTones[word % highTones.count]]
    return (0..<count).map { index in
      let named = tones.reduce(0) { sum, tone in
        sum + toneLevel * sin(2 * .pi * tone * Double(index) / Double(sampleRate))
      }
      let distance = Double(min(index, count - 1 - index)) / Double(edge)
      let envelope = distance < 1 ? 0.5 - 0.5 * cos(.pi * distance) : 1
      return Int16(envelope * (voiceLevel / loudness * voice[index] + named))
    }
  }

  /// Harmonics of a pitch that glides by four semitones, under a formant that moves the other way.
  private static func voice(of word: Int, count: Int) -> [Double] {
    let middle = 95 + 2.5 * Double(word)
    let direction = word.isMultiple(of: 2) ? 1.0 : -1.0
    var phase = 0.0
    return (0..<count).map { index in
      let progress = Double(index) / Double(count) - 0.5
      let pitch = middle * exp2(direction * 4 / 12 * progress)
      phase += 2 * .pi * pitch / Double(sampleRate)
      let formant = 560 - direction * 600 * progress
      var sum = 0.0
      for harmonic in 1...Int(highestHarmonic / pitch) {
        let offset = (Double(harmonic) * pitch - formant) / 120
        sum += (0.01 + exp(-offset * offset)) * sin(Double(harmonic) * phase)
      }
      return sum
    }
  }
}
