import Foundation

/// A language in which it is known exactly what was said: each of its 24 words is a sound like a voice, with
/// two tones above it that name the word, so that a program can write it down and read it back without a
/// mistake.
///
/// ```swift
/// let samples = SpokenTones.sound(of: [3, 1, 4])
/// SpokenTones.text(of: SpokenTones.words(in: samples).map(\.number))   // "delta bravo echo"
/// ```
///
/// What listens for speech takes it for speech: the voice has a pitch that glides and a formant that moves,
/// and words of 250 to 300 ms lie 60 to 100 ms apart, which is no pause between utterances. Noise, a lower
/// volume and other sample rates of 8 kHz and more do not change what is read.
public enum SpokenTones {
  /// A word that was heard.
  public struct Word: Sendable, Hashable, Codable {
    /// Which word, 0 up to `vocabulary.count`.
    public var number: Int
    /// Seconds from the first sample.
    public var start: TimeInterval
    /// Seconds from the first sample.
    public var end: TimeInterval

    /// Each field by its name.
    public init(number: Int, start: TimeInterval, end: TimeInterval) {
      self.number = number
      self.start = start
      self.end = end
    }
  }

  /// Frames per second of what is given and taken: 16-bit samples of one channel.
  public static let sampleRate = 16_000

  /// What the words are called, by their number: plain words, no two alike.
  public static let vocabulary = [
    "alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet", "kilo",
    "lima", "mike", "november", "oscar", "papa", "quebec", "romeo", "sierra", "tango", "uniform", "victor",
    "whiskey", "yankee",
  ]

  /// The names of words, parted by spaces. Numbers that are no word's are left out.
  public static func text(of words: [Int]) -> String {
    words.filter(vocabulary.indices.contains).map { vocabulary[$0] }.joined(separator: " ")
  }

  /// The numbers of the names in a text, whatever their case and whatever stands between them; other words
  /// are left out.
  public static func words(ofText text: String) -> [Int] {
    text.lowercased().split { !$0.isLetter }.compactMap { vocabulary.firstIndex(of: String($0)) }
  }

  /// The words that are heard in samples, in their order.
  ///
  /// A word of which a part is cut off is heard if half of it is there, and never as another word.
  public static func words(in samples: [Int16]) -> [Word] {
    var reader = ToneReader()
    reader.take(samples)
    return reader.words
  }

  // MARK: What a word is made of

  /// Hz of the tones of which each word has one: far enough apart to be told within 16 ms.
  static let lowTones = [1100.0, 1350, 1600, 1850, 2100]
  /// Hz of the other tones of which each word has one.
  static let highTones = [2400.0, 2700, 3000, 3300, 3600]
  /// Samples in which a word comes and goes.
  static let edge = 400

  /// Samples of a word.
  static func length(of word: Int) -> Int { 4000 + 160 * (word % 6) }

  /// Samples between two words.
  static func gap(after word: Int, before next: Int) -> Int { 960 + 128 * ((3 * word + next) % 6) }
}

extension SpokenTones {
  /// Root mean square of the voice, of 32 768.
  private static let voiceLevel = 3500.0
  /// Amplitude of each of the two tones that name a word, of 32 768: too faint beside the voice to hide its
  /// pitch.
  private static let toneLevel = 1200.0
  /// Hz up to which the voice goes: below the tones.
  private static let highestHarmonic = 900.0

  /// The sound of each word, by its number.
  private static let sounds = vocabulary.indices.map(sound(of:))

  /// An utterance: the words with short gaps between them, and nothing before or after.
  /// - Parameter words: their numbers; those that are no word's are left out.
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

  /// Where the words lie in `sound(of:)`.
  public static func times(of words: [Int]) -> [Word] {
    var result: [Word] = []
    var place = 0
    for word in words where vocabulary.indices.contains(word) {
      if let last = result.last { place += gap(after: last.number, before: word) }
      let end = place + length(of: word)
      let rate = Double(sampleRate)
      result.append(Word(number: word, start: Double(place) / rate, end: Double(end) / rate))
      place = end
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
