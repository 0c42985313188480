import AVFAudio
import SoundServer
import Synchronization
import TestSupport
import Testing

@testable import AVFAudio

/// The engine over real servers. One after the other: they share the session and its notifications.
@Suite(.tagged(.soundServer), .serialized, .timeLimit(.minutes(5))) struct EngineTests {}

extension EngineTests {
  /// An engine with a tap on a server.
  static func tapped(
    _ server: PulseServer, bufferSize: AVAudioFrameCount = 1600, backlog: Double = 10
  ) -> (AVAudioEngine, TapRecord) {
    let engine = AVAudioEngine(server: server.address, backlog: backlog)
    let record = TapRecord()
    engine.inputNode.installTap(onBus: 0, bufferSize: bufferSize, format: nil) { record.add($0, $1) }
    return (engine, record)
  }

  /// The tap is called less often while it is quiet, and nothing is lost or late when it is not.
  @Test func quietAudioComesInBatchesAndNoiseAtOnce() async throws {
    let server = try await PulseServer()
    let (file, noise) = try server.noise(seconds: 2)
    let (engine, record) = Self.tapped(server)
    try engine.start()
    #expect(await eventually { record.frames > 0 })
    engine.inputNode.quietPeak = 0.001
    let quiet = record.frames
    #expect(await eventually { record.frames > quiet + 48_000 })
    #expect(engine.inputNode.isAnswering)
    let arrivals = record.pieces.filter { $0.sampleTime > record.pieces[0].sampleTime + 24_000 }.map(
      \.arrival)
    let calls = zip(arrivals, arrivals.dropFirst()).count { $1 - $0 > 100_000_000 }
    #expect(calls <= 4)
    let player = try server.play(file)
    #expect(await eventually { engine.inputNode.quietPeak == nil })
    let late = record.frames
    #expect(await eventually { record.frames > late })
    #expect(await eventually { !player.isRunning })
    let end = record.frames + 16_000
    #expect(await eventually { record.frames > end })
    engine.stop()
    #expect(record.jumps.isEmpty)
    #expect(engine.inputNode.lostFrames == 0)
    let comparison = SignalComparison(of: noise, in: record.samples, rate: 16_000, reach: 1600)
    #expect(comparison.missing == 0)
  }

  @Test func recordingEqualsPlayedAudio() async throws {
    let server = try await PulseServer()
    let (file, noise) = try server.noise(seconds: 10)
    let (engine, record) = Self.tapped(server)
    #expect(engine.inputNode.outputFormat(forBus: 0).sampleRate == 16_000)
    try engine.start()
    #expect(engine.isRunning)
    #expect(await eventually { record.frames > 0 })
    let player = try server.play(file)
    #expect(await eventually { !player.isRunning })
    let end = record.frames + 16_000
    #expect(await eventually { record.frames > end })
    engine.stop()
    #expect(!engine.isRunning)
    #expect(engine.inputNode.lostFrames == 0)

    // Times: without a jump, and both clocks agree.
    let pieces = record.pieces
    let first = try #require(pieces.first)
    #expect(record.jumps.isEmpty)
    #expect(pieces.allSatisfy { !$0.isMain && $0.format.isStandard && $0.format.channelCount == 1 })
    let disagreements = pieces.map { piece in
      let host = (Double(piece.hostTime) - Double(first.hostTime)) / 1e9
      return abs(host - Double(piece.sampleTime - first.sampleTime) / 16_000)
    }
    #expect(disagreements.allSatisfy { $0 < 0.05 })
    let sizes = pieces.dropLast().map(\.samples.count)
    #expect(sizes.allSatisfy { $0 == 1600 })
    // No buffer is said to be from the future.
    #expect(pieces.allSatisfy { Double($0.hostTime) < Double($0.arrival) })

    // Sound: all of it, in one piece.
    var samples = record.samples
    let comparison = SignalComparison(of: noise, in: samples, rate: 16_000, reach: 1600)
    #expect(comparison.missing == 0)
    #expect(comparison.chunks == 40)
    #expect(comparison.spread <= 320)

    // The comparison sees 30 ms that are not there. On a busy machine much silence lies around the noise.
    let middle = (samples.firstIndex { abs($0) > 0.05 } ?? 0) + 5 * 16_000
    try #require(middle + 480 < samples.count)
    samples.removeSubrange(middle..<middle + 480)
    let faulty = SignalComparison(of: noise, in: samples, rate: 16_000, reach: 1600)
    #expect(faulty.missing > 0 || faulty.spread > 320)
  }

