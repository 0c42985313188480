import Foundation
import Longhand
import Testing

@testable import LonghandServer

@Suite struct FormReceiverTests {
  private func receiver(maxFileBytes: Int64 = 1000) throws -> FormReceiver {
    try FormReceiver(contentType: "multipart/form-data; boundary=b", maxFileBytes: maxFileBytes)
  }

  private func part(_ head: String, _ content: String) -> Data {
    Data("--b\r\nContent-Disposition: form-data; \(head)\r\n\r\n\(content)\r\n".utf8)
  }

  /// The path of an open descriptor of this process.
  private func path(_ descriptor: Int) -> String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")) ?? ""
  }

  /// The first bytes of each upload that this process has open. Other tests receive files at the same time.
  private var uploads: [Data] {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return numbers.compactMap { Int($0) }.filter { path($0).contains("longhand-upload-") }.map { number in
      var beginning = Data(count: 100)
      // The descriptor may belong to a pipe by now, which pread does not read.
      let count = beginning.withUnsafeMutableBytes { pread(Int32(number), $0.baseAddress, $0.count, 0) }
      return beginning.prefix(max(0, count))
    }
  }

  @Test func fileHasNoNameAndIsDeletedWithTheForm() throws {
    let receiver = try receiver()
    let text = UUID().uuidString
    let content = Data(text.utf8)
    receiver.take(part("name=model", "m") + part("name=file; filename=../../x", text) + Data("--b--".utf8))
    var form: ReceivedForm? = try receiver.finish()
    let descriptor = try #require(form?.file?.descriptor)
    #expect(form?.fields.map(\.name) == ["model"])
    #expect(form?.file?.name == "../../x")
    #expect(path(Int(descriptor)).hasSuffix(" (deleted)"))
    #expect(uploads.contains(content))
    form = nil
    #expect(!uploads.contains(content))
  }

  /// Raw audio gets its header in the file without a name, where no program that is killed can leave it.
  @Test(arguments: [0, 1, 2, 79, 80, 81, 161, 1 << 20, (1 << 20) + 1, 5 << 19])
  func rawAudioBecomesAWaveFile(_ count: Int) throws {
    let receiver = try receiver(maxFileBytes: 1 << 30)
    // No byte is that of a boundary's beginning.
    let samples = Data((0..<count).map { UInt8(0x80 | $0 % 127) })
    receiver.take(
      Data("--b\r\nContent-Disposition: form-data; name=file; filename=x\r\n\r\n".utf8) + samples
        + Data("\r\n--b--".utf8))
    let form = try receiver.finish()
    let descriptor = try #require(form.file?.descriptor)
    try form.addWaveHeader(sampleRate: 16_000, channels: 1)
    #expect(path(Int(descriptor)).hasSuffix(" (deleted)"))
    lseek(descriptor, 0, SEEK_SET)
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readDataToEndOfFile()
    let whole = count - count % 2
    let header = whole > 0 ? WaveHeader(sampleRate: 16_000, channels: 1, dataBytes: UInt64(whole)).bytes : []
    #expect(file == Data(header) + samples.prefix(whole))
  }

  @Test func abandonedFormLeavesNoFile() throws {
    let content = Data(UUID().uuidString.utf8)
    var receiver: FormReceiver? = try receiver()
    receiver?.take(part("name=file; filename=x", String(decoding: content, as: UTF8.self)))
    // The last bytes are not written yet: they may be the start of a boundary.
    let isThere = { uploads.contains { $0.count > 20 && content.starts(with: $0) } }
    #expect(isThere())
    receiver = nil
    #expect(!isThere())
  }

  /// Other programs can fill the disk while a file is received.
  @Test func fullDiskIsNoticedWhileTheFileIsReceived() throws {
    var free = FormReceiver.reservedBytes
    let receiver = try FormReceiver(
      contentType: "multipart/form-data; boundary=b", maxFileBytes: 1 << 30, freeBytes: { _ in free })
    let mark = UUID().uuidString
    receiver.take(Data("--b\r\nContent-Disposition: form-data; name=file; filename=x\r\n\r\n\(mark)".utf8))
    let block = Data(repeating: 0x61, count: 1 << 20)
    for _ in 0..<20 { receiver.take(block) }
    #expect(uploads.contains { $0.starts(with: Data(mark.utf8)) })
    free -= 1
    for _ in 0..<20 { receiver.take(block) }
    // The file takes no space any more.
    #expect(!uploads.contains { $0.starts(with: Data(mark.utf8)) })
    receiver.take(Data("\r\n--b--".utf8))
    do {
      _ = try receiver.finish()
      Issue.record("a full disk is not reported")
    } catch let error as HTTPError {
      #expect(error.status == .diskFull)
    }
  }

  @Test func formBeyondALimitIsRefused() throws {
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
