import Foundation
import Testing

@testable import LonghandServer

@Suite struct HTTPRequestTests {
  @Test func anAddressIsTakenApart() throws {
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
  func whatIsNoAddressIsRefused(_ target: String) {
    #expect(throws: HTTPError.self) { try HTTPRequest(method: "GET", target: target) }
  }

  @Test(arguments: ["1001", "-1", "x", "", "1.5", "99999999999999999999"])
  func numbersAreWithinTheirRange(_ text: String) throws {
    let request = try HTTPRequest(method: "GET", target: "/?limit=\(text)")
    #expect(throws: HTTPError.self) { try request.integer("limit", in: 0...1000, or: 50) }
  }

  @Test(arguments: ["-1", "nan", "inf", "x", "-0.1"])
  func secondsAreNumbersFromZero(_ text: String) throws {
    let request = try HTTPRequest(method: "GET", target: "/?from=\(text)")
    #expect(throws: HTTPError.self) { try request.seconds("from") }
  }

  @Test func aBodyIsJSONOrNothing() throws {
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

  @Test func aFileNameIsSafeWhateverTheRecordingIsCalled() {
    #expect(
      FileName("talk.wav", extension: "srt").disposition
        == "attachment; filename=\"talk.srt\"; filename*=UTF-8''talk.srt")
    let hostile = FileName("../a\"b\r\nSet-Cookie: x=y\u{202E}ü.wav", extension: "txt").disposition
    #expect(!hostile.contains("\r"))
    #expect(!hostile.contains("\n"))
    #expect(!hostile.contains("/"))
    #expect(hostile.filter { $0 == "\"" }.count == 2)
    #expect(hostile.contains("%C3%BC"))
    #expect(FileName("..", extension: "txt").disposition.contains("\"transcript.txt\""))
  }
}
