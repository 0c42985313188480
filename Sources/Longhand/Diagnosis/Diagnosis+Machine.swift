import Foundation

extension Diagnosis {
  /// Less free space than this is worth a warning: an hour of sound from standard input takes a tenth of it.
  private static let scarceBytes: Int64 = 1 << 30

  /// The folder for private copies of what comes from a pipe: there, writable, and with some space.
  public static let temporaryFolder: Probe = {
    let folder = FileManager.default.temporaryDirectory
    let trial = folder.appendingPathComponent("longhand-\(UUID().uuidString)")
    let remedy = "export TMPDIR=DIR  (a folder that can be written)"
    do {
      try Data("longhand".utf8).write(to: trial)
      try FileManager.default.removeItem(at: trial)
    } catch {
      let detail = "\(folder.path) cannot be written"
      return [Finding(name: "temporary folder", state: .missing, detail: detail, remedy: remedy)]
    }
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
    guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value else {
      return [Finding(name: "temporary folder", state: .ok, detail: folder.path)]
    }
    let detail = "\(folder.path), \(String(format: "%.1f", Double(free) / 1e9)) GB free"
    let isScarce = free < scarceBytes
    return [
      Finding(
        name: "temporary folder", state: isScarce ? .warning : .ok, detail: detail,
        remedy: isScarce ? remedy : nil)
    ]
  }

  /// How much can be done at once.
  public static let processors: Probe = {
    let count = ProcessInfo.processInfo.activeProcessorCount
    return [Finding(name: "processors", state: .ok, detail: "\(count)")]
  }
}
