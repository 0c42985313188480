import CFFmpeg
import Foundation
import TestSupport
import Testing

@testable import AudioDecoding

/// A decoder's process that is under the control of who made the file: its answers do no harm.
@Suite struct HostileDecoderTests {
  /// What the other end of the socket does with the requests that it gets: each answer is sent after one request.
  private struct Peer: Sendable {
    /// One answer, as bytes in the order in which they are sent.
    struct Answer: Sendable {
      var parts: [Data]
      /// The time between two parts.
      var pause: Duration = .zero
    }

    var answers: [Answer]
    /// Whether the socket is closed after the last answer.
    var closes = false

    func run(on descriptor: Int32) {
      let thread = Thread {
        var request = [UInt8](repeating: 0, count: 65_536)
        for answer in answers {
          guard Foundation.read(descriptor, &request, request.count) > 0 else { break }
          for part in answer.parts {
            if answer.pause > .zero { usleep(UInt32(answer.pause / .microseconds(1))) }
            _ = part.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
          }
        }
        // Until the client has gone.
        if !closes { while Foundation.read(descriptor, &request, request.count) > 0 {} }
        close(descriptor)
      }
      thread.start()
    }
  }

  private static func message(
    _ kind: UInt32, _ payload: Data = Data(), size: UInt32? = nil, first: Int64 = 0, second: Int64 = 0
  ) -> Data {
    var bytes = Data()
    for word in [kind, size ?? UInt32(payload.count)] {
      withUnsafeBytes(of: word) { bytes.append(contentsOf: $0) }
    }
    for word in [first, second] { withUnsafeBytes(of: word) { bytes.append(contentsOf: $0) } }
    return bytes + payload
  }

  private static let description =
    #"{"rate":16000,"channels":1,"codec":"pcm_s16le","bitsPerSample":16,"isFloat":false,"tracks":[],"lead":0,"length":1000}"#
  private static let opened = Peer.Answer(parts: [message(101, Data(description.utf8))])

  /// Opens a file of 2,044 bytes with a peer, and reads 100 frames; nil if both succeed.
  private func error(_ peer: Peer, reads: Bool = true) throws -> NSError? {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    peer.run(on: ends[1])
    var patience = ChildDecoder.Patience()
    patience.block = .milliseconds(400)
    var samples = [UInt8](repeating: 0, count: 400)
    do {
      let decoder = try ChildDecoder(
        channel: ends[0], path: "/a.wav", size: 2044, type: AV_SAMPLE_FMT_FLT, patience: patience)
      guard reads else { return nil }
      try samples.withUnsafeMutableBufferPointer { samples in
        _ = try decoder.read(at: 0, into: [samples.baseAddress], count: 100)
      }
      return nil
    } catch {
      return error as NSError
    }
  }

  @Test func honestAnswersAreAccepted() throws {
    let samples = Peer.Answer(parts: [Self.message(102, first: 100), Data(count: 400)])
    #expect(try error(Peer(answers: [Self.opened, samples])) == nil)
  }

  /// What a decoder may say about a file of 2,044 bytes: 100,000 seconds of holes, beside 65,536 frames for each byte.
  private static func holed(length: Int64, missing: Int64) -> String {
    #"{"rate":16000,"channels":1,"codec":"x","bitsPerSample":16,"isFloat":false,"tracks":[],"lead":0,"length":\#(length),"#
      + #""condition":{"clock":{"points":[]},"peak":0,"holes":[{"start":5,"frames":\#(missing)}]}}"#
  }

  @Test(
    arguments: [
      (1_600_133_000, 1_600_000_000, true), (1_600_133_000, 1_600_000_001, false), (133_955_590, 6, true),
      (133_955_590, 5, false), (.max, .max - 5, false),
    ] as [(Int64, Int64, Bool)])
  func lengthOfHolesIsNotLimitedByTheSize(length: Int64, missing: Int64, isPossible: Bool) throws {
    let json = Self.holed(length: length, missing: missing)
    let peer = Peer(answers: [.init(parts: [Self.message(101, Data(json.utf8))])])
    let refusal = try error(peer, reads: false)
    #expect((refusal == nil) == isPossible)
  }

