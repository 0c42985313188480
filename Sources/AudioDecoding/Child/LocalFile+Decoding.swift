import CFFmpeg

extension LocalFile {
  /// Opens the file for decoding, and decodes its first frame. `type` is the sample type of the output, and `track` the
  /// index among the audio tracks; nil for the one that FFmpeg prefers.
  package func decoder(
    track: Int? = nil, type: AVSampleFormat, isolation: DecodingIsolation, process: DecodingProcess = .shared
  ) throws -> any FileDecoding {
    guard isolation == .required || process.executable != nil else {
      return try ProcessDecoder(file: self, track: track, type: type)
    }
    return try ChildDecoder(file: self, track: track, type: type, process: process)
  }
}
