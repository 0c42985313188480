import CFFmpeg
import CSandbox
import Foundation
import Sandboxing

/// A process that decodes audio files for another program, each in a child of its own.
///
/// It starts once, loads FFmpeg, and gives up paths and privileges. For every file it forks: that takes 1 ms, where
/// starting a program takes 50 ms. The child gets the open file and a socket, and gives up nearly every system call
/// before it reads the first byte of the file. This process has one thread, so that forking is safe.
package enum DecodingService {
  /// A message of the client over standard input. `open` comes with the file and the socket, and is answered with the
  /// child's process ID or a negative `errno`. `end` has no answer.
  struct Request {
    enum Kind: Int32 { case open = 1, end }

    var version: Int32 = Self.version
    var kind: Int32
    var process: pid_t = 0

    /// Client and service must be of the same version of the protocol.
    static let version: Int32 = 3
  }

  /// The answer to `open`.
  struct Answer {
    var version: Int32 = Request.version
    var process: pid_t
  }

  /// Where a child has its socket, and its file.
  private static let channel: Int32 = 0
  private static let file: Int32 = 3

  /// Serves the socket on standard input until the client closes it. Children end with this process.
  package static func run() -> Never {
    prepare()
    let protections = Sandbox.forbidPaths()
    // A decoder needs a few megabytes; the index of a video of ten hours 100.
    Sandbox.limit(memory: 1 << 30, fileSize: 0, files: 16)
    var children: Set<pid_t> = []
    while true {
      reap(&children)
      var request = Request(kind: 0)
      var files: [Int32] = [-1, -1, -1, -1]
      let count = withUnsafeMutableBytes(of: &request) { bytes in
        longhand_receive_files(channel, bytes.baseAddress, bytes.count, &files)
      }
      if count == -Int(EINTR) { continue }
      guard count == MemoryLayout<Request>.size, request.version == Request.version else { _exit(0) }
      switch Request.Kind(rawValue: request.kind) {
      case .open where files[0] >= 0 && files[1] >= 0:
        let process = fork(file: files[0], channel: files[1], protections)
        if process > 0 { children.insert(process) }
        let answer = Answer(process: process)
        _ = withUnsafeBytes(of: answer) { longhand_send_files(channel, $0.baseAddress, $0.count, nil, 0) }
      case .end where children.contains(request.process):
        // It has not been waited for, so the ID is still its own.
        kill(request.process, SIGKILL)
      default: break
      }
      for file in files where file >= 0 { close(file) }
    }
  }

  /// Loads and touches what every child needs, before paths are forbidden.
  private static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    // Interrupts the wait for a request, so that the process of a closed file does not stay.
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    sigaction(SIGCHLD, &action, nil)
    try? FFmpegLibrary.load(path: "")
    let example = DecodedFile(rate: 1, channels: 1, codec: "", bitsPerSample: 0, length: 0)
    _ = try? JSONEncoder().encode(example)
  }

  private static func reap(_ children: inout Set<pid_t>) {
    while case let ended = waitpid(-1, nil, WNOHANG), ended > 0 { children.remove(ended) }
  }

  /// Seconds of processor time after which a child is ended. Each of several passes may take as long as the slowest decoder
  /// takes.
  static func processorSeconds(size: Int64) -> UInt64 { 30 + UInt64(size / 50_000) }

  private static func fork(file: Int32, channel: Int32, _ protections: Sandbox.Protections) -> pid_t {
    let parent = getpid()
    let process = longhand_fork()
    guard process == 0 else { return process }
    _ = longhand_die_with_parent()
    // The parent may have ended just before.
    guard getppid() == parent else { _exit(0) }
    dup2(channel, Self.channel)
    // The lower of the two numbers is free now, whichever it was.
    dup2(file, Self.file)
    longhand_close_from(Self.file + 1)
    Sandbox.limit(processorSeconds: processorSeconds(size: max(0, Int64(lseek(Self.file, 0, SEEK_END)))))
    var protections = protections
    protections.calls = Sandbox.filterCalls(for: .decoder)
    var child = DecoderChild(channel: Self.channel, file: Self.file, protections)
    child.run()
  }
}

/// Answers the requests for one file, inside the sandbox.
private struct DecoderChild {
  let channel: DecoderChannel
  let file: Int32
  let protections: Sandbox.Protections
  private var decoder: ProcessDecoder?

  init(channel: Int32, file: Int32, _ protections: Sandbox.Protections) {
    self.channel = DecoderChannel(descriptor: channel, isClient: false)
    self.file = file
    self.protections = protections
  }

  mutating func run() -> Never {
    // Without an answer the client is gone.
    while let request = try? channel.receive(until: nil), (try? answer(request)) != nil {}
    _exit(0)
  }

  private mutating func answer(_ request: DecoderMessage) throws {
    do {
      switch request.kind {
      case .open:
        let path = String(decoding: request.payload, as: UTF8.self)
        let type = AVSampleFormat(rawValue: Int32(truncatingIfNeeded: request.first))
        let track = request.second > 0 ? Int(request.second) - 1 : nil
        let opened = try ProcessDecoder(
          file: LocalFile(descriptor: file, path: path), track: track, type: type)
        decoder = opened
        try channel.send(DecoderMessage(kind: .file, payload: JSONEncoder().encode(opened.file)))
      case .read: try read(Int(request.second), at: request.first)
      case .scan:
        guard let decoder else { throw DecoderChannel.Fault.malformed }
        try channel.send(DecoderMessage(kind: .file, payload: JSONEncoder().encode(decoder.scan())))
      case .attempt:
        let attempts = DecoderAttempts(protections: protections, results: Sandbox.attempts())
        try channel.send(DecoderMessage(kind: .attempts, payload: JSONEncoder().encode(attempts)))
      default: throw DecoderChannel.Fault.malformed
      }
    } catch let fault as DecoderChannel.Fault {
      throw fault
    } catch {
      try channel.send(DecoderMessage(kind: .failure, payload: JSONEncoder().encode(DecoderFailure(error))))
    }
  }

  private func read(_ count: Int, at position: Int64) throws {
    guard let decoder, count > 0 else { throw DecoderChannel.Fault.malformed }
    let layout = decoder.output
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: count * layout.bytesPerFrame * layout.bufferCount, alignment: 16)
    defer { memory.deallocate() }
    let buffers = (0..<layout.bufferCount).map { index in
      memory.baseAddress.map { $0 + index * count * layout.bytesPerFrame }
    }
    let planes = buffers.map { $0?.assumingMemoryBound(to: UInt8.self) }
    let frames = try decoder.read(at: position, into: planes, count: count)
    try channel.send(
      DecoderMessage(kind: .samples, first: Int64(frames)),
      then: buffers.map { UnsafeRawBufferPointer(start: $0, count: frames * layout.bytesPerFrame) })
  }
}

/// What a decoder's process tried after it entered its sandbox.
package struct DecoderAttempts: Sendable, Codable {
  /// What is in force.
  package var protections: Sandbox.Protections
  /// The `errno` of each attempt; 0 where nothing was refused.
  package var results: [String: Int32]
}
