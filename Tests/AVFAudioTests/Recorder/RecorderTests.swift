import SoundServer
import Synchronization
import TestSupport
import Testing

@testable import AVFAudio

/// Recorders and players over real servers.
@Suite(.tagged(.soundServer), .serialized, .timeLimit(.minutes(5))) struct RecorderTests {
  private static var settings: [String: Any] {
    [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 16_000, AVNumberOfChannelsKey: 1]
  }

  @Test func recordedFileHasAllPlayedAudio() async throws {
    let server = try await PulseServer()
    let (file, noise) = try server.noise(seconds: 3)
    let url = server.folder.appendingPathComponent("note.wav")
    let recorder = try AVAudioRecorder(url: url, settings: Self.settings, server: server.address)
    let ends = RecorderEnds()
    recorder.delegate = ends
    recorder.isMeteringEnabled = true
    #expect(!FileManager.default.fileExists(atPath: url.path))
    #expect(recorder.record())
    #expect(recorder.isRecording)
    #expect(await eventually { recorder.currentTime > 0 })
    recorder.updateMeters()
    #expect(recorder.averagePower(forChannel: 0) == -160)
    let player = try server.play(file)
    #expect(await eventually { !player.isRunning })
    recorder.updateMeters()
    // Noise between -0.5 and 0.5: -10.8 dBFS on average while it was played, -6 dBFS at most.
    #expect((-20)...(-10) ~= recorder.averagePower(forChannel: 0))
    #expect((-6.5)...(-6) ~= recorder.peakPower(forChannel: 0))
    let end = recorder.currentTime + 1
    #expect(await eventually { recorder.currentTime > end })
    recorder.stop()
    #expect(!recorder.isRecording)
    #expect(await eventually { ends.finished == [true] })

    let recorded = try AVAudioFile(forReading: url)
    #expect(recorded.processingFormat.sampleRate == 16_000)
    let comparison = SignalComparison(of: noise, in: try recorded.rest(), rate: 16_000, reach: 1600)
    #expect(comparison.missing == 0)
    #expect(comparison.spread <= 320)
    #expect(recorder.deleteRecording())
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test func durationIsExactAtAnotherRate() async throws {
    let server = try await PulseServer(rate: 44_100, channels: 2)
    let url = server.folder.appendingPathComponent("note.flac")
    let settings: [String: Any] = [AVSampleRateKey: 16_000, AVNumberOfChannelsKey: 1]
    let recorder = try AVAudioRecorder(url: url, settings: settings, server: server.address)
    let ends = RecorderEnds()
    recorder.delegate = ends
    #expect(recorder.record(forDuration: 1.5))
    #expect(await eventually { ends.finished == [true] })
    #expect(try AVAudioFile(forReading: url).length == 24_000)
  }

  /// Durations that are no number of frames, and whether the recording is over at once.
  private static let extremeDurations: [(TimeInterval, Bool)] = [
    (.infinity, false), (1e300, false), (.nan, true), (-.infinity, true),
  ]

  @Test(arguments: extremeDurations)
  func extremeDurationsCanBeRecorded(duration: TimeInterval, isOver: Bool) async throws {
    let server = try await PulseServer()
    let url = server.folder.appendingPathComponent("note.wav")
    let recorder = try AVAudioRecorder(url: url, settings: Self.settings, server: server.address)
    let ends = RecorderEnds()
    recorder.delegate = ends
    #expect(recorder.record(forDuration: duration))
    #expect(await eventually { recorder.currentTime > 0.2 || !ends.finished.isEmpty })
    #expect(recorder.isRecording != isOver)
    recorder.stop()
    #expect(await eventually { ends.finished == [true] })
    let length = try AVAudioFile(forReading: url).length
    #expect((length == 0) == isOver)
  }

  /// The end of a recording waits in the main queue while the program begins the next one.
  @Test func endOfARecordingDoesNotEndTheNextOne() async throws {
    let server = try await PulseServer()
    let url = server.folder.appendingPathComponent("note.wav")
    let recorder = try AVAudioRecorder(url: url, settings: Self.settings, server: server.address)
    let ends = RecorderEnds()
    recorder.delegate = ends
    let gate = DispatchSemaphore(value: 0)
    DispatchQueue.main.async { gate.wait() }
    #expect(recorder.record(forDuration: 0.25))
    #expect(await eventually { recorder.currentTime == 0.25 })
    recorder.stop()
    #expect(recorder.record())
    gate.signal()
    #expect(await eventually { !ends.finished.isEmpty })
    #expect(await eventually { recorder.currentTime > 0.5 })
    #expect(recorder.isRecording)
    #expect(ends.finished == [true])
    recorder.stop()
    #expect(await eventually { ends.finished == [true, true] })
  }

  @Test func pausedTimeIsNotRecorded() async throws {
    let server = try await PulseServer()
    let url = server.folder.appendingPathComponent("note.caf")
    let recorder = try AVAudioRecorder(url: url, settings: Self.settings, server: server.address)
    recorder.record()
    #expect(await eventually { recorder.currentTime > 0.2 })
    recorder.pause()
    #expect(!recorder.isRecording)
    let paused = recorder.currentTime
    try await Task.sleep(for: .milliseconds(500))
    #expect(recorder.currentTime == paused)
    #expect(recorder.record())
    #expect(await eventually { recorder.currentTime > paused + 0.2 })
    let total = recorder.currentTime
    recorder.stop()
    let file = try AVAudioFile(forReading: url)
    #expect(Double(file.length) / 16_000 < total + 0.45)
  }

  @Test func unsupportedSettingsAreAnError() async throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: NSError.self) {
      try AVAudioRecorder(
        url: folder.file("note.m4a"),
        settings: [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 16_000, AVNumberOfChannelsKey: 1])
    }
    #expect(error?.localizedDescription.contains("only uncompressed audio and FLAC can be written") == true)

    let server = "unix:\(folder.file("native").path)"
    let recorder = try AVAudioRecorder(url: folder.file("note.wav"), settings: Self.settings, server: server)
    let ends = RecorderEnds()
    recorder.delegate = ends
    #expect(!recorder.record())
    #expect(ends.errors.count == 1)
    #expect(ends.errors.first?.contains("no sound server") == true)
  }
}

