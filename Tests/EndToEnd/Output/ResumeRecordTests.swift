import FileSupport
import Foundation
import Longhand
import Testing

@testable import LonghandCommand

@Suite struct ResumeRecordTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func entry(
    _ texts: [String]?, source: String = "/talks/a.flac", audio: String = "audio", isDone: Bool = true
  ) -> ResumeRecord.Entry {
    ResumeRecord.Entry(
      output: "a", source: source, isDone: isDone, sha256: audio, options: "options",
      files: texts?.map { SHA256.hash(data: Data($0.utf8)).hexadecimal })
  }

  @Test(arguments: ["The Winawer.", "Guten Morgen, Anna", "おはようございます"], [true, false])
  func editedOutputIsNotReplaced(_ text: String, _ isDone: Bool) throws {
    let record = try ResumeRecord(in: folder.url.path)
    let path = try folder.write(text, to: "a.txt")
    try record.add(entry([text], isDone: isDone))
    #expect(record.canReplace(path, of: entry(nil)))
    try folder.write(text + " corrected", to: "a.txt")
    #expect(!record.canReplace(path, of: entry(nil)))
  }

  /// A process that was killed between two files leaves the earlier text in one of them.
  @Test func textOfAnEarlierRunIsReplaced() throws {
    do {
      let record = try ResumeRecord(in: folder.url.path)
      try record.add(entry(["first"]))
      try record.add(entry(["second"], isDone: false))
    }
    let record = try ResumeRecord(in: folder.url.path)
    for text in ["first", "second"] {
      #expect(record.canReplace(try folder.write(text, to: "a.txt"), of: entry(nil)))
    }
    #expect(!record.canReplace(try folder.write("third", to: "a.txt"), of: entry(nil)))
  }

  @Test func outputOfAnotherInputIsNotReplaced() throws {
    let record = try ResumeRecord(in: folder.url.path)
    let path = try folder.write("text", to: "a.txt")
    try record.add(entry(["text"]))
    #expect(!record.canReplace(path, of: entry(nil, source: "/other/a.flac", audio: "other")))
    #expect(record.canReplace(path, of: entry(nil, source: "/moved/a.flac")))
    // The other input's file was written over it, and its own digests are the only ones that count.
    try record.add(entry(["other"], source: "/other/a.flac", audio: "other", isDone: false))
    #expect(!record.canReplace(path, of: entry(nil, source: "/other/a.flac", audio: "other")))
  }

  /// A record of an older version does not say what was written.
  @Test func outputWithoutADigestIsNotReplaced() throws {
    try folder.write(
      #"{"isDone":true,"options":"options","output":"a","sha256":"audio","source":"/talks/a.flac"}"# + "\n",
      to: ResumeRecord.name)
    let record = try ResumeRecord(in: folder.url.path)
    #expect(record.isDone(entry(nil)))
    #expect(!record.canReplace(try folder.write("text", to: "a.txt"), of: entry(nil)))
  }
}
