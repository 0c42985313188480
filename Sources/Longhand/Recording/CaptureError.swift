/// Why sound cannot be captured.
public enum CaptureError: Error, Hashable, Sendable {
  /// There is nothing to record from; the text says why, and what to do.
  case noInput(String)
  /// The input's sound cannot be brought into the recording's format.
  case unconvertible(to: RecordingFormat)
}

extension CaptureError: CustomStringConvertible {
  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .noInput(let why): return why
    case .unconvertible(let format):
      return
        "the input's sound cannot be converted to \(format.channels) channels at \(format.sampleRate) Hz; "
        + "choose another source"
    }
  }
}
