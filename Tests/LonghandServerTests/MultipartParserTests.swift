import Foundation
import ScriptedSpeech
import Testing

@testable import LonghandServer

@Suite struct MultipartParserTests {
  private typealias Event = MultipartParser.Event
  private static let type = "multipart/form-data; boundary=\"x y\""

  /// The events of a form that is fed in chunks, with the data of each part joined.
  private func events(_ text: String, cut: (Int) -> Int, type: String = type) throws -> [Event] {
    var parser = try #require(MultipartParser(contentType: type))
    var events: [Event] = []
    var rest = Data(text.utf8)
    while !rest.isEmpty {
      let count = max(1, cut(rest.count))
      for event in try parser.take(Data(rest.prefix(count))) {
        if case .data(let more) = event, case .data(let before)? = events.last {
          events[events.count - 1] = .data(before + more)
        } else {
          events.append(event)
        }
      }
      rest = Data(rest.dropFirst(count))
    }
    try #require(parser.isComplete)
    return events
  }

  private static let form =
    "before\r\n--x y\r\nContent-Disposition: form-data; name=\"model\"\r\n\r\nlonghand\r\n"
    + "--x y\r\ncontent-type: audio/wav\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a \\\"b\\\";.wav\"\r\n\r\n"
    + "\r\n--x\r\n--x \r\n\r\r\n\r\n--x y\r\n"
    + "Content-Disposition: form-data; name=empty\r\n\r\n\r\n--x y--\r\nafter\r\n--x y\r\n"

  @Test func formIsParsedHoweverItIsDivided() throws {
    let expected: [Event] = [
      .begin(name: "model", fileName: nil), .data(Data("longhand".utf8)), .end,
      .begin(name: "file", fileName: "a \"b\";.wav"), .data(Data("\r\n--x\r\n--x \r\n\r\r\n".utf8)), .end,
      .begin(name: "empty", fileName: nil), .end,
    ]
    #expect(try events(Self.form, cut: { $0 }) == expected)
    #expect(try events(Self.form, cut: { _ in 1 }) == expected)
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      #expect(
        try events(Self.form, cut: { Int.random(in: 1...max(1, $0), using: &generator) % 40 + 1 }) == expected
      )
    }
  }

  @Test(arguments: [
    "--x y\r\nContent-Disposition: attachment; name=a\r\n\r\n",
    "--x y\r\nContent-Disposition: form-data\r\n\r\n",
    "--x y\r\nX: y\r\n\r\n", "--x yz\r\n", "--x y\r\n" + String(repeating: "a", count: 9000),
    "--x y\r\n\r\n\r\n\r\n",
  ])
  func malformedFormIsRefused(_ text: String) throws {
    #expect(throws: MultipartParser.Malformed.self) {
      try events(text + "--x y--", cut: { _ in 100 })
    }
  }

  @Test(arguments: [
    "text/plain", "multipart/form-data", "multipart/form-data; boundary=", "multipart/mixed; boundary=a",
    "multipart/form-data; boundary=" + String(repeating: "b", count: 71), "",
  ])
  func contentTypeOfNoFormIsRefused(_ type: String) {
    #expect(MultipartParser(contentType: type) == nil)
  }

  /// A file whose name is only in the form for names that are not ASCII, or in both.
  @Test(
    arguments: [
      ("filename*=UTF-8''a%20t%C3%A4lk.wav", "a tälk.wav"), ("filename*=utf-8'de'talk.wav", "talk.wav"),
      ("filename=\"talk.wav\"; filename*=UTF-8''t%C3%A4lk.wav", "tälk.wav"),
      ("filename*=\"UTF-8''talk.wav\"", "talk.wav"), ("filename*=talk.wav", "talk.wav"),
      ("filename*=UTF-8''%ff", "UTF-8''%ff"), ("FileName*=UTF-8''", ""),
    ])
  func extendedNameIsThatOfAFile(_ parameter: String, _ name: String) throws {
    let form =
      "--x y\r\nContent-Disposition: form-data; name=file; \(parameter)\r\n\r\naudio\r\n--x y--\r\n"
    #expect(
      try events(form, cut: { _ in 7 }) == [
        .begin(name: "file", fileName: name), .data(Data("audio".utf8)), .end,
      ])
  }

  @Test func truncatedFormIsNotComplete() throws {
    for count in 0..<Self.form.utf8.count - 20 {
      var parser = try #require(MultipartParser(contentType: Self.type))
      _ = try? parser.take(Data(Data(Self.form.utf8).prefix(count)))
      #expect(!parser.isComplete, "\(count)")
    }
  }

  /// Random changes of a form cause at most an error.
  @Test func randomBytesDoNotCrash() throws {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<300 {
      var bytes = Data(Self.form.utf8)
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[index] = Bool.random(using: &generator) ? UInt8.random(in: 0...255, using: &generator) : 13
      }
      var parser = try #require(MultipartParser(contentType: Self.type))
      _ = try? parser.take(bytes)
    }
  }
}
