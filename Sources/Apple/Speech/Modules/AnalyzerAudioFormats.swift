import RecognitionCore
import AVFAudio
import Foundation

/// The audio formats that an analyzer accepts: 16-bit integers or 32-bit floating point, one or two channels, 8 to 48 kHz.
enum AnalyzerAudioFormats {
  private static let rates: [Double] = [16_000, 48_000, 44_100, 32_000, 24_000, 22_050, 12_000, 11_025, 8000]

  /// The usual formats, the best first: recognizers work with 16 kHz, mono, 16-bit.
  static var all: [AVAudioFormat] {
    rates.flatMap { rate in
      [AVAudioCommonFormat.pcmFormatInt16, .pcmFormatFloat32].flatMap { kind in
        [(1, true), (2, true), (2, false)].compactMap { channels, isInterleaved in
          AVAudioFormat(
            commonFormat: kind, sampleRate: rate, channels: channels, interleaved: isInterleaved)
        }
      }
    }
  }

  /// All formats, or none if the language nearest to `locale` has no installed model.
  static func available(for locale: Locale) async -> [AVAudioFormat] {
    guard let supported = SpeechLocales.supported(equivalentTo: locale) else { return [] }
    return await SpeechLocales.installed.contains(supported) ? all : []
  }

  static func isSupported(_ format: AVAudioFormat) -> Bool {
    (format.commonFormat == .pcmFormatInt16 || format.commonFormat == .pcmFormatFloat32)
      && (1...2).contains(format.channelCount) && (8000...48_000).contains(format.sampleRate)
  }
}
