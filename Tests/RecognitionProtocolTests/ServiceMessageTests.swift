import Foundation
import Testing

@testable import RecognitionProtocol

@Suite struct ServiceMessageTests {
  static let requests: [ServiceRequest] = [
    .configure(
      ServiceConfiguration(
        locale: "en-US", model: .pocketSphinx, mode: .stream, alternatives: 3,
        contextualStrings: ["Winawer", "line\nbreak", "日本"])),
    .configure(ServiceConfiguration(model: ModelReference(.sherpaOnnx, folder: "/m", digest: "0"))),
    .begin(utterance: .max), .audio([]), .audio([0, 1, -1, .min, .max]), .end, .pause, .abandon,
    .terms(in: [.init(text: "winner", start: 0, end: 0.5, confidence: 0.5)]),
    .align([["it's", "日本"], []]),
  ]
  static let replies: [ServiceReply] = [
    .ready(
      .init(
        engine: "e", version: "1", model: "/m", locale: "en-US",
        capabilities: .init(
          prefersPhrases: true, hasConfidence: false, isPunctuated: true, isLive: false, bindsLanguage: true),
        missing: "AVX2")
    ),
    .unavailable("no \"model\""), .occupied,
    .partial(.init(utterance: 0, hypotheses: [])),
    .final(
      .init(
        utterance: 7,
        hypotheses: [
          .init(words: [.init(text: "it's", start: 0.1, end: 0.25, confidence: 0.5)], confidence: 1)
        ])),
    .failed(.init(utterance: 1, reason: "r")),
    .refused(.init(domain: "kAFAssistantErrorDomain", code: -1110, reason: "no \"speech\"")),
  ]

  @Test(arguments: requests) func requestsComeBackAsTheyWent(_ request: ServiceRequest) throws {
    #expect(try ServiceRequest(try request.frame()) == request)
  }

  @Test(arguments: replies) func repliesComeBackAsTheyWent(_ reply: ServiceReply) throws {
    #expect(try ServiceReply(try reply.frame()) == reply)
  }

  /// The scripted services of the tests write these names.
  @Test func namesInMessagesStay() throws {
    let reply = ServiceReply.failed(.init(utterance: 1, reason: "r"))
    let text = String(decoding: try reply.frame().payload, as: UTF8.self)
    #expect(text.contains(#""utterance":1"#))
    let final = ServiceFrame(kind: 132, payload: Data(#"{"utterance":7,"hypotheses":[]}"#.utf8))
    #expect(try ServiceReply(final) == .final(.init(utterance: 7, hypotheses: [])))
  }

  @Test func invalidMessagesAreRejected() throws {
    let bad = [
      ServiceFrame(kind: 0), ServiceFrame(kind: 200), ServiceFrame(kind: 3, payload: Data([1])),
      ServiceFrame(kind: 1, payload: Data("{}".utf8)), ServiceFrame(kind: 2, payload: Data("x".utf8)),
    ]
    for frame in bad {
      #expect(throws: ServiceChannelError.self) { try ServiceRequest(frame) }
      #expect(throws: ServiceChannelError.self) { try ServiceReply(frame) }
    }
  }

  @Test func aRequestIsNoReply() throws {
    for request in Self.requests {
      #expect(throws: ServiceChannelError.self) { try ServiceReply(request.frame()) }
    }
  }

  @Test(arguments: [[0, 0, 0, 0, 1], [0xFF, 0xFF, 0xFF, 0xFF, 1], [1, 0, 0x80, 0, 1]] as [[UInt8]])
  func lengthsThatNoFrameHasAreRefused(_ header: [UInt8]) {
    #expect(throws: ServiceChannelError.self) { try ServiceFrame.payloadLength(header: header) }
  }
}