  @Test(arguments: [
    "", "{", "[]", "{}",
    #"{"rate":0,"channels":1,"codec":"x","bitsPerSample":16,"isFloat":false,"tracks":[],"lead":0}"#,
    #"{"rate":-5,"channels":1,"codec":"x","bitsPerSample":16,"isFloat":false,"tracks":[],"lead":0}"#,
    #"{"rate":99999999,"channels":1,"codec":"x","bitsPerSample":16,"isFloat":false,"tracks":[],"lead":0}"#,
    #"{"rate":16000,"channels":0,"codec":"x","bitsPerSample":16,"isFloat":false,"tracks":[],"lead":0}"#,
    #"{"rate":16000,"channels":65,"codec":"x","bitsPerSample":16,"isFloat":false,"tracks":[],"lead":0}"#,
    #"{"rate":16000,"channels":1,"codec":"a\u001b[2J","bitsPerSample":16,"isFloat":false,"tracks":[],"lead":0}"#,
    #"{"rate":16000,"channels":1,"codec":"x","bitsPerSample":-1,"isFloat":false,"tracks":[],"lead":0}"#,
    #"{"rate":16000,"channels":1,"codec":"x","bitsPerSample":16,"isFloat":false,"tracks":[],"lead":0,"length":-1}"#,
    #"{"rate":16000,"channels":1,"codec":"x","bitsPerSample":16,"isFloat":false,"tracks":[],"lead":0,"length":9000000000000000000}"#,
    #"{"rate":16000,"channels":1,"codec":"x","bitsPerSample":16,"isFloat":false,"tracks":[],"lead":0,"condition":{"clock":{"points":[]},"peak":0,"statedDuration":-1,"holes":[]}}"#,
    #"{"rate":16000,"channels":1,"codec":"x","bitsPerSample":16,"isFloat":false,"tracks":[],"lead":0,"length":9,"condition":{"clock":{"points":[]},"peak":0,"holes":[{"start":5,"frames":5}]}}"#,
    #"{"rate":16000,"channels":1,"codec":"x","bitsPerSample":16,"isFloat":false,"tracks":[],"lead":0,"length":9,"condition":{"clock":{"points":[]},"peak":0,"holes":[{"start":5,"frames":2},{"start":3,"frames":2}]}}"#,
    #"{"rate":16000,"channels":1,"codec":"x","bitsPerSample":16,"isFloat":false,"tracks":[],"lead":0,"length":9,"condition":{"clock":{"points":[]},"peak":0,"holes":[{"start":9,"frames":1},{"start":10,"frames":1}]}}"#,
    #"{"rate":16000,"channels":1,"codec":"x","bitsPerSample":16,"isFloat":false,"tracks":[],"lead":0,"length":9,"condition":{"clock":{"points":[]},"peak":0,"holes":[],"furtherHoles":{"start":5,"end":10,"frames":2}}}"#,
    #"{"rate":16000,"channels":1,"codec":"x","bitsPerSample":16,"isFloat":false,"tracks":[],"lead":-1}"#,
    #"{"rate":16000,"channels":1,"codec":"x","bitsPerSample":16,"isFloat":false,"tracks":[{"codec":"x","rate":1,"channels":1,"title":"a\u001b[2J"}],"lead":0}"#,
    #"{"rate":16000,"channels":1,"codec":"x","bitsPerSample":16,"isFloat":false,"tracks":[],"lead":0,"length":9,"condition":{"holes":[],"peak":0,"clock":{"points":[{"frame":0,"ahead":0},{"frame":9,"ahead":90}]}}}"#,
  ])
  func impossibleDescriptionsAreRefused(json: String) throws {
    let peer = Peer(answers: [.init(parts: [Self.message(101, Data(json.utf8))])])
    #expect(try error(peer, reads: false)?.localizedDescription.contains("invalid answer") == true)
  }

  @Test(arguments: [
    message(102, first: 101), message(102, first: -1), message(102, first: .max), message(102, first: .min),
    message(102, Data([1]), first: 1), message(101), message(103), message(0), message(.max),
    message(102, size: .max, first: 1), message(104, Data("{".utf8)),
  ])
  func impossibleAnswersAreRefused(answer: Data) throws {
    let peer = Peer(answers: [Self.opened, .init(parts: [answer])])
    #expect(try error(peer)?.localizedDescription.contains("invalid answer") == true)
  }

  @Test func endInsideSamplesIsAnError() throws {
    let half = Peer.Answer(parts: [Self.message(102, first: 100), Data(count: 100)])
    let peer = Peer(answers: [Self.opened, half], closes: true)
    #expect(try error(peer)?.localizedDescription.contains("the decoder ended") == true)
  }

  @Test(arguments: [
    [], [message(102).prefix(7)], [message(102, first: 100)], [message(102, first: 100), Data(count: 399)],
  ])
  func stalledAnswersAreGivenUp(parts: [Data]) throws {
    let started = ContinuousClock.now
    let peer = Peer(answers: [Self.opened, .init(parts: parts)])
    #expect(try error(peer)?.localizedDescription.contains("stalled") == true)
    #expect(ContinuousClock.now - started < .seconds(20))
  }

  /// A deadline of each read would never end this.
  @Test func drippingAnswersAreGivenUp() throws {
    let bytes = (Self.message(102, first: 100) + Data(count: 400)).map { Data([$0]) }
    let peer = Peer(answers: [Self.opened, .init(parts: bytes, pause: .milliseconds(50))])
    #expect(try error(peer)?.localizedDescription.contains("stalled") == true)
  }

  /// The program may have been stopped after its request, for longer than an answer may take.
  @Test func answersThatLieReadyAreTakenAfterTheirTime() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { close(ends[1]) }
    for part in Self.opened.parts + [Self.message(102, first: 100), Data(count: 400)] {
      let sent = part.withUnsafeBytes { send(ends[1], $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      try #require(sent == part.count)
    }
    var patience = ChildDecoder.Patience()
    patience.block = .zero
    let decoder = try ChildDecoder(
      channel: ends[0], path: "/a.wav", size: 2044, type: AV_SAMPLE_FMT_FLT, patience: patience)
    var samples = [UInt8](repeating: 1, count: 400)
    let read = try samples.withUnsafeMutableBufferPointer { samples in
      try decoder.read(at: 0, into: [samples.baseAddress], count: 100)
    }
    #expect(read == 100)
  }

  @Test func timeInWhichTheProgramIsStoppedDoesNotCount() {
    let deadline = DecoderChannel.Deadline(in: .seconds(30))
    deadline.count(.seconds(48), of: deadline.wait)
    #expect(deadline.left == .seconds(29))
    for _ in 0..<29 { deadline.count(.seconds(1), of: deadline.wait) }
    #expect(deadline.left == .zero)
  }

  @Test func errorsHaveOnePlainLine() throws {
    let text = #"{"code":1,"text":"cannot\u001b[2J read\nit\u202e\u0007"}"#
    let peer = Peer(answers: [Self.opened, .init(parts: [Self.message(104, Data(text.utf8))])])
    let error = try #require(try error(peer))
    #expect(error.localizedDescription == "cannot[2J readit")
    #expect(error.domain == "com.apple.coreaudio.avfaudio")
  }
}
