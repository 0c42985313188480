import Foundation
import SpeakerDiarization

/// The number of voices in a recording. The raw value is `auto` or the number.
public enum VoiceCount: RawRepresentable, Sendable, Hashable, Codable {
  /// As many as there seem to be.
  case automatic
  /// This number, if so many voices differ.
  case exactly(Int)

  /// The numbers that can be asked for.
  public static let numbers = 1...VoiceDiarizer.maxVoices

  /// Reads `auto` or a number; nil if it is neither, or not one of `numbers`.
  public init?(rawValue: String) {
    if rawValue == "auto" {
      self = .automatic
    } else if let number = Int(rawValue), Self.numbers.contains(number) {
      self = .exactly(number)
    } else {
      return nil
    }
  }

  /// `auto` or the number.
  public var rawValue: String {
    switch self {
    case .automatic: "auto"
    case .exactly(let number): String(number)
    }
  }

  /// The number; nil if it is to be found.
  package var number: Int? {
    switch self {
    case .automatic: nil
    case .exactly(let number): number
    }
  }
}
