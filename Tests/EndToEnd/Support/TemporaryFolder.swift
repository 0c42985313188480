import Foundation

/// A folder of the test's own, gone with the test.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("longhand-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a name in it.
  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file into it.
  @discardableResult func write(_ text: String, to name: String) throws -> String {
    try write(Data(text.utf8), to: name)
  }

  /// Writes a file into it, with the folders on its way.
  @discardableResult func write(_ data: Data, to name: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
    return file.path
  }

  /// What a file in it holds.
  func read(_ name: String) throws -> String {
    try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
  }

  /// Whether a name is taken.
  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// The sound's file of the one recording of the library in it; nil before there is one.
  var recordedSound: URL? {
    let recordings = url.appendingPathComponent("library/recordings")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: recordings.path)) ?? []
    return names.count == 1 ? recordings.appendingPathComponent("\(names[0])/audio.wav") : nil
  }

  /// Bytes before the first sample of such a file.
  static let soundHeader = 80

  /// The samples in that file; empty before there is one.
  var recordedSamples: Data {
    Data((recordedSound.flatMap { try? Data(contentsOf: $0) } ?? Data()).dropFirst(Self.soundHeader))
  }

  /// Everything in it, hidden files too.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }
}
