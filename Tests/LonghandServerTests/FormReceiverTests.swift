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

  /// Where a descriptor of this process leads.
  private func path(_ descriptor: Int) -> String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")) ?? ""
  }

  /// How the uploads that this process has open begin: other tests receive files at the same moment.
  private var uploads: [Data] {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return numbers.compactMap { Int($0) }.filter { path($0).contains("longhand-upload-") }.map { number in
      var beginning = Data(count: 100)
      // A number may have become a pipe's meanwhile, which has no places and is not read.
      let count = beginning.withUnsafeMutableBytes { pread(Int32(number), $0.baseAddress, $0.count, 0) }
      return beginning.prefix(max(0, count))
    }
  }

  @Test func aFileHasNoNameAndGoesWithTheForm() throws {
    let receiver = try receiver()
    let text = UUID().uuidString
    let sound = Data(text.utf8)
    receiver.take(part("name=model", "m") + part("name=file; filename=../../x", text) + Data("--b--".utf8))
    var form: ReceivedForm? = try receiver.finish()
    let descriptor = try #require(form?.file?.descriptor)
    #expect(form?.fields.map(\.name) == ["model"])
    #expect(form?.file?.name == "../../x")
    #expect(path(Int(descriptor)).hasSuffix(" (deleted)"))
    #expect(uploads.contains(sound))
    form = nil
    #expect(!uploads.contains(sound))
  }

  @Test func whatIsGivenUpLeavesNoFile() throws {
    let sound = Data(UUID().uuidString.utf8)
    var receiver: FormReceiver? = try receiver()
    receiver?.take(part("name=file; filename=x", String(decoding: sound, as: UTF8.self)))
    // The end of what has come may still be the beginning of the mark after it.
    let isThere = { uploads.contains { $0.count > 20 && sound.starts(with: $0) } }
    #expect(isThere())
    receiver = nil
    #expect(!isThere())
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
