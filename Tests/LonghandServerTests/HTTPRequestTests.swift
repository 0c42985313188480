import Foundation
import Longhand
import Testing

@testable import LonghandServer

@Suite struct HTTPRequestTests {
  /// Whatever was being written.
  @Test(arguments: [
    CocoaError(.fileWriteOutOfSpace) as any Error,
    RecordingError.system(action: "write", path: "a", number: ENOSPC),
  ])
  func aFullDiskIsOneError(error: any Error) {
    #expect(HTTPError(error).status == .diskFull)
    #expect(HTTPError(error).message.contains("disk is full"))
  }

  @Test func targetIsSplitIntoPathAndQuery() throws {
    let request = try HTTPRequest(
      method: "GET", target: "/api//sessions/a%2Fb?q=a+b%26c&q=d&empty=&flag&=x&c=1=2")
    #expect(request.path == ["api", "sessions", "a/b"])
    #expect(request.query.map(\.name) == ["q", "q", "empty", "flag", "", "c"])
    #expect(request.value("q") == "a b&c")
    #expect(request.value("c") == "1=2")
    #expect(request.value("flag") == "")
  }

  @Test(arguments: [
    "", "*", "api", "http://evil.example/api", "/%", "/%zz", "/a%00b", "/?q=%00", "/?%ff=1", "/%ff",
  ])
  func malformedTargetIsRefused(_ target: String) {
    #expect(throws: HTTPError.self) { try HTTPRequest(method: "GET", target: target) }
  }

  @Test(arguments: ["1001", "-1", "x", "1.5", "99999999999999999999"])
  func numberOutsideOfItsRangeIsRefused(_ text: String) throws {
    let request = try HTTPRequest(method: "GET", target: "/?limit=\(text)")
    #expect(throws: HTTPError.self) { try request.integer("limit", in: 0...1000, or: 50) }
  }

  @Test(arguments: ["", "%20", "null", "undefined"])
  func numberThatIsNothingIsTheUsualOne(_ text: String) throws {
    let request = try HTTPRequest(method: "GET", target: "/?limit=\(text)&from=\(text)")
    #expect(try request.integer("limit", in: 0...1000, or: 50) == 50)
    #expect(try request.seconds("from") == nil)
  }

  @Test(arguments: ["-1", "nan", "inf", "x", "-0.1"])
  func negativeOrInvalidSecondsAreRefused(_ text: String) throws {
    let request = try HTTPRequest(method: "GET", target: "/?from=\(text)")
    #expect(throws: HTTPError.self) { try request.seconds("from") }
  }

  @Test func bodyThatIsNotJSONIsRefused() throws {
    var request = try HTTPRequest(
      method: "PUT", target: "/", headers: [("Content-Type", "application/json; a=b")])
    request.body = .bytes(Data("[1]".utf8))
    #expect(try request.json([Int].self) == [1])
    request.body = .bytes(Data(String(repeating: "[", count: 60_000).utf8))
    #expect(throws: HTTPError.self) { try request.json([Int].self) }
    request.headers = [("content-type", "text/plain")]
    request.body = .bytes(Data("[1]".utf8))
    #expect(throws: HTTPError.self) { try request.json([Int].self) }
  }

  @Test func fileNameOfARecordingWithAnyNameIsSafe() {
    func disposition(_ source: String, _ type: String) -> String {
      FileName(RecordingTitle(name: nil, source: source), extension: type).disposition
    }
    #expect(
      disposition("talk.wav", "srt")
        == "attachment; filename=\"talk.srt\"; filename*=UTF-8''talk.srt")
    let hostile = disposition("../a\"b\r\nSet-Cookie: x=y\u{202E}ü.wav", "txt")
    #expect(!hostile.contains("\r"))
    #expect(!hostile.contains("\n"))
    #expect(!hostile.contains("/"))
    #expect(hostile.filter { $0 == "\"" }.count == 2)
    #expect(hostile.contains("%C3%BC"))
    #expect(disposition("..", "txt").contains("\"transcript.txt\""))
  }
}

@Suite struct ByteRangeTests {
  @Test(
    arguments: [
      (nil, 100, .whole), ("bytes=0-", 100, .part(0..<100)), ("bytes=0-0", 100, .part(0..<1)),
      ("bytes=10-19", 100, .part(10..<20)), ("bytes=90-200", 100, .part(90..<100)),
      ("bytes=-5", 100, .part(95..<100)), ("bytes=-500", 100, .part(0..<100)),
      ("bytes=99-", 100, .part(99..<100)), ("bytes=100-", 100, .unsatisfiable),
      ("bytes=-0", 100, .unsatisfiable), ("bytes=0-", 0, .unsatisfiable), ("bytes=-1", 0, .unsatisfiable),
      ("bytes=5-4", 100, .whole), ("bytes=0-1,5-6", 100, .whole), ("bytes=a-b", 100, .whole),
      ("bytes=--5", 100, .whole), ("bytes=-", 100, .whole), ("bytes=1", 100, .whole),
      ("chapters=1-2", 100, .whole), ("bytes= 1-2", 100, .whole), ("bytes=+1-2", 100, .whole),
      ("bytes=0-99999999999999999999999", 100, .part(0..<100)),
      ("bytes=99999999999999999999999-", 100, .unsatisfiable),
      ("bytes=0-18446744073709551615", 100, .part(0..<100)),
      ("bytes=-99999999999999999999999", 100, .part(0..<100)),
    ] as [(String?, UInt64, ByteRange)])
  func rangeHeaderIsParsed(_ header: String?, _ length: UInt64, _ expected: ByteRange) {
    #expect(ByteRange(header, of: length) == expected)
  }
}
