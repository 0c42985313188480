import Foundation
import LonghandTesting
import TestSupport
import Testing

@testable import LonghandRecording

/// Two sources that are recorded at once.
@Suite struct CombinedCaptureTests {
  private let parent: URL
  private let folder: RecordingFolder

  init() throws {
    parent = FileManager.default.temporaryDirectory.appendingPathComponent("combined-\(UUID())")
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    folder = RecordingFolder(parent.appendingPathComponent("session"))
  }

  private func clean() { try? FileManager.default.removeItem(at: parent) }

  /// The samples of each channel.
  private func samples() throws -> [[Int16]] {
    let all = RecordingFormat.samples(in: try Data(contentsOf: folder.audio).dropFirst(WaveHeader.length))
    return (0..<2).map { channel in stride(from: channel, to: all.count, by: 2).map { all[$0] } }
  }

  private static func sound(_ value: Int16) -> Data {
    [Int16](repeating: value, count: 1600).withUnsafeBytes { Data($0) }
  }

  @Test func sourceThatVanishesAndComesBackIsAGapOfItsChannel() async throws {
    defer { clean() }
    let (clock, sources) = (ManualClock(), [SimulatedMicrophone(name: "a"), SimulatedMicrophone(name: "b")])
    let capture = CombinedCapture(sources, names: ["Anna", "Ben"]) { clock.now }
    let recorder = try AudioRecorder(folder, from: capture) { clock.now }
    func speak(_ tenths: Int, _ speaking: [Int]) {
      for _ in 0..<tenths {
        clock.advance(by: 0.1)
        for index in speaking { sources[index].speak(Self.sound(index == 0 ? 8000 : -8000)) }
      }
      recorder.flush()
    }
    speak(30, [0, 1])
    sources[1].refuse(1)
    sources[1].fail("unplugged")
    speak(30, [0])
    // The source is opened again by itself.
    var waited = 0
    while sources[1].starts < 2, waited < 300 {
      speak(1, [0])
      waited += 1
      try await Task.sleep(for: .milliseconds(20))
    }
    // A busy machine may take two attempts.
    #expect((2...4).contains(sources[1].starts))
    speak(30, [0, 1])
    let manifest = try recorder.stop()
    #expect(manifest.format == RecordingFormat(sampleRate: 16_000, channels: 2))
    let frames = try #require(manifest.frames)
    #expect(frames > Int64(90 + waited - 5) * 1600)
    #expect(!manifest.gaps.isEmpty)
    #expect(manifest.gaps.allSatisfy { $0.channel == 1 })
    #expect(manifest.gaps.allSatisfy { $0.reason == .device })
    let missing = manifest.gaps.reduce(0) { $0 + $1.frames }
    #expect(missing >= Int64(30 + waited) * 1600 - 800)
    #expect(missing <= Int64(30 + waited + 8) * 1600)
    let samples = try samples()
    // Both ends of the interpolation may differ.
    #expect(samples[0].count { $0 != 8000 } <= 8)
    let gaps = manifest.gaps.map { Int($0.start)..<Int($0.start + $0.frames) }
    let silent = samples[1].indices.filter { samples[1][$0] > -4000 }
    #expect(silent.allSatisfy { frame in gaps.contains { $0.contains(frame) } || frame < 4 })
    #expect(abs(Int64(silent.count) - missing) <= 8)
    let events = await recorder.events.reduce(into: [RecordingEvent]()) { $0.append($1) }
    #expect(events.contains(.sourceLost("b", why: nil)))
    #expect(events.contains(.sourceRecovered("b")))
    #expect(try RecordingManifest(of: folder).gaps == manifest.gaps)
  }

