import Foundation

extension SpokenTones {
  /// Root mean square of the voice, of 32 768.
  private static let voiceLevel = 3500.0
  /// Amplitude of each of the two tones that name a word, of 32 768: too faint beside the voice to hide its pitch.
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
