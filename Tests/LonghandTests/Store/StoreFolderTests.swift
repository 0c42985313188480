import Foundation
import Longhand
import Testing

@Suite struct StoreFolderTests {
  private func mode(_ url: URL) -> mode_t {
    var status = stat()
    return stat(url.path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  /// Who can write in the folder could replace what was said.
  @Test func folderInWhichOthersCanWriteIsMendedOrRefused() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("folder-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (before, after) in [(0o777, 0o755), (0o775, 0o755), (0o770, 0o750), (0o700, 0o700), (0o755, 0o755)] {
      #expect(chmod(folder.path, mode_t(before)) == 0)
      _ = try TranscriptStore(at: folder)
      #expect(mode(folder) == mode_t(after))
    }
    // It is not this program's to close.
    #expect(chmod(folder.path, 0o1777) == 0)
    let error = #expect(throws: StoreError.self) { _ = try TranscriptStore(at: folder) }
    #expect(error.map { "\($0)" }?.contains("other users can write") == true)
    #expect(mode(folder) == 0o1777)
  }
}