extension RecorderTests {
  /// Plays `file` while an engine records what the output plays.
  private static func recorded(
    _ server: PulseServer, _ file: URL, _ change: (AVAudioPlayer) -> Void = { _ in }
  ) async throws -> (player: AVAudioPlayer, samples: [Float]) {
    let (engine, record) = EngineTests.tapped(server)
    try engine.start()
    #expect(await eventually { record.frames > 0 })
    let player = try AVAudioPlayer(url: file, server: server.address)
    let ends = PlayerEnds()
    player.delegate = ends
    change(player)
    #expect(player.play())
    #expect(player.isPlaying)
    #expect(await eventually { ends.finished == [true] })
    #expect(!player.isPlaying)
    let end = record.frames + 8000
    #expect(await eventually { record.frames > end })
    engine.stop()
    return (player, record.samples)
  }

  @Test func playerPlaysTheWholeFile() async throws {
    let server = try await PulseServer()
    let (file, noise) = try server.noise(seconds: 3)
    let (player, samples) = try await Self.recorded(server, file) { $0.isMeteringEnabled = true }
    let comparison = SignalComparison(of: noise, in: samples, rate: 16_000, reach: 1600)
    #expect(comparison.missing == 0)
    #expect(player.duration == 3)
    player.updateMeters()
    #expect((-11.5)...(-10) ~= player.averagePower(forChannel: 0))
    #expect(player.currentTime == 0)
  }

  @Test func volumeLoopsAndPositionTakeEffect() async throws {
    let server = try await PulseServer()
    let (file, noise) = try server.noise(seconds: 1)
    let (_, samples) = try await Self.recorded(server, file) { player in
      player.volume = 0.5
      player.numberOfLoops = 1
      player.currentTime = 0.5
    }
    // Half a second, and then the whole second again, at half the volume.
    let played = Array(noise[8000...]) + noise
    #expect(SignalComparison(of: played, in: samples, rate: 16_000, reach: 1600).missing == 0)
    let peak = samples.map(abs).max() ?? 0
    #expect(0.2...0.26 ~= peak)
  }

