import Foundation

/// An audio track of a file: a video can have one for each language, and a screen recorder writes one for each source.
public struct TranscriptTrack: Sendable, Hashable, Codable {
  /// The number in the file, from 1.
  public var number: Int
  /// The title in the container; nil if there is none.
  public var title: String?
  /// The language in the container, such as `eng`; nil if it is not stated.
  public var language: String?
  /// The codec, such as `aac`.
  public var codec: String
  /// The number of channels; 0 if the container does not state it.
  public var channels: Int
  /// Frames per second (Hz); 0 if the container does not state it.
  public var sampleRate: Int
  /// Whether its audio is in the transcript.
  public var isIncluded: Bool

  package init(
    number: Int, title: String? = nil, language: String? = nil, codec: String, channels: Int, sampleRate: Int,
    isIncluded: Bool = true
  ) {
    self.number = number
    self.title = title
    self.language = language
    self.codec = codec
    self.channels = channels
    self.sampleRate = sampleRate
    self.isIncluded = isIncluded
  }

  private enum CodingKeys: String, CodingKey {
    case number, title, language, codec, channels, sampleRate
    case isIncluded = "included"
  }

  /// The title or the language, or else the number.
  public var name: String {
    title ?? language.map(Locale.englishName)
      ?? "Track \(number)"
  }

  /// The track in a sentence: its number, and its name if it has one.
  package var label: String {
    title == nil && language == nil ? "track \(number)" : "track \(number) (\(name))"
  }
}

extension [TranscriptTrack] {
  /// The names of the tracks that are included; where two are the same, they have their numbers.
  package var names: [String] {
    let included = filter(\.isIncluded)
    return included.map { track in
      included.count { $0.name == track.name } > 1 ? "\(track.name) \(track.number)" : track.name
    }
  }
}
