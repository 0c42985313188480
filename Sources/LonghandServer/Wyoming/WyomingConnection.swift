import Foundation
import Longhand

/// One client of the Wyoming protocol. Its utterances are transcribed by the workers that also transcribe the files of HTTP
/// clients.
final class WyomingConnection {
  /// What a client gets about the recognizer.
  struct Description: Sendable {
    var model: String
    /// Those that the model recognizes.
    var languages: [String]
    /// The server's own.
    var locale: String
    var version: String
  }

  /// The audio of an utterance, in a file without a name.
  private struct Utterance {
    let file: FileHandle
    /// With the bytes of audio so far.
    var header: WaveHeader
  }

  /// Seconds of audio in one utterance.
  private static let maxSeconds: UInt64 = 3600
  /// Bytes of audio in one utterance.
  private static let maxBytes: UInt64 = 512 << 20
  /// Bytes of audio between two looks at the free space of the disk.
  private static let checkInterval: UInt64 = 1 << 20

  private let socket: Int32
  private let transcriptions: TranscriptionQueue
  private let description: Description
  private var parser = WyomingParser()
  private var language: String?
  private var utterance: Utterance?
  /// Why the audio up to the next `audio-stop` is not taken.
  private var refusal: HTTPError?
  private let freeBytes: () -> Int64?
  private let note: (WyomingClients.Phase) -> Void

  /// - Parameters:
  ///   - freeBytes: the free space on the disk of temporary files; nil if it is unknown.
  ///   - note: called with what the client is doing, after each of its messages.
  init(
    _ socket: Int32, _ transcriptions: TranscriptionQueue, _ description: Description,
    freeBytes: @escaping () -> Int64? = {
      SystemDisk().freeBytes(FileManager.default.temporaryDirectory)
    }, note: @escaping (WyomingClients.Phase) -> Void = { _ in }
  ) {
    self.socket = socket
    self.transcriptions = transcriptions
    self.description = description
    self.freeBytes = freeBytes
    self.note = note
  }

  /// Answers messages until the client closes the connection, or sends what is not a message. It blocks.
  func run() {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      parser.add(Data(buffer.prefix(count)))
      do {
        while let event = try parser.next() {
          do { try answer(event) } catch let error as HTTPError {
            utterance = nil
            // What follows belongs to the same utterance.
            if event.type != "audio-stop" { refusal = error }
            send(error)
          }
          note(utterance == nil ? .idle : .sending)
        }
      } catch {
        return
      }
    }
  }

  private func answer(_ event: WyomingEvent) throws {
    switch event.type {
    case "describe": send("info", info)
    case "ping": send("pong", .object([]))
    case "transcribe": language = (event.data["language"] as? String).flatMap(ClientLanguage.init)?.tag
    case "audio-start":
      (utterance, refusal) = (nil, nil)
      utterance = try begin(event)
    case "audio-chunk" where refusal != nil: break
    case "audio-chunk":
      if utterance == nil { utterance = try begin(event) }
      try add(event.payload)
    case "audio-stop":
      defer { refusal = nil }
      if let refusal { return send(refusal) }
      try finish()
    default: break
    }
  }

  private func begin(_ event: WyomingEvent) throws -> Utterance {
    try checkSpace()
    func integer(_ name: String, _ value: Int) -> Int? {
      WyomingEvent.integer(name, of: event.data, default: value)
    }
    guard let rate = integer("rate", 16_000), let channels = integer("channels", 1),
      (1000...768_000).contains(rate), (1...8).contains(channels), integer("width", 2) == 2
    else {
      throw HTTPError(
        .badRequest, "The audio must have 16 bits, 1 to 8 channels and 1000 to 768000 Hz.", code: "format")
    }
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("longhand-utterance-\(UUID().uuidString)").path
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.full }
    unlink(path)
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let header = WaveHeader(sampleRate: rate, channels: channels, dataBytes: 0)
    do { try file.write(contentsOf: header.bytes) } catch { throw Self.full }
    return Utterance(file: file, header: header)
  }

  private func add(_ audio: Data) throws {
    guard let header = utterance?.header else { return }
    let (size, second) = (header.dataBytes, UInt64(header.sampleRate * header.channels * header.sampleBytes))
    guard size + UInt64(audio.count) <= min(Self.maxBytes, second * Self.maxSeconds) else {
      throw HTTPError(
        .tooLarge, "The utterance is longer than an hour or larger than 512 MB. Use 'longhand import'.",
        code: "too_long")
    }
    if size / Self.checkInterval != (size + UInt64(audio.count)) / Self.checkInterval { try checkSpace() }
    do { try utterance?.file.write(contentsOf: audio) } catch { throw Self.full }
    utterance?.header.dataBytes += UInt64(audio.count)
  }

  /// The disk keeps the reserve that uploads leave too.
  private func checkSpace() throws {
    if let free = freeBytes(), free < FormReceiver.reservedBytes { throw Self.full }
  }

  private func finish() throws {
    // Without audio, there are no words in it.
    guard let utterance else { return send("transcript", .object([("text", .string(""))])) }
    note(.transcribing)
    self.utterance = nil
    let file = utterance.file
    var header = utterance.header
    // Whole frames.
    header.dataBytes -= header.dataBytes % UInt64(header.sampleBytes * header.channels)
    guard header.dataBytes > 0 else { return send("transcript", .object([("text", .string(""))])) }
    do {
      try file.truncate(atOffset: UInt64(WaveHeader.length) + header.dataBytes)
      try file.seek(toOffset: 0)
      try file.write(contentsOf: header.bytes)
    } catch { throw Self.full }
    var options: TranscriptionJob.Options = [("format", .string("json"))]
    if let language, !description.locale.lowercased().hasPrefix("\(language.lowercased())-") {
      options.append(("locale", .string(TranscriptionOptions.tag(language))))
    }
    let job = try transcriptions.begin(file.fileDescriptor, options, for: WyomingClient(socket: socket))
    let output = try job.all()
    try job.check()
    let document = try API.document(output)
    send("transcript", .object([("text", .string(document.text)), ("language", .string(document.locale))]))
  }

  private static let full = HTTPError(
    .diskFull, "The audio cannot be stored. Free some disk space and try again.", code: "disk_full")

  private func send(_ error: HTTPError) {
    send("error", .object([("text", .string(error.message)), ("code", .string(error.code ?? "error"))]))
  }

  private func send(_ type: String, _ data: JSONValue) {
    let bytes = WyomingEvent.bytes(type, data)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Foundation.send(socket, $0.baseAddress?.advanced(by: done), bytes.count - done, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 || errno == EINTR else { return }
      done += max(0, count)
    }
  }

  private var info: JSONValue {
    let attribution = JSONValue.object([("name", .string("Longhand")), ("url", .string(""))])
    func program(_ name: String, _ more: [(key: String, value: JSONValue)]) -> JSONValue {
      .object(
        [
          ("name", .string(name)), ("attribution", attribution), ("installed", .boolean(true)),
          ("description", .string("Speech recognition on this computer")),
          ("version", .string(description.version)),
        ] + more)
    }
    let model = program(
      description.model, [("languages", .array(description.languages.map(JSONValue.string)))])
    return .object([("asr", .array([program("longhand", [("models", .array([model]))])]))])
  }
}

/// The client of an utterance. Its protocol has no message that could be sent to see whether it is there.
private struct WyomingClient: HTTPClient {
  let socket: Int32

  var presence: ClientPresence { SocketClient(socket: socket).presence }
  func probe() {}
}
