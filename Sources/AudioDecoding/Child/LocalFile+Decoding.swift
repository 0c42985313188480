import CFFmpeg

extension LocalFile {
  /// Opens the file for decoding, and decodes its first frame. `type` is the sample type of the output.
  package func decoder(
    type: AVSampleFormat, isolation: DecodingIsolation, process: DecodingProcess = .shared
  ) throws -> any FileDecoding {
    guard isolation == .required || process.executable != nil else {
      return try ProcessDecoder(file: self, type: type)
    }
    return try ChildDecoder(file: self, type: type, process: process)
  }
}
