import CFFmpeg
import Foundation

/// Decodes one file in a process of its own, which has nothing but the open file and a socket. What it answers is
/// checked: the process may be under the control of who made the file.
package final class ChildDecoder: FileDecoding {
  /// How long an answer may take.
  package struct Patience: Sendable {
    /// For a block of audio that follows the last one.
    package var block = Duration.seconds(30)
    /// For what may need all of the file, so many bytes a second more. The slowest decoders do 500 kB/s.
    package var bytesPerSecond: Int64 = 100_000

    package init() {}

    func all(of size: Int64) -> Duration { block + .seconds(size / max(1, bytesPerSecond)) }
  }

  package private(set) var file: DecodedFile
  private let path: String
  private let size: Int64
  private let layout: SampleLayout
  private let patience: Patience
  private let channel: DecoderChannel
  private let end: @Sendable () -> Void
  /// The process ID; nil if another program decodes.
  package let identifier: pid_t?
  /// The frame after the last one that was read.
  private var next: Int64 = 0
  /// Why the process can no longer be used.
  private var fault: DecoderChannel.Fault?

  /// Starts a process for `file`, and opens it there.
  /// - Parameter track: the index among the audio tracks; nil for the one that FFmpeg prefers.
  package convenience init(
    file: LocalFile, track: Int? = nil, type: AVSampleFormat, process: DecodingProcess = .shared,
    patience: Patience = Patience()
  ) throws {
    let child = try process.open(file)
    try self.init(
      channel: child.channel, identifier: child.process, path: file.path, size: file.size, track: track,
      type: type, patience: patience
    ) { child.end() }
  }

  /// Opens a file with the process at the other end of the socket `channel`, which is closed with the object.
  /// - Parameter end: ends the process.
  package init(
    channel: Int32, identifier: pid_t? = nil, path: String, size: Int64, track: Int? = nil,
    type: AVSampleFormat, patience: Patience = Patience(), end: @escaping @Sendable () -> Void = {}
  ) throws {
    self.channel = DecoderChannel(descriptor: channel, isClient: true)
    (self.identifier, self.path, self.size, self.patience, self.end) = (identifier, path, size, patience, end)
    do {
      let request = DecoderMessage(
        kind: .open, first: Int64(type.rawValue), second: Int64(track.map { $0 + 1 } ?? 0),
        payload: Data(path.utf8.prefix(4096)))
      let deadline = DecoderChannel.Deadline(in: patience.all(of: size), process: identifier)
      file = try Self.ask(self.channel, request, for: .file, until: deadline).file(size: size)
    } catch {
      let failure = Self.failure(error, path)
      close(channel)
      if error is DecoderChannel.Fault { end() }
      throw failure
    }
    layout = SampleLayout(rate: file.rate, channels: file.channels, type: type)
  }

  deinit { close(channel.descriptor) }

  package func scan() throws -> DecodedFile {
    if file.condition == nil {
      let deadline = deadline(in: patience.all(of: size))
      file = try ask(DecoderMessage(kind: .scan), for: .file, until: deadline) { answer in
        let scanned = try answer.file(size: size)
        guard let length = scanned.length, length == file.length ?? length, scanned.condition != nil,
          scanned.rate == file.rate, scanned.channels == file.channels
        else {
          throw DecoderChannel.Fault.malformed
        }
        return scanned
      }
    }
    return file
  }

  package func read(
    at position: Int64, into planes: [SampleConverter.Plane], count: Int
  ) throws -> Int {
    let frameSize = layout.bytesPerFrame * layout.bufferCount
    guard position >= 0, position <= file.maximumPosition(size: size), planes.count == layout.bufferCount
    else { return 0 }
    var done = 0
    while done < count {
      let wanted = min(count - done, max(1, DecoderMessage.blockSize / frameSize))
      let read = try readBlock(at: position + Int64(done), into: planes, offset: done, count: wanted)
      done += read
      if read < wanted { break }
    }
    return done
  }

  /// Tries in the decoder's process what its sandbox must refuse.
  package func attempts() throws -> DecoderAttempts {
    try ask(DecoderMessage(kind: .attempt), for: .attempts, until: deadline(in: patience.block)) {
      try $0.attempts()
    }
  }

  /// Tries in a decoder's process that has no audio file what its sandbox must refuse.
  package static func attempts(in process: DecodingProcess = .shared) throws -> DecoderAttempts {
    let file = try LocalFile(url: URL(fileURLWithPath: process.executable ?? ""))
    let child = try process.open(file)
    let channel = DecoderChannel(descriptor: child.channel, isClient: true)
    defer { close(channel.descriptor) }
    do {
      let deadline = DecoderChannel.Deadline(in: Patience().block, process: child.process)
      return try ask(channel, DecoderMessage(kind: .attempt), for: .attempts, until: deadline).attempts()
    } catch {
      throw failure(error, file.path)
    }
  }

  private func readBlock(
    at position: Int64, into planes: [SampleConverter.Plane], offset: Int, count: Int
  ) throws -> Int {
    let deadline = deadline(in: position == next ? patience.block : patience.all(of: size))
    let request = DecoderMessage(kind: .read, first: position, second: Int64(count))
    return try ask(request, for: .samples, until: deadline) { answer in
      guard (0...Int64(count)).contains(answer.first), answer.payload.isEmpty else {
        throw DecoderChannel.Fault.malformed
      }
      let frames = Int(answer.first)
      for plane in planes {
        let start = plane.map { UnsafeMutableRawPointer($0 + offset * layout.bytesPerFrame) }
        try channel.read(
          into: UnsafeMutableRawBufferPointer(start: start, count: frames * layout.bytesPerFrame),
          until: deadline)
      }
      next = position + Int64(frames)
      return frames
    }
  }

  private func deadline(in time: Duration) -> DecoderChannel.Deadline {
    DecoderChannel.Deadline(in: time, process: identifier)
  }

  private func ask<Value>(
    _ request: DecoderMessage, for kind: DecoderMessage.Kind, until deadline: DecoderChannel.Deadline,
    _ use: (DecoderMessage) throws -> Value
  ) throws -> Value {
    do {
      if let fault { throw fault }
      return try use(Self.ask(channel, request, for: kind, until: deadline))
    } catch let fault as DecoderChannel.Fault {
      if self.fault == nil { end() }
      self.fault = fault
      throw Self.failure(fault, path)
    }
  }

  private static func ask(
    _ channel: DecoderChannel, _ request: DecoderMessage, for kind: DecoderMessage.Kind,
    until deadline: DecoderChannel.Deadline
  ) throws -> DecoderMessage {
    try channel.send(request)
    let answer = try channel.receive(until: deadline)
    if answer.kind == .failure {
      guard let failure = try? JSONDecoder().decode(DecoderFailure.self, from: answer.payload) else {
        throw DecoderChannel.Fault.malformed
      }
      throw failure.error
    }
    guard answer.kind == kind else { throw DecoderChannel.Fault.malformed }
    return answer
  }

  private static func failure(_ error: any Error, _ path: String) -> any Error {
    switch error {
    case DecoderChannel.Fault.closed:
      AudioError.make(.invalidFile, "cannot read \(path): the decoder ended while reading the file")
    case DecoderChannel.Fault.stalled:
      AudioError.make(.invalidFile, "cannot read \(path): the decoder stalled while reading the file")
    case DecoderChannel.Fault.malformed:
      AudioError.make(.invalidFile, "cannot read \(path): the decoder sent an invalid answer")
    default: error
    }
  }
}

extension DecoderMessage {
  fileprivate func attempts() throws -> DecoderAttempts {
    do { return try JSONDecoder().decode(DecoderAttempts.self, from: payload) } catch {
      throw DecoderChannel.Fault.malformed
    }
  }

  /// The payload as a description of a file of `size` bytes.
  fileprivate func file(size: Int64) throws -> DecodedFile {
    guard let file = try? JSONDecoder().decode(DecodedFile.self, from: payload), file.isPlausible(size: size)
    else { throw DecoderChannel.Fault.malformed }
    return file
  }
}
