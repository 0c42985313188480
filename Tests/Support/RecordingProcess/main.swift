import Foundation
import Longhand

// Records numbered samples into a new folder until it is killed. Tests kill it at random times.
//
// usage: RecordingProcess FOLDER
//
// It appends a tenth of a second at a time, much faster than real time. After each flush it prints the number of durable
// frames. The sample at position N is `Int16(truncatingIfNeeded: N &* 31)`.

let format = RecordingFormat(sampleRate: 16_000, channels: 1)
let writer = try RecordingWriter(
  RecordingFolder(URL(fileURLWithPath: CommandLine.arguments[1])),
  RecordingManifest(source: "numbers", format: format))
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
