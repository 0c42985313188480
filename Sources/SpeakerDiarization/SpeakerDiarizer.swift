/// Separates the voices in one channel of a recording: audio goes in, in any number of parts, then come the turns.
package protocol SpeakerDiarizer {
  /// The name of the way, as documents have it.
  static var engine: String { get }

  /// Takes the next samples of 16 kHz audio.
  /// - Throws: `CancellationError`, and errors of its own.
  mutating func add(_ samples: [Int16]) async throws

  /// Who speaks when. It is called once, after all audio was added.
  /// - Parameters:
  ///   - speech: the parts of the audio with speech, in seconds.
  ///   - voices: the number of voices; nil to find it.
  /// - Returns: turns in the order of their start; several voices may speak at once.
  /// - Throws: `CancellationError`, and errors of its own.
  func turns(in speech: [ClosedRange<Double>], voices: Int?) async throws -> [VoiceDiarizer.Turn]

  /// Who speaks when in what was added so far, which is a guess: more audio may come.
  /// - Parameter voices: the number of voices; nil to find it.
  /// - Returns: nil if only the whole recording says it.
  /// - Throws: as `turns(in:voices:)`.
  mutating func turnsSoFar(voices: Int?) async throws -> [VoiceDiarizer.Turn]?

  /// What the voices of the turns sound like, if that comes with them.
  var prints: [Int: NetworkPrint] { get }

  /// The turns if there were other numbers of voices, by the number, as far as that comes with them.
  var others: [Int: [VoiceDiarizer.Turn]] { get }
}

extension SpeakerDiarizer {
  package func turnsSoFar(voices: Int?) async throws -> [VoiceDiarizer.Turn]? { nil }
  package var prints: [Int: NetworkPrint] { [:] }
  package var others: [Int: [VoiceDiarizer.Turn]] { [:] }
}

extension VoiceDiarizer: SpeakerDiarizer {
  package static let engine = "embedded"

  package mutating func add(_ samples: [Int16]) { add(samples[...]) }

  package func turns(in speech: [ClosedRange<Double>], voices: Int?) async throws -> [Turn] {
    found(in: speech, voices: voices)
  }
}
