import CFFmpeg

/// An audio stream of a file, as its container describes it.
package struct AudioTrack: Sendable, Hashable, Codable {
  /// FFmpeg's name of the codec, such as `aac`.
  package var codec: String
  /// The stated sample rate in Hz; 0 if the container does not state it.
  package var rate: Int32
  /// The stated number of channels; 0 if the container does not state it.
  package var channels: Int32
  /// The title; nil if it has none.
  package var title: String?
  /// The language, such as `eng`; nil if it is not stated.
  package var language: String?

  /// No file has more tracks with audio.
  static let maxCount = 64

  /// Whether the values are possible. A file that is decoded elsewhere has only claims.
  var isPlausible: Bool {
    codec.utf8.count <= 64 && codec.utf8.allSatisfy { $0 > 32 && $0 < 127 } && rate >= 0 && channels >= 0
      && [title, language].allSatisfy { $0.map { $0 == Self.line($0) } ?? true }
  }

  /// The visible characters of a text, at most 100.
  fileprivate static func line(_ text: String) -> String? {
    let plain = text.unicodeScalars.filter { $0.properties.generalCategory.isVisible }.prefix(100)
    var line = String.UnicodeScalarView()
    line.append(contentsOf: plain)
    let trimmed = String(line).split(separator: " ").joined(separator: " ")
    return trimmed.isEmpty ? nil : trimmed
  }
}

extension Unicode.GeneralCategory {
  /// Whether characters of this category show something, or are a space.
  fileprivate var isVisible: Bool {
    switch self {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
    default: true
    }
  }
}

extension AudioTrack {
  /// What writers put where a name belongs.
  private static let emptyLanguages: Set<String> = ["und", "unk", "mis", "zxx", "mul"]

  /// Describes a stream.
  init(_ stream: UnsafeMutablePointer<AVStream>) {
    let parameters = stream.pointee.codecpar.pointee
    codec = String(cString: avcodec_get_name(parameters.codec_id))
    (rate, channels) = (max(0, parameters.sample_rate), max(0, parameters.ch_layout.nb_channels))
    func value(_ key: String) -> String? {
      av_dict_get(stream.pointee.metadata, key, nil, 0).flatMap {
        Self.line(String(cString: $0.pointee.value))
      }
    }
    // The name of a handler in MP4 is a title only if a person wrote it.
    let handler = value("handler_name").flatMap { $0.contains("Handler") || $0.contains("Media") ? nil : $0 }
    title = value("title") ?? handler
    language = value("language").flatMap { Self.emptyLanguages.contains($0.lowercased()) ? nil : $0 }
  }
}
