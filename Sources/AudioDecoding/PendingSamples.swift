import Foundation

/// Decoded samples that have not been read yet: about one frame of the codec.
package final class PendingSamples {
  private let bytesPerFrame: Int
  private var planes: [UnsafeMutablePointer<UInt8>?]
  private var capacity = 0
  private var start = 0
  /// How many frames are waiting.
  package private(set) var count = 0

  package init(layout: SampleLayout) {
    bytesPerFrame = layout.bytesPerFrame
    planes = Array(repeating: nil, count: layout.bufferCount)
  }

  deinit { planes.forEach { free($0) } }

  /// Makes room for `room` frames after the waiting ones and calls `write` to fill it. Returns how many it wrote.
  package func append(room: Int, write: ([SampleConverter.Plane]) -> Int?) -> Int {
    guard room > 0, reserve(room) else { return 0 }
    let offset = (start + count) * bytesPerFrame
    let written = write(planes.map { $0.map { $0 + offset } }) ?? 0
    count += written
    return written
  }

  /// Moves up to `wanted` frames into `target`, starting at its frame `offset`. Returns how many.
  package func take(_ wanted: Int, into target: [SampleConverter.Plane], at offset: Int) -> Int {
    let taken = min(wanted, count)
    for (source, destination) in zip(planes, target) {
      guard let source, let destination else { continue }
      memcpy(destination + offset * bytesPerFrame, source + start * bytesPerFrame, taken * bytesPerFrame)
    }
    drop(taken)
    return taken
  }

  /// Removes the first `dropped` frames.
  package func drop(_ dropped: Int) {
    count -= min(dropped, count)
    start = count == 0 ? 0 : start + dropped
  }

  private func reserve(_ room: Int) -> Bool {
    guard start + count + room > capacity else { return true }
    let wanted = start + count + room
    for index in planes.indices {
      guard let memory = realloc(planes[index], wanted * bytesPerFrame) else { return false }
      planes[index] = memory.assumingMemoryBound(to: UInt8.self)
    }
    capacity = wanted
    return true
  }
}
