import Foundation
import LonghandRecording
import LonghandTranscripts

/// How the channels of one recording are transcribed, and why.
package struct ChannelPlan: Sendable {
  /// What is done.
  package var mode: ChannelMode
  /// The number of channels.
  var channels: Int
  /// The names of their speakers, in order; there may be fewer or none.
  package var names: [String] = []
  /// The channels that are mixed, from 0; nil for all.
  package var mixed: [Int]?
  /// Says that the channels were found to differ, that some have no speech, or that speakers were named in vain; nil if none
  /// is so.
  package var warning: TranscriptWarning?

  /// Whether each channel is transcribed by itself.
  package var isSeparate: Bool { mode == .separate && channels > 1 }

  /// The engine for the recording.
  package func engine(_ engine: any TranscriptionEngine) -> any TranscriptionEngine {
    isSeparate ? ChannelsEngine(engine) : engine
  }

  /// What the engine reads of the recording.
  /// - Throws: `TranscriptionError`.
  package func audio(of recording: any ChannelAudio) throws(TranscriptionError) -> any AudioSource {
    guard !isSeparate, let mixed, mixed.count < recording.channels else { return recording }
    return try SelectedChannels(mixed, of: recording)
  }

  /// Adds the speakers of the channels, if these are transcribed one by one.
  package func addSpeakers(to speakers: inout SessionSpeakers) {
    if isSeparate { speakers.addChannels(channels, names: names) }
  }

  /// A transcript with the labels of the channels and, if it was listened to, of what the audio says.
  func labelled(_ transcript: Transcript, _ evidence: SpeakerEvidence? = nil) -> Transcript {
    var (transcript, speakers) = (transcript, SessionSpeakers())
    addSpeakers(to: &speakers)
    evidence?.add(to: &speakers)
    speakers.label(&transcript)
    return transcript
  }
}

extension ChannelPlan {
  /// Decides how to transcribe. Unless the options or the names of the speakers decide, two channels that differ, or of which
  /// one has noise and a few words, are transcribed one by one.
  /// - Parameters:
  ///   - wanted: what the options say; nil to compare the channels.
  ///   - names: the names of the speakers, in the order of the channels.
  /// - Throws: `TranscriptionError`, `CancellationError`.
  package init(_ wanted: ChannelMode?, names: [String] = [], for audio: any ChannelAudio) async throws {
    channels = audio.channels
    self.names = names
    mode = wanted ?? ChannelMode(names: names, channels: channels) ?? .mix
    if mode == .mix, channels > 1 { try await examine(audio, mayBeSeparate: wanted == nil) }
    if !isSeparate, !names.isEmpty, warning == nil {
      warning = .unusedSpeakerNames(names, channels: channels, 0...audio.duration)
    }
  }

  /// Looks for channels without speech, and for channels that differ.
  private mutating func examine(_ audio: any ChannelAudio, mayBeSeparate: Bool) async throws {
    // The noise of a channel with a single word would disturb the speech of the other one.
    var isTwoSided = false
    if #available(macOS 26, iOS 26, *) {
      let disturbing = try await ChannelSpeech.disturbing(in: audio)
      if !disturbing.speechless.isEmpty {
        mixed = (0..<channels).filter { !disturbing.speechless.contains($0) }
        warning = .channelsWithoutSpeech(disturbing.speechless, 0...audio.duration)
        return
      }
      isTwoSided = !disturbing.hardlySpeaking.isEmpty
    }
    guard mayBeSeparate, channels == 2 else { return }
    let comparison = try await ChannelComparison(
      of: try audio.source(ofChannel: 0), and: try audio.source(ofChannel: 1))
    guard isTwoSided || comparison.areDifferent else { return }
    mode = .separate
    warning = .separateChannels(0...audio.duration, shares: comparison.shares)
  }

  /// What the manifest of a recording says; the mix if it says nothing.
  package init(_ manifest: RecordingManifest) {
    self.init(
      mode: manifest.channelMode ?? .mix, channels: manifest.format.channels,
      names: manifest.speakerNames ?? [], mixed: manifest.mixedChannels)
  }
}

extension RecordingManifest {
  /// What was transcribed of the recording: without the channels that were left out of the mix, whose noise nothing else that
  /// examines the speech may hear either.
  /// - Throws: `TranscriptionError`.
  package func read(_ audio: any ChannelAudio) throws(TranscriptionError) -> any AudioSource {
    try ChannelPlan(self).audio(of: audio)
  }
}
