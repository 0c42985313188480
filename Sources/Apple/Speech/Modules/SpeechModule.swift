import AVFAudio
import CoreMedia
import Foundation

/// One kind of analysis that a `SpeechAnalyzer` performs, with the results that it publishes.
///
/// A module belongs to the first analyzer that receives it.
public protocol SpeechModule: AnyObject, Sendable {
  /// The results, in the order of the audio.
  ///
  /// Results wait until they are read, also those published before the first iteration. The sequence ends when the
  /// analyzer finishes. If the analysis fails, the sequence throws the error.
  var results: Self.Results { get }
  /// The type of `results`.
  associatedtype Results: Sendable, AsyncSequence where Self.Results.Failure == any Error
  /// The type of one result.
  associatedtype Result: SpeechModuleResult, Sendable where Self.Result == Self.Results.Element
  /// The audio formats that the module accepts, the best first; empty if a model that it needs is not installed.
  var availableCompatibleAudioFormats: [AVAudioFormat] { get async }
}

/// What a module found in a range of audio.
public protocol SpeechModuleResult {
  /// The range of audio, on the analyzer's timeline.
  var range: CMTimeRange { get }
  /// The end of the audio whose results are final: they never change again.
  var resultsFinalizationTime: CMTime { get }
}

extension SpeechModuleResult {
  /// Whether the result never changes again: `resultsFinalizationTime` is not before the end of `range`.
  public var isFinal: Bool { resultsFinalizationTime >= range.end }

  /// A description on one line, such as `0.00–1.20 s, final: go forward`.
  func describe(_ content: String) -> String {
    let times = [range.start, range.end].map { String(format: "%.2f", $0.seconds) }.joined(separator: "–")
    return "\(times) s, \(isFinal ? "final" : "volatile"): \(content)"
  }
}

/// A module that works for one language.
public protocol LocaleDependentSpeechModule: SpeechModule {
  /// The languages that the module supports, whether or not their models are installed.
  static var supportedLocales: [Locale] { get async }
  /// The supported language that is nearest to `locale`; nil if there is none.
  static func supportedLocale(equivalentTo locale: Locale) async -> Locale?
  /// The languages that this module was created for.
  var selectedLocales: [Locale] { get }
}
