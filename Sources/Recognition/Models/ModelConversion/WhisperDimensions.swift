/// The sizes of a Whisper model, which decide its languages and the name and shape of every tensor.
package struct WhisperDimensions: Sendable, Hashable {
  /// The number of frames of audio in a window of 30 seconds.
  package static let audioContext = 1500
  /// The largest number of tokens of a window.
  package static let textContext = 448
  /// The number of frequencies of a spectrum.
  package static let frequencies = 201
  /// The number of tokens that are text; the others are times, languages and tasks.
  package static let textTokens = 50_257

  /// The number of tokens: 51,864 for English only, 51,865 for 99 languages, 51,866 for 100.
  package var tokens: Int
  /// The length of a state vector.
  package var state: Int
  package var audioHeads: Int
  package var audioLayers: Int
  package var textHeads: Int
  package var textLayers: Int
  /// The number of bands of the spectrogram: 80 or 128.
  package var bands: Int

  /// What is wrong with the sizes; nil if a model can have them.
  package var problem: String? {
    guard (51_864...51_866).contains(tokens) else { return "it has \(tokens) tokens" }
    guard (8...4096).contains(state), state % 8 == 0 else {
      return "its state vectors have the length \(state)"
    }
    for heads in [audioHeads, textHeads] where !(1...64).contains(heads) || state % heads != 0 {
      return "it has \(heads) attention heads"
    }
    for layers in [audioLayers, textLayers] where !(1...64).contains(layers) {
      return "it has \(layers) layers"
    }
    return bands == 80 || bands == 128 ? nil : "its spectrogram has \(bands) bands"
  }

  /// Whether the model knows English only.
  package var isEnglishOnly: Bool { tokens == 51_864 }

  /// The languages (BCP 47).
  package var languages: [String] {
    if isEnglishOnly { return ["en"] }
    return WhisperLanguages.all + (tokens > 51_865 ? [WhisperLanguages.added] : [])
  }

  /// The name of a size that OpenAI published, such as `base`; the bare sizes for others.
  package var sizeName: String {
    let known = [
      [384, 4, 4]: "tiny", [512, 6, 6]: "base", [768, 12, 12]: "small", [1024, 24, 24]: "medium",
      [1280, 32, 32]: tokens > 51_865 ? "large-v3" : "large", [1280, 32, 4]: "large-v3-turbo",
    ]
    return known[[state, audioLayers, textLayers]] ?? "\(state)-\(audioLayers)-\(textLayers)"
  }
}