  @Test func sourceThatCannotBeOpenedAtFirstIsAnError() throws {
    defer { clean() }
    let sources = [SimulatedMicrophone(), SimulatedMicrophone()]
    sources[1].refuse(1)
    #expect(throws: SimulatedMicrophone.Refused.self) {
      _ = try AudioRecorder(folder, from: CombinedCapture(sources))
    }
  }

  /// Kills at any moment: at most a second of each channel is gone. 100 kills in `make soak`.
  @Test(.tagged(.childProcess), .timeLimit(.minutes(20))) func killLosesAtMostASecondOfEachChannel() throws {
    defer { clean() }
    var most = 0.0
    for round in 0..<(isSoak ? 100 : 3) {
      try? FileManager.default.removeItem(at: folder.url)
      let process = Process()
      let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      process.executableURL = bundle.deletingLastPathComponent().appendingPathComponent("RecordingProcess")
      process.arguments = [folder.url.path, "two"]
      let log = parent.appendingPathComponent("log")
      try Data().write(to: log)
      process.standardOutput = try FileHandle(forWritingTo: log)
      try process.run()
      usleep(.random(in: 1_200_000...3_000_000))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let lines = String(decoding: try Data(contentsOf: log), as: UTF8.self).split(separator: "\n")
      let delivered = lines.last.flatMap { Double($0) } ?? 0
      // It may be killed before it records.
      guard FileManager.default.fileExists(atPath: folder.manifest.path) else { continue }
      guard case .recovered(let manifest) = try RecordingRecovery().recover(folder) else {
        Issue.record("round \(round) was not recovered")
        continue
      }
      let frames = try #require(manifest.frames)
      most = max(most, (delivered - Double(frames)) / 16_000)
      let samples = try samples()
      #expect(samples.allSatisfy { $0.count >= Int(frames) })
      #expect(samples[0].prefix(Int(frames)).dropFirst(4).allSatisfy { $0 == 8000 })
      #expect(samples[1].prefix(Int(frames)).dropFirst(4).allSatisfy { $0 == -8000 })
    }
    // Beside other tests the whole machine may be late by as much again.
    #expect(most <= (isSoak ? 1 : 2))
    print("at most \(most) s of each channel lost")
  }
}

#if os(Linux)
  import AVFAudio
  import SoundServer

  extension EngineCaptureTests {
    /// Two sources record the same sound, and it is at the same place in both channels.
    @Test func twoSourcesAreAligned() async throws {
      let parent = FileManager.default.temporaryDirectory.appendingPathComponent("two-sinks-\(UUID())")
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: parent) }
      let folder = RecordingFolder(parent.appendingPathComponent("session"))
      let server = try await PulseServer()
      // Two sources of one sound: a sink that plays into two others delays one of them as it likes.
      try server.control("load-module", "module-remap-source", "source_name=other", "master=mic.monitor")
      let (file, _) = try server.noise(seconds: 4)
      let address = server.address
      let sources = ["mic.monitor", "other"].map { name in
        EngineCapture(name: name) {
          let engine = AVAudioEngine(server: address)
          engine.inputNode.source = try? CaptureDevice.all(server: address).first { $0.name == name }
          return engine
        }
      }
      let recorder = try AudioRecorder(folder, from: CombinedCapture(sources))
      try await Task.sleep(for: .seconds(1))
      let player = try server.play(file)
      #expect(await eventually { !player.isRunning })
      try await Task.sleep(for: .seconds(1))
      let manifest = try recorder.stop()
      #expect(manifest.gaps.isEmpty)
      let all = RecordingFormat.samples(in: try Data(contentsOf: folder.audio).dropFirst(WaveHeader.length))
      let channels = (0..<2).map { channel in
        stride(from: channel, to: all.count, by: 2).map { Float(all[$0]) / 32_768 }
      }
      let first = try #require(channels[0].firstIndex { abs($0) > 0.05 })
      for start in stride(from: first + 8000, to: first + 48_000, by: 16_000) {
        let shift = try #require(Self.shift(channels[0], channels[1], at: start))
        #expect(abs(shift) <= 320, "\(shift) frames at \(start)")
      }
    }

    /// How many frames later the second channel has a part of the first one, by the greatest correlation within 50 ms.
    private static func shift(_ first: [Float], _ second: [Float], at start: Int) -> Int? {
      guard start >= 800, start + 3200 + 800 <= min(first.count, second.count) else { return nil }
      return first.withUnsafeBufferPointer { first in
        second.withUnsafeBufferPointer { second in
          (-800...800).max { one, other in
            func product(_ shift: Int) -> Float {
              var sum: Float = 0
              for frame in start..<start + 3200 { sum += first[frame] * second[frame + shift] }
              return sum
            }
            return product(one) < product(other)
          }
        }
      }
    }
  }
#endif
