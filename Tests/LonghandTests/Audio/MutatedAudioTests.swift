import AVFAudio
import Foundation
import Longhand
import TestSupport
import Testing

@testable import LonghandRecording
@testable import LonghandTranscription

/// Damaged audio files are decoded as `transcribe` decodes them: none crashes or hangs or takes much memory, and every
/// second is accounted for.
@Suite(.tagged(.childProcess), .serialized) struct MutatedAudioTests {
  private static let seconds = 6.0
  private static let formats = ["wav", "flac", "mp3", "ogg", "opus", "m4a"]
  /// The mutated files of each format.
  private static let count = isSoak ? 334 : 7
  /// A file states its length, or has times, so that every difference can be found.
  private static let stated = ["wav", "flac", "mp3"]

  /// A sweep with a pause, encoded.
  private func encoded(_ format: String, in folder: URL) throws -> Data {
    let source = folder.appendingPathComponent("source.wav")
    let samples = (0..<Int(Self.seconds * 44_100)).map { frame in
      let time = Double(frame) / 44_100
      return (2..<3).contains(time) ? 0 : Float(0.4 * sin(2 * .pi * (200 + 100 * time) * time))
    }
    let buffer = try AudioChunk(samples, start: 0, sampleRate: 44_100).buffer
    let settings: [String: Any] = [AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1]
    let file = try AVAudioFile(forWriting: source, settings: settings)
    try file.write(from: buffer)
    file.close()
    let target = folder.appendingPathComponent("a.\(format)")
    _ = try Program.output(of: ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", source.path, target.path])
    return try Data(contentsOf: target)
  }

  private enum Mutation: CaseIterable { case bits, zeros, truncation, repetition, removal, header }

  private static func mutate(_ data: inout Data, _ random: inout SeededGenerator) -> Mutation {
    let mutation = Mutation.allCases.randomElement(using: &random) ?? .bits
    let start = Int.random(in: 0..<data.count, using: &random)
    let end = min(data.count, start + .random(in: 1...max(1, data.count / 3), using: &random))
    switch mutation {
    case .bits:
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        data[Int.random(in: 0..<data.count, using: &random)] ^=
          UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      }
    case .zeros: data.resetBytes(in: start..<end)
    case .truncation: data.removeLast(data.count - start)
    case .repetition: data.insert(contentsOf: data[start..<end], at: end)
    case .removal: data.removeSubrange(start..<end)
    case .header:
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        data[Int.random(in: 0..<min(200, data.count), using: &random)] = .random(in: 0...255, using: &random)
      }
    }
    return mutation
  }

  /// The largest memory of this process so far, in MB.
  private static var peakMemory: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
    return (line.flatMap { Int($0.filter(\.isNumber)) } ?? 0) / 1024
  }

  @Test(arguments: formats) func everySecondOfADamagedFileIsAccountedFor(format: String) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mutated-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let whole = try encoded(format, in: folder)
    var random = SeededGenerator(seed: 16)
    let memory = Self.peakMemory
    var (refused, unexplained, warned, longest) = (0, [String](), 0, 0.0)
    for number in 0..<Self.count {
      var data = whole
      let mutation = Self.mutate(&data, &random)
      let url = folder.appendingPathComponent("mutated.\(format)")
      try data.write(to: url)
      let began = ContinuousClock.now
      do {
        let source = try AudioFileSource(url)
        try await check(source, "\(format) \(number)")
        warned += source.warnings.isEmpty ? 0 : 1
        let isWhole = abs(source.duration - Self.seconds) <= 0.6
        if !isWhole, source.warnings.isEmpty {
          unexplained.append("\(number): \(mutation), \(source.duration) s")
        }
      } catch is TranscriptionError {
        refused += 1
      }
      longest = max(longest, (ContinuousClock.now - began) / .seconds(1))
    }
    #expect(longest < 20)
    #expect(Self.peakMemory < 1000)
    // A byte of audio that was never there leaves no trace in formats that do not state their length.
    if Self.stated.contains(format) { #expect(unexplained.count <= Self.count / 10, "\(unexplained)") }
    print(
      "\(format): \(Self.count) files, \(refused) refused, \(warned) with warnings, "
        + "\(unexplained.count) of another length without one, longest \(longest) s, memory \(memory) to \(Self.peakMemory) MB"
    )
    if isSoak { print("\(format): \(unexplained)") }
  }

  /// False times of packets: of a clock that is too fast or too slow, with jumps, and of any time at all.
  private static let times = [
    "PTS*0.9", "PTS*1.01", "PTS*100", "PTS*36000", "PTS+gt(N\\,20)*3600/TB", "PTS+mod(N\\,7)*0.2/TB",
    "N*60/TB",
    "PTS-gt(N\\,30)*2/TB", "PTS+random(1)*5/TB", "N*1000000/TB",
  ]

  @Test(arguments: [("mkv", "libopus"), ("mp4", "aac"), ("ts", "aac"), ("mov", "pcm_s16le")])
  func everySecondOfAFileWithFalseTimesIsAccountedFor(container: String, codec: String) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("times-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func make(_ name: String, _ arguments: [String]) throws -> URL {
      let file = folder.appendingPathComponent(name)
      _ = try Program.output(of: ["ffmpeg", "-nostdin", "-v", "quiet", "-y"] + arguments + [file.path])
      return file
    }
    let whole = try make(
      "whole.\(container)", ["-f", "lavfi", "-i", "sine=d=6:r=48000", "-c:a", codec])
    var random = SeededGenerator(seed: 38)
    var refused = 0
    for number in 0..<(isSoak ? 125 : 4) {
      let times = Self.times.randomElement(using: &random) ?? ""
      let name = "false.\(container)"
      guard let file = try? make(name, ["-i", whole.path, "-c", "copy", "-bsf:a", "setts=ts=\(times)"]) else {
        continue
      }
      do {
        try await check(try AudioFileSource(file), "\(container) \(number): \(times)")
      } catch is TranscriptionError {
        refused += 1
      }
    }
    print("\(container): \(refused) refused")
  }

  /// Reads and resamples a file to its end, and adds up its coverage.
  private func check(_ source: AudioFileSource, _ name: String) async throws {
    let format = try #require(
      AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: true))
    var frames = 0
    for try await input in AnalyzerInputs(audio: source, start: 0, format: format) {
      // A long gap is skipped.
      frames = input.bufferStartTime.map { Int($0.value) } ?? frames
      frames += Int(input.bufferDuration.value)
    }
    #expect(abs(Double(frames) / 16_000 - source.duration) < 0.01, "\(name)")
    let spans = CoverageSpan.all(of: source.duration, source.gaps.stretches(source.sampleRate))
    #expect(source.duration == 0 || spans.tile(source.duration), "\(name)")
    let gaps = source.gaps.reduce(0) { $0 + Double($1.frames) } / Double(source.sampleRate)
    #expect(abs(Coverage(spans).gaps - gaps) < 0.001, "\(name)")
    let lengths: Set<TranscriptWarning.Code> = [.shorterThanStated, .longerThanStated]
    #expect(
      (source.statedDuration != nil) == source.warnings.contains { lengths.contains($0.code) }, "\(name)")
    let damaged = source.warnings.filter { $0.code == .damaged }
    #expect(damaged.isEmpty == source.gaps.isEmpty, "\(name)")
    // Adjoining damage is one warning.
    #expect(zip(damaged, damaged.dropFirst()).allSatisfy { $1.start - $0.end >= 1 }, "\(name)")
  }
}
