import LonghandRecording
import LonghandTranscripts

extension AudioFileSource {
  /// How the channels are transcribed: several tracks one by one, unless the options decide.
  package func mode(_ options: TranscriptionOptions) -> ChannelMode? {
    options.channels ?? (hasSeveralTracks ? .separate : nil)
  }

  /// The names of the speakers of the channels: those of several tracks, unless the options name them.
  package func names(_ options: TranscriptionOptions) -> [String] {
    options.speakerNames.isEmpty && hasSeveralTracks ? tracks.names : options.speakerNames
  }

  /// Whether the channels are tracks.
  private var hasSeveralTracks: Bool { tracks.count { $0.isIncluded } > 1 }
}
