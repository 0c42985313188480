import Foundation

/// What a client sends to a speech service. An utterance is `begin`, any number of `audio` and `pause`, and `end`,
/// `terms`, `align` or `abandon`.
public enum ServiceRequest: Sendable, Equatable {
  /// Sets how to decode from now on. The answer is `ready`, `unavailable` or `occupied`.
  case configure(ServiceConfiguration)
  /// An utterance of audio starts; the number comes back with its results.
  case begin(utterance: UInt32)
  /// More of the utterance: 16 kHz, mono.
  case audio([Int16])
  /// The speaker pauses: the utterance may be complete, so that what `end` will ask for can be decoded now. This has no answer.
  case pause
  /// The utterance is complete. The answer is `final` or `failed`.
  case end
  /// The utterance is complete, another recognizer wrote these words for it with their probabilities, and words of the domain are
  /// wanted in their place. Words that are of the domain already stay. The answer is `final` or `failed`. `final` has no
  /// hypotheses, or the words with those of the domain in place of others, where the sound supports them, with the source `domain`.
  /// Further hypotheses have a word of the domain whose sound alone is not enough: the recognizer that wrote the words is to be
  /// asked about each.
  case terms(in: [ServiceHypothesis.Word])
  /// The utterance is complete, and these texts, each a list of words, are to be aligned with it. The answer is `final` or
  /// `failed`. The hypotheses of `final` are the texts, with the times of their words and a score. A text that does not fit
  /// the audio, or that the service cannot align, has no words; a service that only knows how likely a text is gives a score.
  case align([[String]])
  /// Utterances without an answer are not wanted any more. This has no answer.
  case abandon
}

extension ServiceRequest: ServiceMessage {
  private enum Kind: UInt8 { case configure = 1, begin, audio, end, abandon, align, terms, pause }

  /// The message as a frame.
  public func frame() throws -> ServiceFrame {
    switch self {
    case .configure(let configuration):
      ServiceFrame(kind: Kind.configure.rawValue, payload: try JSONEncoder().encode(configuration))
    case .begin(let utterance):
      ServiceFrame(kind: Kind.begin.rawValue, payload: try JSONEncoder().encode(utterance))
    case .audio(let samples):
      ServiceFrame(kind: Kind.audio.rawValue, payload: samples.withUnsafeBytes { Data($0) })
    case .pause: ServiceFrame(kind: Kind.pause.rawValue)
    case .end: ServiceFrame(kind: Kind.end.rawValue)
    case .terms(let words): ServiceFrame(kind: Kind.terms.rawValue, payload: try JSONEncoder().encode(words))
    case .align(let texts): ServiceFrame(kind: Kind.align.rawValue, payload: try JSONEncoder().encode(texts))
    case .abandon: ServiceFrame(kind: Kind.abandon.rawValue)
    }
  }

  /// Reads the message out of a frame.
  /// - Throws: `ServiceChannelError.malformed`.
  public init(_ frame: ServiceFrame) throws {
    switch Kind(rawValue: frame.kind) {
    case .configure: self = .configure(try frame.decoded())
    case .begin: self = .begin(utterance: try frame.decoded())
    case .audio:
      guard frame.payload.count.isMultiple(of: 2) else {
        throw ServiceChannelError.malformed("half a sample at the end of an audio message")
      }
      let samples = [Int16](unsafeUninitializedCapacity: frame.payload.count / 2) { buffer, count in
        count = frame.payload.copyBytes(to: buffer) / 2
      }
      self = .audio(samples)
    case .pause: self = .pause
    case .end: self = .end
    case .terms: self = .terms(in: try frame.decoded())
    case .abandon: self = .abandon
    case .align: self = .align(try frame.decoded())
    case nil: throw ServiceChannelError.malformed("a request of the unknown kind \(frame.kind)")
    }
  }
}
