import Foundation
import Longhand

// Records into a new folder until it is killed. Tests kill it at random times.
//
// usage: RecordingProcess FOLDER [two]
//
// It appends a tenth of a second at a time, much faster than real time. After each flush it prints the number of durable
// frames. The sample at position N is `Int16(truncatingIfNeeded: N &* 31)`.
//
// With "two" it records two sources at the pace of time, each its own channel, and prints the number of frames that each
// has delivered. Their samples are 8000 and -8000.

/// A source of equal samples.
final class SteadySource: AudioCapture, @unchecked Sendable {
  let name = "steady"
  private let samples: Data
  private let lock = NSLock()
  private var take: (@Sendable (CapturedAudio) -> Void)?

  init(_ value: Int16) {
    samples = [Int16](repeating: value, count: 1600).withUnsafeBytes { Data($0) }
  }

  func format() throws -> RecordingFormat { RecordingFormat(sampleRate: 16_000, channels: 1) }
  func start(_ take: @escaping @Sendable (CapturedAudio) -> Void) throws {
    lock.withLock { self.take = take }
  }
  func stop() { lock.withLock { take = nil } }
  func deliver() { lock.withLock { take }?(.samples(samples, at: nil)) }
}

let folder = RecordingFolder(URL(fileURLWithPath: CommandLine.arguments[1]))

if CommandLine.arguments.dropFirst(2).first == "two" {
  let sources = [SteadySource(8000), SteadySource(-8000)]
  let recorder = try AudioRecorder(folder, from: CombinedCapture(sources))
  let start = ProcessInfo.processInfo.systemUptime
  for count in 1... {
    Thread.sleep(forTimeInterval: max(0, start + Double(count) / 10 - ProcessInfo.processInfo.systemUptime))
    for source in sources { source.deliver() }
    FileHandle.standardOutput.write(Data("\(count * 1600)\n".utf8))
  }
  withExtendedLifetime(recorder) {}
}

let format = RecordingFormat(sampleRate: 16_000, channels: 1)
let writer = try RecordingWriter(folder, RecordingManifest(source: "numbers", format: format))
var place = 0
while true {
  for _ in 0..<5 {
    let samples = (place..<place + 1600).map { Int16(truncatingIfNeeded: $0 &* 31) }
    writer.append(samples.withUnsafeBytes { Data($0) })
    place += 1600
  }
  // Every tenth second is a gap.
  if place % 160_000 == 0 {
    writer.skip(800, .device)
    place += 800
  }
  try writer.flush()
  FileHandle.standardOutput.write(Data("\(writer.frames)\n".utf8))
}
