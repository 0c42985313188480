import CFFmpeg

extension AudioDecoder {
  static func timeline(
    of stream: DecodedStream, _ native: SampleLayout, _ statedDuration: Double?
  ) -> FrameTimeline {
    FrameTimeline(
      unit: stream.unit, rate: native.rate, origin: stream.firstTime, statedDuration: statedDuration)
  }

  /// Throws if the system failed to read the file.
  static func checkReading(_ stream: DecodedStream, _ file: LocalFile) throws {
    guard stream.readFailure != 0 else { return }
    throw AudioError.make(
      .unspecified, "cannot read \(file.path): \(AudioError.text(errno: stream.readFailure))")
  }
}