  @Test func extremePositionsAreCutToTheFile() async throws {
    let folder = try TemporaryFolder()
    let player = try AVAudioPlayer(contentsOf: try folder.sweep("a.wav", frames: 16_000))
    let positions: [(TimeInterval, TimeInterval)] = [(.infinity, 1), (.nan, 0), (1e300, 1), (-.infinity, 0)]
    for (time, expected) in positions {
      player.currentTime = time
      #expect(player.currentTime == expected)
    }
  }

  /// All of the file is with the server by then.
  @Test func positionInTheLastHalfSecondTakesEffect() async throws {
    let server = try await PulseServer()
    let (file, _) = try server.noise(seconds: 3)
    let player = try AVAudioPlayer(url: file, server: server.address)
    // On a busy machine the end may come first.
    var ends = PlayerEnds()
    var isInTime = false
    for _ in 0..<5 where !isInTime {
      ends = PlayerEnds()
      player.delegate = ends
      player.currentTime = 2
      player.play()
      #expect(await eventually { player.currentTime > 2.55 || !player.isPlaying })
      player.currentTime = 0.1
      isInTime = player.isPlaying
    }
    #expect(isInTime)
    #expect(await eventually { 0.2...2 ~= player.currentTime || !ends.finished.isEmpty })
    #expect(ends.finished.isEmpty)
    player.stop()
  }

  @Test func endOfTheDecoderEndsThePlayer() async throws {
    let server = try await PulseServer()
    let file = try AVAudioFile(forReading: try server.noise(seconds: 10).0)
    let player = try AVAudioPlayer(file: file, server: server.address)
    let ends = PlayerEnds()
    player.delegate = ends
    player.play()
    #expect(await eventually { player.currentTime > 0.1 })
    kill(try #require(file.decodingProcess), SIGKILL)
    #expect(await eventually { ends.finished == [false] })
    #expect(ends.errors.count == 1)
    #expect(ends.errors.first?.contains("the decoder ended") == true)
    #expect(!player.isPlaying)
  }

  @Test func pausedPlayerContinues() async throws {
    let server = try await PulseServer()
    let (file, _) = try server.noise(seconds: 2)
    let player = try AVAudioPlayer(url: file, server: server.address)
    let ends = PlayerEnds()
    player.delegate = ends
    player.play()
    #expect(await eventually { player.currentTime > 0.2 })
    player.pause()
    #expect(!player.isPlaying)
    let paused = player.currentTime
    try await Task.sleep(for: .milliseconds(500))
    #expect(abs(player.currentTime - paused) < 0.3)
    #expect(player.play())
    #expect(await eventually { player.currentTime > paused + 0.3 })
    player.stop()
    #expect(player.currentTime > paused)
    server.kill()
    #expect(!player.play())
    #expect(ends.finished.isEmpty)
    let copy = try AVAudioPlayer(data: Data(contentsOf: file))
    #expect(copy.duration == 2)
    #expect(copy.url == nil)
  }

  @Test func endOfTheServerEndsThePlayer() async throws {
    let server = try await PulseServer()
    let (file, _) = try server.noise(seconds: 10)
    let player = try AVAudioPlayer(url: file, server: server.address)
    let ends = PlayerEnds()
    player.delegate = ends
    player.play()
    #expect(await eventually { player.currentTime > 0.1 })
    server.kill()
    #expect(await eventually { ends.finished == [false] })
    #expect(!player.isPlaying)
  }
}

/// What a recorder's delegate received.
private final class RecorderEnds: NSObject, AVAudioRecorderDelegate, Sendable {
  private let state = Mutex((finished: [Bool](), errors: [String]()))
  var finished: [Bool] { state.withLock { $0.finished } }
  var errors: [String] { state.withLock { $0.errors } }

  func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
    state.withLock { $0.finished.append(flag) }
  }
  func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {
    state.withLock { $0.errors.append(error?.localizedDescription ?? "") }
  }
}

/// What a player's delegate received.
private final class PlayerEnds: NSObject, AVAudioPlayerDelegate, Sendable {
  private let state = Mutex((finished: [Bool](), errors: [String]()))
  var finished: [Bool] { state.withLock { $0.finished } }
  var errors: [String] { state.withLock { $0.errors } }

  func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
    state.withLock { $0.finished.append(flag) }
  }
  func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {
    state.withLock { $0.errors.append(error?.localizedDescription ?? "") }
  }
}
