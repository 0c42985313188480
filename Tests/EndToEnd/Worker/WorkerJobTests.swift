import Foundation
import Testing

@testable import LonghandCommand

/// The lines that a worker reads, without a recognizer.
@Suite struct WorkerJobTests {
  private static let maxLength = 1000

  private func lines(_ bytes: [UInt8]) async throws -> [LineReader.Line] {
    let pipe = Pipe()
    let writing = pipe.fileHandleForWriting
    Thread.detachNewThread {
      try? writing.write(contentsOf: Data(bytes))
      try? writing.close()
    }
    let reader = LineReader(
      StreamReader(descriptor: pipe.fileHandleForReading.fileDescriptor, name: "the test"),
      maxLength: Self.maxLength)
    var lines: [LineReader.Line] = []
    while let line = try await reader.next() { lines.append(line) }
    withExtendedLifetime(pipe) {}
    return lines
  }

  @Test func everyLineIsReadAndTheLastNeedsNoEnd() async throws {
    #expect(try await lines([]) == [])
    #expect(try await lines(Array("a\n\nb".utf8)) == [.bytes([0x61]), .bytes([]), .bytes([0x62])])
    #expect(try await lines(Array("a\n".utf8)) == [.bytes([0x61])])
  }

  @Test func aLineThatIsTooLongHidesNoOther() async throws {
    let long = [UInt8](repeating: 0x78, count: 300_000)
    #expect(
      try await lines([0x61, 0x0A] + long + [0x0A, 0x62]) == [.bytes([0x61]), .tooLong, .bytes([0x62])])
    #expect(try await lines(long) == [.tooLong])
  }

  @Test func optionsBecomeArguments() throws {
    let line = #"{"id": "a", "path": "b", "options": {"model": "m", "alternatives": 3, "normalize": true}}"#
    let job = try WorkerJob(Array(line.utf8), options: Option.recognition + [.normalize])
    #expect(job.arguments == ["--alternatives=3", "--model=m", "--normalize"])
  }

  #if os(Linux)
    @Test(arguments: ["aws s3 cp", "{url}", "curl '{url}", ""]) func commandWithoutPlaceIsRefused(
      _ text: String
    ) {
      #expect(throws: Failure.self) { try FetchCommand(text) }
    }

    @Test func urlsAreDistinguishedFromPaths() {
      #expect(FetchCommand.isRemote("s3://bucket/key"))
      #expect(FetchCommand.isRemote("https://localhost/a.wav"))
      #expect(!FetchCommand.isRemote("file:///a.wav"))
      #expect(!FetchCommand.isRemote("/archive/a: b.wav"))
    }
  #endif
}
