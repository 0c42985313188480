/// Speech between two pauses.
struct UtteranceAudio: Sendable, Equatable {
  /// The first sample's place in the audio, at 16 kHz.
  var start: Int
  /// 16 kHz, mono.
  var samples: [Int16]

  var range: Range<Int> { start..<start + samples.count }
}
