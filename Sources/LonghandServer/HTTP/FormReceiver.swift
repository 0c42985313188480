import Foundation
import Longhand

/// A form that a client sent: its fields and its one file. The file has no name on the disk, so that it is deleted with
/// this object, and also when the process ends, however it ends.
final class ReceivedForm: Sendable {
  /// In the order of the form. A name can occur more than once.
  let fields: [(name: String, value: String)]
  /// The open file and the name that the client gave it; nil if the form has none.
  let file: (descriptor: Int32, name: String)?

  /// - Parameter file: this object closes it.
  init(fields: [(name: String, value: String)], file: (descriptor: Int32, name: String)?) {
    self.fields = fields
    self.file = file
  }

  deinit { if let file { close(file.descriptor) } }

  /// Makes a WAVE file of the file, which has samples of 16 bits and no header. So no other program has to copy it to a
  /// file with a name. A part of a frame at the end is cut off.
  /// - Throws: `HTTPError` if the disk is full.
  func addWaveHeader(sampleRate: Int, channels: Int) throws {
    guard let file = file?.descriptor else { return }
    var header = WaveHeader(sampleRate: sampleRate, channels: channels, dataBytes: 0)
    let size = max(0, Int(lseek(file, 0, SEEK_END)))
    let length = size - size % (header.sampleBytes * channels)
    guard ftruncate(file, length) == 0 else { throw FormReceiver.systemError() }
    // A file without audio stays one.
    guard length > 0 else { return }
    header.dataBytes = UInt64(length)
    var block = [UInt8](repeating: 0, count: 1 << 20)
    // What comes before the next block: all samples move by the length of the header.
    var pending = header.bytes
    var offset = 0
    while offset < length {
      let count = pread(file, &block, block.count, offset)
      guard count > 0 || count < 0 && errno == EINTR else { throw FormReceiver.systemError() }
      guard count > 0 else { continue }
      pending += block.prefix(count)
      try Self.write(pending.prefix(count), to: file, at: offset)
      pending.removeFirst(count)
      offset += count
    }
    try Self.write(pending[...], to: file, at: offset)
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to file: Int32, at offset: Int) throws {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(file, $0.baseAddress?.advanced(by: done), bytes.count - done, offset + done)
      }
      guard count > 0 || errno == EINTR else { throw FormReceiver.systemError() }
      done += max(0, count)
    }
  }
}

/// Receives a form: fields go into memory, the file goes to the disk, both up to a limit. For use by one thread.
final class FormReceiver {
  /// Bytes of all fields together.
  private static let maxFieldBytes = 256 << 10
  /// The names of the part with the file: the second is that of `whisper-asr-webservice`.
  private static let fileNames = ["file", "audio_file"]
  /// Parts of a form.
  private static let maxParts = 100
  /// Bytes that stay free on the disk while a file is received, so that a recording can continue.
  static let reservedBytes: Int64 = 256 << 20
  /// Bytes that are written between two looks at the free space.
  private static let checkInterval: Int64 = 8 << 20

  private enum Part { case none, field(String, Data), file }

  private var parser: MultipartParser
  private let maxFileBytes: Int64
  private let folder = FileManager.default.temporaryDirectory
  private let freeBytes: (URL) -> Int64?
  private var nextCheck: Int64 = 0
  private var part = Part.none
  private var fields: [(name: String, value: String)] = []
  private var parts = 0
  private var fieldBytes = 0
  private var fileBytes: Int64 = 0
  private var file: (descriptor: Int32, name: String)?
  private var error: HTTPError?

  /// - Parameters:
  ///   - contentType: the `Content-Type` header.
  ///   - maxFileBytes: the largest file that is accepted.
  ///   - freeBytes: the free space on the disk of a folder; nil if it is unknown.
  /// - Throws: `HTTPError` if the header is not that of a form.
  init(
    contentType: String?, maxFileBytes: Int64,
    freeBytes: @escaping (URL) -> Int64? = { SystemDisk().freeBytes($0) }
  ) throws {
    guard let parser = contentType.flatMap(MultipartParser.init) else {
      throw HTTPError(
        .unsupportedMediaType,
        "The body is not a form. Send it with Content-Type: multipart/form-data and a boundary.")
    }
    self.parser = parser
    self.maxFileBytes = maxFileBytes
    self.freeBytes = freeBytes
  }

