import Foundation
import Testing

@testable import LonghandServer

@Suite struct FormReceiverTests {
  private func receiver(room: Int64 = 1000) throws -> FormReceiver {
    try FormReceiver(contentType: "multipart/form-data; boundary=b", room: room)
  }

  private func part(_ head: String, _ content: String) -> Data {
    Data("--b\r\nContent-Disposition: form-data; \(head)\r\n\r\n\(content)\r\n".utf8)
  }

  @Test func aFileLiesForItsOwnerAloneAndGoesWithTheForm() throws {
    let receiver = try receiver()
    receiver.take(part("name=model", "m") + part("name=file; filename=../../x", "sound") + Data("--b--".utf8))
    var form: ReceivedForm? = try receiver.finish()
    let url = try #require(form?.file?.url)
    #expect(form?.fields.map(\.name) == ["model"] && form?.file?.name == "../../x")
    #expect(try Data(contentsOf: url) == Data("sound".utf8))
    let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o600)
    form = nil
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test func whatIsGivenUpLeavesNoFile() throws {
    let folder = FileManager.default.temporaryDirectory
    let sound = UUID().uuidString
    /// Other tests receive files at the same moment.
    func uploads() -> [URL] {
      let files =
        (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
      return files.filter { file in
        // The end of what has come may still be the beginning of the mark after it.
        let part = (try? Data(contentsOf: file)) ?? Data()
        return file.lastPathComponent.hasPrefix("longhand-upload-") && part.count > 20
          && sound.utf8.starts(with: part)
      }
    }
    var receiver: FormReceiver? = try receiver()
    receiver?.take(part("name=file; filename=x", sound))
    #expect(uploads().count == 1)
    receiver = nil
    #expect(uploads().isEmpty)
  }

  @Test func thereAreLimits() throws {
    let cases: [(Data, HTTPError.Status)] = [
      (part("name=file; filename=x", String(repeating: "a", count: 1001)), .tooLarge),
      (part("name=a", String(repeating: "a", count: 300 << 10)), .tooLarge),
      (part("name=other; filename=x", "a"), .badRequest),
      (part("name=file; filename=x", "a") + part("name=file; filename=y", "b"), .badRequest),
      ((0..<101).reduce(into: Data()) { all, _ in all += part("name=a", "") }, .badRequest),
      (
        Data("--b\r\nContent-Disposition: form-data; name=a\r\n\r\n".utf8) + Data([0xFF]) + Data("\r\n".utf8),
        .badRequest
      ),
      (Data("nonsense".utf8), .badRequest),
    ]
    for (body, status) in cases {
      let receiver = try receiver()
      receiver.take(body + Data("--b--".utf8))
      #expect(throws: HTTPError.self) {
        do { _ = try receiver.finish() } catch let error as HTTPError {
          #expect(error.status == status)
          throw error
        }
      }
    }
  }
}
