import AudioDecoding
import CFFmpeg
import Foundation
import TestSupport
import Testing

@testable import AVFAudio

/// Files that are decoded in a process of their own.
@Suite(.tagged(.childProcess)) struct ChildDecoderTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func file(_ name: String) throws -> LocalFile { try LocalFile(url: folder.file(name)) }

  /// The bytes of `count` frames from `position` on, buffer by buffer.
  private func bytes(
    _ decoder: any FileDecoding, _ type: AVSampleFormat, from position: Int64, count: Int
  ) throws -> [[UInt8]] {
    let layout = SampleLayout(rate: decoder.file.rate, channels: decoder.file.channels, type: type)
    let size = count * layout.bytesPerFrame
    let memory = (0..<layout.bufferCount).map { _ in UnsafeMutablePointer<UInt8>.allocate(capacity: size) }
    defer { for memory in memory { memory.deallocate() } }
    let read = try decoder.read(at: position, into: memory, count: count)
    return memory.map { Array(UnsafeBufferPointer(start: $0, count: read * layout.bytesPerFrame)) }
  }

  @Test(
    arguments: ["a.wav", "a.flac", "a.mp3", "a.m4a", "a.opus", "a.ogg", "a.aiff", "a.caf", "a.mkv", "a.wma"])
  func samplesAreThoseOfThisProcess(name: String) throws {
    let source = try folder.sweep("source.wav", frames: 70_000, rate: 48_000, channels: 2)
    _ = try folder.encode(source, to: name)
    for type in [AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_DBL] {
      let here = try ProcessDecoder(file: file(name), type: type)
      let child = try ChildDecoder(file: file(name), type: type)
      #expect(child.file == here.file)
      let all = try bytes(child, type, from: 0, count: 100_000)
      #expect(try all == bytes(here, type, from: 0, count: 100_000))
      #expect(try child.scan() == here.scan())
      for position in [40_000, 3, 69_990, 12_345, 0, 1_000_000] as [Int64] {
        let there = try bytes(child, type, from: position, count: 5000)
        #expect(try there == bytes(here, type, from: position, count: 5000))
      }
    }
  }

  @Test func longBlocksArriveWhole() throws {
    try folder.sweep("a.wav", frames: 400_000, channels: 2)
    let child = try ChildDecoder(file: file("a.wav"), type: AV_SAMPLE_FMT_DBLP)
    let here = try ProcessDecoder(file: file("a.wav"), type: AV_SAMPLE_FMT_DBLP)
    let all = try bytes(child, AV_SAMPLE_FMT_DBLP, from: 0, count: 500_000)
    #expect(all[0].count == 400_000 * 8)
    #expect(try all == bytes(here, AV_SAMPLE_FMT_DBLP, from: 0, count: 500_000))
  }

  @Test func errorsAreThoseOfThisProcess() throws {
    try Data("just words ".utf8).write(to: folder.file("words.wav"))
    func reason(_ open: () throws -> any FileDecoding) -> NSError? {
      do { _ = try open() } catch { return error as NSError }
      return nil
    }
    let here = reason { try ProcessDecoder(file: file("words.wav"), type: AV_SAMPLE_FMT_FLT) }
    let child = reason { try ChildDecoder(file: file("words.wav"), type: AV_SAMPLE_FMT_FLT) }
    #expect(here != nil)
    #expect(child == here)
  }

  @Test func killedDecoderIsAnErrorOfItsFileAlone() throws {
    try folder.sweep("a.wav", frames: 300_000)
    let killed = try ChildDecoder(file: file("a.wav"), type: AV_SAMPLE_FMT_FLT)
    let other = try ChildDecoder(file: file("a.wav"), type: AV_SAMPLE_FMT_FLT)
    kill(try #require(killed.identifier), SIGKILL)
    let error = #expect(throws: (any Error).self) {
      try bytes(killed, AV_SAMPLE_FMT_FLT, from: 0, count: 300_000)
    }
    let text = (error as? NSError)?.localizedDescription
    #expect(text == "cannot read \(folder.file("a.wav").path): the decoder ended while reading the file")
    #expect(try bytes(other, AV_SAMPLE_FMT_FLT, from: 0, count: 10)[0].count == 40)
  }

  /// Its program is the real one, but for one request: with as many processes as a user may have, a fork fails.
  @Test func failedForkIsAnErrorOfItsFileAlone() throws {
    try folder.sweep("a.wav", frames: 300_000)
    let program = """
      import errno, os, socket, struct, subprocess, sys
      client = socket.socket(fileno=0)
      near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
      subprocess.Popen([sys.argv[1]], stdin=far)
      far.close()
      opened = 0
      while True:
          request, files, _, _ = socket.recv_fds(client, 64, 4)
          if not request: break
          version, kind, _ = struct.unpack("iii", request)
          opened += kind == 1
          if kind == 1 and opened == 2:
              client.send(struct.pack("ii", version, -errno.EAGAIN))
          else:
              socket.send_fds(near, [request], files)
              if kind == 1: client.send(near.recv(64))
          for file in files: os.close(file)
      """
    let proxy = folder.file("proxy.py").path
    try Data(program.utf8).write(to: folder.file("proxy.py"))
    let real = try #require(DecodingProcess.shared.executable)
    let script = try ExecutableScript("exec python3 '\(proxy)' '\(real)'")
    let process = DecodingProcess(
      environment: ProcessInfo.processInfo.environment.merging(["AUDIO_DECODER_PATH": script.url.path]) { $1 }
    )
    let other = try ChildDecoder(file: file("a.wav"), type: AV_SAMPLE_FMT_FLT, process: process)
    let identifier = try #require(process.identifier)
    let error = #expect(throws: (any Error).self) {
      try ChildDecoder(file: file("a.wav"), type: AV_SAMPLE_FMT_FLT, process: process)
    }
    let reason = "cannot start a decoder: Resource temporarily unavailable"
    let text = (error as? NSError)?.localizedDescription
    #expect(text == "cannot read \(folder.file("a.wav").path): \(reason)")
    #expect(try bytes(other, AV_SAMPLE_FMT_FLT, from: 200_000, count: 10)[0].count == 40)
    let next = try ChildDecoder(file: file("a.wav"), type: AV_SAMPLE_FMT_FLT, process: process)
    #expect(try bytes(next, AV_SAMPLE_FMT_FLT, from: 0, count: 10)[0].count == 40)
    #expect(process.identifier == identifier)
  }

  /// `length` and `condition` cannot say that.
  @Test func scanOfAKilledDecoderIsAnError() throws {
    _ = try folder.encode(try folder.sweep("a.wav", frames: 300_000), to: "a.mp3")
    let killed = try ChildDecoder(file: file("a.mp3"), type: AV_SAMPLE_FMT_FLT)
    kill(try #require(killed.identifier), SIGKILL)
    let state = AVAudioFile.ReadingState(decoder: killed)
    #expect(state.length == 0)
    #expect(throws: (any Error).self) { try state.scan() }
  }

  @Test func processIsStartedAgainAfterItsEnd() throws {
    try folder.sweep("a.wav", frames: 1000)
    let process = DecodingProcess()
    _ = try ChildDecoder(file: file("a.wav"), type: AV_SAMPLE_FMT_FLT, process: process)
    let first = try #require(process.identifier)
    kill(first, SIGKILL)
    let again = try ChildDecoder(file: file("a.wav"), type: AV_SAMPLE_FMT_FLT, process: process)
    #expect(try bytes(again, AV_SAMPLE_FMT_FLT, from: 0, count: 10)[0].count == 40)
    #expect(process.identifier != first)
  }

  @Test func childEndsWithItsFile() async throws {
    try folder.sweep("a.wav", frames: 1000)
    var decoder: ChildDecoder? = try ChildDecoder(file: file("a.wav"), type: AV_SAMPLE_FMT_FLT)
    let identifier = try #require(decoder?.identifier)
    decoder = nil
    #expect(await eventually(within: 20) { kill(identifier, 0) != 0 })
  }

  @Test func childrenEndWithTheirProcess() async throws {
    try folder.sweep("a.wav", frames: 1000)
    let process = DecodingProcess()
    let decoder = try ChildDecoder(file: file("a.wav"), type: AV_SAMPLE_FMT_FLT, process: process)
    kill(try #require(process.identifier), SIGKILL)
    let identifier = try #require(decoder.identifier)
    #expect(await eventually(within: 20) { kill(identifier, 0) != 0 })
  }

  @Test func programWithoutServiceDecodesByItself() throws {
    try folder.sweep("a.wav", frames: 1000)
    let none = DecodingProcess(environment: [:], program: nil)
    let decoder = try file("a.wav").decoder(type: AV_SAMPLE_FMT_FLT, isolation: .preferred, process: none)
    #expect(decoder is ProcessDecoder)
    #expect(try bytes(decoder, AV_SAMPLE_FMT_FLT, from: 0, count: 2000)[0].count == 4000)
    let error = #expect(throws: (any Error).self) {
      try file("a.wav").decoder(type: AV_SAMPLE_FMT_FLT, isolation: .required, process: none)
    }
    #expect(AVAudioFile.isDecoderMissing(try #require(error)))
  }

  @Test func programWithServiceDoesNotDecodeByItself() throws {
    try folder.sweep("a.wav", frames: 1000)
    #expect(try file("a.wav").decoder(type: AV_SAMPLE_FMT_FLT, isolation: .preferred) is ChildDecoder)
  }

  @Test func otherProgramIsNamedAsTheCause() throws {
    try folder.sweep("a.wav", frames: 1000)
    let other = DecodingProcess(environment: ["AUDIO_DECODER_PATH": "/bin/true"], program: nil)
    let error = #expect(throws: (any Error).self) {
      try ChildDecoder(file: file("a.wav"), type: AV_SAMPLE_FMT_FLT, process: other)
    }
    #expect((error as? NSError)?.localizedDescription.contains("/bin/true cannot decode audio") == true)
  }
}

extension AVAudioFile {
  /// The process that decodes the file; nil if this process does.
  var decodingProcess: pid_t? {
    withState { state in
      if case .reading(let reading) = state { (reading.decoder as? ChildDecoder)?.identifier } else { nil }
    }
  }
}
