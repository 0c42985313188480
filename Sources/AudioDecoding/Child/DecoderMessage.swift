import ChildProcesses
import Foundation
import Glibc

/// A message between a decoder's process and its client: a header, and a payload of `size` bytes. The samples of a block
/// follow a message without being its payload, because they go directly to where the client wants them.
struct DecoderMessage {
  enum Kind: UInt32 {
    /// Opens the file. `first` is the sample type of the output, `second` the number of the audio track, or 0 for the one
    /// that FFmpeg prefers; the payload is the path, for messages and because FFmpeg looks at the extension. The answer
    /// is `file`.
    case open = 1
    /// Reads `second` frames from `first` on. The answer is `samples`.
    case read
    /// Decodes the whole file. The answer is `file`.
    case scan
    /// Tries what the sandbox must refuse. The answer is `attempts`.
    case attempt

    /// The payload is a `DecodedFile`.
    case file = 101
    /// `first` frames follow, buffer by buffer.
    case samples
    /// The payload is a `DecoderAttempts`.
    case attempts
    /// The payload is a `DecoderFailure`.
    case failure
  }

  /// Both sides run on the same machine, so the bytes are in its order.
  struct Header {
    var kind: UInt32
    var size: UInt32
    var first: Int64 = 0
    var second: Int64 = 0
  }

  /// The longest payload that is accepted, in bytes.
  static let maximumSize = 1 << 20
  /// The most bytes of samples in one answer; but one frame may be longer.
  static let blockSize = 1 << 20

  var kind: Kind
  var first: Int64 = 0
  var second: Int64 = 0
  var payload = Data()
}

/// An error of the decoder.
struct DecoderFailure: Codable {
  var code: Int
  var text: String

  init(_ error: any Error) {
    let error = error as NSError
    code = error.code
    text = error.localizedDescription
  }

  /// The error for the client's program. The text comes from a process that may be under a stranger's control.
  var error: NSError {
    let plain = text.unicodeScalars.prefix(4096).filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: false
      default: true
      }
    }
    var line = String.UnicodeScalarView()
    line.append(contentsOf: plain)
    return AudioError.make(AudioError.Code(rawValue: code) ?? .unspecified, String(line))
  }
}

/// One end of the socket between a decoder's process and its client.
struct DecoderChannel: Sendable {
  /// Why a message could not be sent or received.
  enum Fault: Error, Equatable {
    /// The other side has closed its end.
    case closed
    /// The whole message was not there in time.
    case stalled
    /// The bytes are no message, or not the expected one.
    case malformed
  }

  /// How long a message may take as a whole. Each wait counts as a second at most, however long it took: this process may have
  /// been stopped meanwhile, and the decoder with it.
  final class Deadline {
    private let process: pid_t?
    private var rest: Duration
    private var delay: (@Sendable () -> TimeInterval)?

    /// - Parameter process: the process that sends the message. The time in which it waits for a processor does not count.
    init(in time: Duration, process: pid_t? = nil) { (rest, self.process) = (time, process) }

    /// What is left; 0 and less if the time is over.
    var left: Duration { rest > .zero ? rest : rest + .seconds(delay?() ?? 0) }

    /// How long to wait next.
    var wait: Duration { min(max(left, .zero), .seconds(1)) }

    /// Counts a wait that took `time`.
    func count(_ time: Duration, of wait: Duration) {
      rest -= min(time, wait)
      // Most answers come at once, and looking at the process would take longer.
      if delay == nil, time >= wait, let process { delay = ProcessorTime.waiting(fromNowOn: process) }
    }
  }

  let descriptor: Int32
  let isClient: Bool

  /// Sends a message, and what follows it.
  func send(_ message: DecoderMessage, then parts: [UnsafeRawBufferPointer] = []) throws(Fault) {
    let header = DecoderMessage.Header(
      kind: message.kind.rawValue, size: UInt32(message.payload.count), first: message.first,
      second: message.second)
    var bytes = withUnsafeBytes(of: header) { Data($0) }
    bytes.append(message.payload)
    let sent = bytes.withUnsafeBytes { bytes in Result { () throws(Fault) in try write(bytes) } }
    try sent.get()
    for part in parts { try write(part) }
  }

  /// Waits for a message.
  /// - Parameter deadline: when it must be there as a whole; nil waits for ever. While the computer sleeps, no time passes.
  func receive(until deadline: Deadline?) throws(Fault) -> DecoderMessage {
    var header = DecoderMessage.Header(kind: 0, size: 0)
    try withUnsafeMutableBytes(of: &header) { bytes throws(Fault) in try read(into: bytes, until: deadline) }
    guard let kind = DecoderMessage.Kind(rawValue: header.kind), header.size <= DecoderMessage.maximumSize
    else { throw .malformed }
    var payload = Data(count: Int(header.size))
    let filled = payload.withUnsafeMutableBytes { bytes in
      Result { () throws(Fault) in try read(into: bytes, until: deadline) }
    }
    try filled.get()
    return DecoderMessage(kind: kind, first: header.first, second: header.second, payload: payload)
  }

  /// Fills `bytes`.
  func read(
    into bytes: UnsafeMutableRawBufferPointer, until deadline: Deadline?
  ) throws(Fault) {
    var done = 0
    while done < bytes.count {
      if let deadline { try wait(until: deadline) }
      let count = Glibc.read(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      if count > 0 {
        done += count
      } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
        throw .closed
      }
    }
  }

  /// Waits for bytes. Those that are there are taken however late it is.
  private func wait(until deadline: Deadline) throws(Fault) {
    while true {
      let wait = deadline.wait
      let start = SuspendingClock.now
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = Glibc.poll(&poll, 1, Int32((wait / .milliseconds(1)).rounded(.up)))
      if ready < 0, errno != EINTR { throw .closed }
      deadline.count(start.duration(to: .now), of: wait)
      if ready > 0 { return }
      if ready == 0, deadline.left <= .zero { throw .stalled }
    }
  }

  /// The decoder's process ignores the signal of a broken pipe and may not make system calls for sockets. The client
  /// must not get that signal; its requests are short, so that they never wait.
  private func write(_ bytes: UnsafeRawBufferPointer) throws(Fault) {
    var done = 0
    while done < bytes.count {
      let start = bytes.baseAddress.map { $0 + done }
      let count =
        isClient
        ? Glibc.send(descriptor, start, bytes.count - done, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        : Glibc.write(descriptor, start, bytes.count - done)
      if count > 0 {
        done += count
      } else if errno == EAGAIN {
        throw .stalled
      } else if errno != EINTR {
        throw .closed
      }
    }
  }
}
