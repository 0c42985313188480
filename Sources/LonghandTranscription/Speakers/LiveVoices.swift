import Foundation
import LonghandRecording
import LonghandTranscripts
import SpeakerDiarization

/// Guesses who speaks in the mix of a recording while it grows. At its end the voices are separated as in any recording.
package struct LiveVoices: Sendable {
  /// Seconds of audio from one guess to the next, at least; a guess takes longer the longer the recording is.
  private static let (interval, share) = (20.0, 0.05)
  /// A guess may change: no label is sure.
  private static let maxConfidence = SpeakerLabel.sureConfidence - 0.01

  private let count: VoiceCount

  /// - Parameter count: how many voices there are.
  package init(_ count: VoiceCount) { self.count = count }

  /// Listens until the recording ends. It does nothing where no networks are installed.
  /// - Parameters:
  ///   - audio: the audio of the recording, which may still grow.
  ///   - report: called with the turns so far, and what separated the voices.
  /// - Throws: what the networks, the audio and `report` throw, and `CancellationError`.
  package func follow(
    _ audio: any AudioSource, report: ([SpeakerTurn], _ engine: String) throws -> Void
  ) async throws {
    guard var diarizer = VoiceTurns.installedDiarizer() else { return }
    var (heard, next) = (0.0, Self.interval)
    try await audio.forEachVoiceSample { samples in
      try await diarizer.add(samples)
      heard += Double(samples.count) / Double(VoiceDiarizer.sampleRate)
      guard heard >= next else { return }
      next = heard + max(Self.interval, heard * Self.share)
      guard let turns = try await diarizer.turnsSoFar(voices: count.number) else { return }
      try Task.checkCancellation()
      let guesses = turns.map { turn in
        var turn = SpeakerTurn(turn, channel: nil)
        turn.confidence = turn.confidence.map { min($0, Self.maxConfidence) }
        return turn
      }
      try report(guesses, type(of: diarizer).engine)
    }
  }
}
