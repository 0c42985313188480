extension AudioFileSource {
  /// How the channels are transcribed: several tracks one by one, unless the options decide.
  func mode(_ options: TranscriptionOptions) -> ChannelMode? {
    options.channels ?? (hasSeveralTracks ? .separate : nil)
  }

  /// The names of the speakers of the channels: those of several tracks, unless the options name them.
  func names(_ options: TranscriptionOptions) -> [String] {
    options.speakerNames.isEmpty && hasSeveralTracks ? tracks.names : options.speakerNames
  }

  /// Whether the channels are tracks.
  private var hasSeveralTracks: Bool { tracks.count { $0.isIncluded } > 1 }
}