  /// The tap of 2026: buffers that can be kept and read anywhere, and an error for what cannot be recorded.
  @Test func audioTapGivesFixedBuffers() async throws {
    let server = try await PulseServer()
    let engine = AVAudioEngine(server: server.address)
    let node = engine.inputNode
    let wrong = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
    #expect {
      try node.installAudioTap(onBus: 0, bufferSize: 1600, format: wrong) { _, _ in }
    } throws: { "\($0)".contains("AVAudioConverter") }
    let (buffers, continuation) = AsyncStream<AVReadOnlyAudioPCMBuffer>.makeStream()
    try node.installAudioTap(onBus: 0, bufferSize: 1600, format: node.outputFormat(forBus: 0)) {
      buffer, time in
      if time.isSampleTimeValid { continuation.yield(buffer) }
    }
    try engine.start()
    var frames = 0
    for await buffer in buffers {
      #expect(buffer.frameLength == 1600 && buffer.format.sampleRate == 16_000)
      frames += buffer.frameLength
      if frames >= 8000 { break }
    }
    engine.stop()
    node.removeTap(onBus: 0)
  }

  @Test func buffersHaveRequestedSizeAndFormat() async throws {
    let server = try await PulseServer(rate: 44_100, channels: 2)
    let engine = AVAudioEngine(server: server.address)
    let record = TapRecord()
    let node = engine.inputNode
    #expect(node.outputFormat(forBus: 0) == AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
    try engine.start()
    for (size, expected) in [(1024, 4410), (10_000, 10_000), (100_000, 17_640)] {
      let record = TapRecord()
      node.installTap(onBus: 0, bufferSize: UInt32(size), format: nil) { record.add($0, $1) }
      #expect(await eventually { record.pieces.count >= 3 })
      node.removeTap(onBus: 0)
      let sizes = record.pieces.prefix(2).map(\.samples.count)
      #expect(sizes.allSatisfy { $0 == expected })
      let after = record.pieces.count
      // The next tap hears something; the one before hears no more.
      let next = TapRecord()
      node.installTap(onBus: 0, bufferSize: 4410, format: nil) { next.add($0, $1) }
      #expect(await eventually { next.pieces.count >= 3 })
      node.removeTap(onBus: 0)
      #expect(record.pieces.count == after)
    }
    let format = AVAudioFormat(
      commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 1, interleaved: true)
    node.installTap(onBus: 0, bufferSize: 4410, format: format) { record.add($0, $1) }
    #expect(await eventually { !record.pieces.isEmpty })
    #expect(record.pieces.first?.format == format)
    engine.stop()
  }

  @Test func survivesTheDeathOfTheServer() async throws {
    let server = try await PulseServer()
    let (engine, record) = Self.tapped(server)
    try engine.start()
    #expect(await eventually { record.frames > 8000 })
    let posted = PostedNotifications()
    server.kill()
    #expect(await eventually { posted.count("began") == 1 })
    #expect(!engine.isRunning)
    #expect(posted.names == ["configuration", "began"])
    let before = record.frames

    try server.start()
    #expect(await eventually { posted.count("ended, should resume") == 1 })
    try engine.start()
    #expect(await eventually { record.frames > before + 8000 })
    #expect(record.jumps.count == 1)
    #expect(posted.count("configuration") == 1)
    #expect(posted.count("began") == 1)
    engine.stop()
  }

  @Test func survivesTheLossOfTheSource() async throws {
    let server = try await PulseServer(hasSink: false)
    let sink = ["load-module", "module-null-sink", "sink_name=mic", "rate=16000", "norewinds=1"]
    let module = try server.control(sink[0], sink[1], sink[2], sink[3], sink[4], "channels=1")
    let (engine, record) = Self.tapped(server)
    try engine.start()
    #expect(await eventually { record.frames > 8000 })
    let posted = PostedNotifications()
    try server.control("unload-module", module)
    #expect(await eventually { posted.count("route 2") == 1 })
    #expect(!engine.isRunning)
    #expect(posted.names == ["configuration", "began", "route 2"])
    #expect(engine.inputNode.outputFormat(forBus: 0).channelCount == 0)
    let error = #expect(throws: NSError.self) { try engine.start() }
    #expect(try #require(error).localizedDescription.contains("no source; connect a microphone"))

    try server.control(sink[0], sink[1], sink[2], sink[3], sink[4], "channels=2")
    #expect(await eventually { posted.count("ended, should resume") == 1 })
    let before = record.frames
    try engine.start()
    #expect(engine.inputNode.outputFormat(forBus: 0).channelCount == 2)
    #expect(await eventually { record.frames > before + 8000 })
    #expect(posted.count("configuration") == 1)
    engine.stop()
  }

  @Test func followsAMoveAndStopsWhereTheFormatChanges() async throws {
    let server = try await PulseServer()
    let same = ["module-null-sink", "sink_name=same", "rate=16000", "channels=1"]
    try server.control("load-module", same[0], same[1], same[2], same[3])
    try server.control("load-module", same[0], "sink_name=other", "rate=48000", same[3])
    let (engine, record) = Self.tapped(server)
    engine.inputNode.source = try CaptureDevice.all(server: server.address).first { $0.name == "mic.monitor" }
    try engine.start()
    let stream = try #require(
      try server.control("list", "short", "source-outputs").split(whereSeparator: \.isWhitespace).first)
    let posted = PostedNotifications()
    try server.control("move-source-output", String(stream), "same.monitor")
    #expect(await eventually { posted.count("route 8") == 1 })
    #expect(engine.isRunning)
    #expect(posted.names == ["route 8"])
    let before = record.frames
    #expect(await eventually { record.frames > before + 8000 })
    try server.control("move-source-output", String(stream), "other.monitor")
    #expect(await eventually { posted.count("route 8") == 2 })
    #expect(!engine.isRunning)
    #expect(posted.names == ["route 8", "configuration", "route 8"])
  }

  @Test func tellsOfASuspendedSource() async throws {
    let server = try await PulseServer()
    let (engine, record) = Self.tapped(server)
    try engine.start()
    #expect(await eventually { record.frames > 8000 })
    let posted = PostedNotifications()
    let start = ContinuousClock.now
    try server.control("suspend-sink", "mic", "1")
    #expect(await eventually { posted.names == ["began"] })
    let before = record.frames
    try await Task.sleep(for: .seconds(1))
    try server.control("suspend-sink", "mic", "0")
    #expect(await eventually { posted.names == ["began", "ended, should resume"] })
    #expect(await eventually { record.frames > before + 8000 })
    #expect(engine.isRunning)
    engine.stop()
    // At least the second of sleep, and no more than all of it took, however busy the machine is.
    let most = engine.inputNode.outputFormat(forBus: 0).sampleRate * ((.now - start) / .seconds(1))
    let jumps = record.jumps
    #expect(jumps.count == 1)
    #expect(jumps.allSatisfy { $0 >= 12_000 && Double($0) <= most })
  }
}
