import Foundation

/// Asks for the speech of a sound file: of any container and codec that FFmpeg's libraries read.
open class SFSpeechURLRecognitionRequest: SFSpeechRecognitionRequest {
  /// The file.
  open private(set) var url: URL

  /// A request for the file at `URL`.
  public init(url URL: URL) {
    url = URL
    super.init()
  }
}
