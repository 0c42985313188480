/// Why a file of a Whisper model cannot be read or converted.
package enum ConversionError: Error, Equatable {
  /// A file is missing, damaged, or not what its name says. The reason continues a sentence that begins with the file.
  case malformed(path: String, reason: String)
  /// A system call failed: the value of `errno`.
  case system(Int32, path: String)
}
