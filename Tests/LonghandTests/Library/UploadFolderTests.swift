import Foundation
import Testing

@testable import LonghandArchive

@Suite struct UploadFolderTests {
  private func temporary(_ body: (UploadFolder, URL) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("uploads-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    try body(UploadFolder(url), url)
  }

  @Test func partsFollowEachOther() throws {
    try temporary { uploads, _ throws in
      let upload = try uploads.begin(name: "/home/me/talk.MP3", size: 10)
      #expect(upload.name == "talk.MP3")
      #expect(uploads.content(of: upload).lastPathComponent == "content.mp3")
      #expect(try uploads.append(Data("hello".utf8), at: 0, to: upload.id) == 5)
      // The answer was lost, and the part is sent again.
      #expect(throws: UploadFolder.Problem.wrongOffset(received: 5)) {
        try uploads.append(Data("hello".utf8), at: 0, to: upload.id)
      }
      #expect(throws: UploadFolder.Problem.tooLong(size: 10)) {
        try uploads.append(Data("hello!".utf8), at: 5, to: upload.id)
      }
      #expect(uploads.received(of: upload) == 5)
      #expect(try uploads.append(Data("world".utf8), at: 5, to: upload.id) == 10)
      #expect(uploads.all == [upload])
      #expect(try Data(contentsOf: uploads.content(of: upload)) == Data("helloworld".utf8))
      #expect(
        try uploads.sha256(of: upload) == "936a185caaa266bb9cbe981e9e05cb78cd732b0b3280eb944412bb6f8f8f07af")
      uploads.remove(upload.id)
      #expect(uploads.all.isEmpty)
      #expect(throws: UploadFolder.Problem.unknown) { try uploads.append(Data(), at: 0, to: upload.id) }
    }
  }

  @Test func onlyTheOwnerReadsThem() throws {
    try temporary { uploads, url throws in
      let upload = try uploads.begin(name: "talk.wav", size: 1)
      let file = uploads.content(of: upload)
      func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
      }
      #expect(try mode(url) == 0o700)
      #expect(try mode(file.deletingLastPathComponent()) == 0o700)
      #expect(try mode(file) == 0o600)
    }
  }

  @Test(arguments: ["..", "../../x", "a/b", ".", "", "c:\\x\\talk.wav"])
  func nameIsNeverAPath(_ name: String) throws {
    try temporary { uploads, url throws in
      let upload = try uploads.begin(name: name, size: 1)
      #expect(!upload.name.contains("/"))
      #expect(!upload.name.contains("\\"))
      #expect(uploads.content(of: upload).standardized.path.hasPrefix(url.standardized.path))
      uploads.remove("../..")
      #expect(uploads.all == [upload])
    }
  }
}
