import Foundation
import Longhand

/// Takes a form as it comes in: fields into memory, the file onto the disk, both up to a limit. For one thread.
final class FormReceiver {
  /// Bytes of all fields together.
  private static let mostFields = 256 << 10
  /// Parts of a form.
  private static let mostParts = 100
  /// Bytes that must be free on the disk for a file to be begun: a recording has a place to go on.
  private static let reserve: Int64 = 256 << 20

  private enum Part { case none, field(String, Data), file }

  private var parser: MultipartParser
  private let room: Int64
  private var part = Part.none
  private var fields: [(name: String, value: String)] = []
  private var parts = 0
  private var fieldBytes = 0
  private var fileBytes: Int64 = 0
  private var file: (descriptor: Int32, name: String)?
  private var error: HTTPError?

  /// - Parameters:
  ///   - contentType: the header.
  ///   - room: bytes that the file may have.
  /// - Throws: `HTTPError` if it is not that of a form.
  init(contentType: String?, room: Int64) throws {
    guard let parser = contentType.flatMap(MultipartParser.init) else {
      throw HTTPError(.unsupportedMediaType, "the body must be multipart/form-data")
    }
    self.parser = parser
    self.room = room
  }

  deinit { if let file { close(file.descriptor) } }

  /// Takes the next bytes. What is wrong with them is told at the end, when an answer can be sent.
  func take(_ bytes: Data) {
    guard error == nil else { return }
    do {
      for event in try parser.take(bytes) { try take(event) }
    } catch is MultipartParser.Malformed {
      error = HTTPError(.badRequest, "the form is not well-formed")
    } catch {
      self.error = HTTPError(error)
    }
  }

  /// The whole form.
  /// - Throws: `HTTPError`.
  func finish() throws -> ReceivedForm {
    if let error { throw error }
    guard parser.isComplete else { throw HTTPError(.badRequest, "the form has no end") }
    let form = ReceivedForm(fields: fields, file: file)
    file = nil
    return form
  }

  private func take(_ event: MultipartParser.Event) throws {
    switch event {
    case .begin(let name, let fileName):
      parts += 1
      guard parts <= Self.mostParts else { throw HTTPError(.badRequest, "the form has too many parts") }
      guard let fileName else {
        part = .field(name, Data())
        return
      }
      guard name == "file", file == nil else {
        throw HTTPError(.badRequest, "one file is taken, and its name is 'file'", parameter: name)
      }
      part = .file
      try makeFile(named: fileName)
    case .data(let data):
      if case .field(let name, var value) = part {
        fieldBytes += data.count
        guard fieldBytes <= Self.mostFields else { throw HTTPError(.tooLarge, "the fields are too long") }
        value += data
        part = .field(name, value)
      } else {
        try write(data)
      }
    case .end:
      if case .field(let name, let value) = part {
        guard let text = String(bytes: value, encoding: .utf8) else {
          throw HTTPError(.badRequest, "the field is not UTF-8", parameter: name)
        }
        fields.append((name, text))
      }
      part = .none
    }
  }

  private func makeFile(named name: String) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "longhand-upload-\(UUID().uuidString)")
    if let free = SystemDisk().freeBytes(url.deletingLastPathComponent()), free < Self.reserve {
      throw Self.fullDisk
    }
    let descriptor = open(url.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.systemError() }
    unlink(url.path)
    file = (descriptor, name)
  }

  private func write(_ data: Data) throws {
    guard let file else { return }
    fileBytes += Int64(data.count)
    guard fileBytes <= room else { throw HTTPError(.tooLarge, "the file is too large", parameter: "file") }
    var done = 0
    while done < data.count {
      let part = data.withUnsafeBytes {
        Foundation.write(file.descriptor, $0.baseAddress?.advanced(by: done), data.count - done)
      }
      guard part > 0 || errno == EINTR else { throw Self.systemError() }
      done += max(0, part)
    }
  }

  private static let fullDisk = HTTPError(
    .diskFull, "there is no room for the file; free some and try again")

  private static func systemError() -> HTTPError {
    errno == ENOSPC || errno == EDQUOT
      ? fullDisk
      : HTTPError(.serverError, "the file cannot be kept: \(String(cString: strerror(errno)))")
  }
}