  deinit { if let file { close(file.descriptor) } }

  /// Takes the next bytes. `finish()` throws the first error, because a response can be sent only then.
  func take(_ bytes: Data) {
    guard error == nil else { return }
    do {
      for event in try parser.take(bytes) { try take(event) }
    } catch is MultipartParser.Malformed {
      error = HTTPError(
        .badRequest, "The multipart body is malformed. See RFC 7578 for the format of multipart/form-data.")
    } catch {
      self.error = HTTPError(error)
    }
    // What has been received of the file is of no use now, and the rest is not stored.
    if error != nil, let file { ftruncate(file.descriptor, 0) }
  }

  /// The complete form.
  /// - Throws: `HTTPError`.
  func finish() throws -> ReceivedForm {
    if let error { throw error }
    guard parser.isComplete else {
      throw HTTPError(.badRequest, "The multipart body has no closing boundary. Send the whole form again.")
    }
    let form = ReceivedForm(fields: fields, file: file)
    file = nil
    return form
  }

  private func take(_ event: MultipartParser.Event) throws {
    switch event {
    case .begin(let name, let fileName):
      parts += 1
      guard parts <= Self.maxParts else {
        throw HTTPError(.badRequest, "The form has more than \(Self.maxParts) parts.")
      }
      guard let fileName else {
        part = .field(name, Data())
        return
      }
      guard Self.fileNames.contains(name), file == nil else {
        throw HTTPError(
          .badRequest, "The form must have exactly one file, in the part 'file'.", parameter: name)
      }
      part = .file
      try makeFile(named: fileName)
    case .data(let data):
      if case .field(let name, var value) = part {
        fieldBytes += data.count
        guard fieldBytes <= Self.maxFieldBytes else {
          throw HTTPError(
            .tooLarge, "The fields of the form are larger than \(Self.maxFieldBytes) bytes together.")
        }
        value += data
        part = .field(name, value)
      } else {
        try write(data)
      }
    case .end:
      if case .field(let name, let value) = part {
        guard let text = String(bytes: value, encoding: .utf8) else {
          throw HTTPError(.badRequest, "The field '\(name)' is not valid UTF-8.", parameter: name)
        }
        fields.append((name, text))
      }
      part = .none
    }
  }

  private func makeFile(named name: String) throws {
    try checkSpace()
    let url = folder.appendingPathComponent("longhand-upload-\(UUID().uuidString)")
    let descriptor = open(url.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.systemError() }
    unlink(url.path)
    file = (descriptor, name)
  }

  private func write(_ data: Data) throws {
    guard let file else { return }
    fileBytes += Int64(data.count)
    if fileBytes >= nextCheck { try checkSpace() }
    guard fileBytes <= maxFileBytes else {
      throw HTTPError(
        .tooLarge, "The file is larger than \(maxFileBytes) bytes. Split it, or use 'longhand transcribe'.",
        parameter: "file")
    }
    var done = 0
    while done < data.count {
      let count = data.withUnsafeBytes {
        Foundation.write(file.descriptor, $0.baseAddress?.advanced(by: done), data.count - done)
      }
      guard count > 0 || errno == EINTR else { throw Self.systemError() }
      done += max(0, count)
    }
  }

  private func checkSpace() throws {
    nextCheck = fileBytes + Self.checkInterval
    if let free = freeBytes(folder), free < Self.reservedBytes { throw Self.fullDisk }
  }

  private static let fullDisk = HTTPError(
    .diskFull, "The server's disk has no room for the file. Free some space and try again.")

  fileprivate static func systemError() -> HTTPError {
    errno == ENOSPC || errno == EDQUOT
      ? fullDisk
      : HTTPError(
        .serverError,
        "The server cannot store the file: \(String(cString: strerror(errno))). Check its temporary folder.")
  }
}
