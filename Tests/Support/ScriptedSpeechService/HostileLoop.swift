import Foundation
import ScriptedSpeech
import RecognitionProtocol

/// Answers the requests of one client as a hostile recognizer.
struct HostileLoop {
  private enum Kind {
    static let ready: UInt8 = 129, unavailable: UInt8 = 130, partial: UInt8 = 131
    static let final: UInt8 = 132, failed: UInt8 = 133, refused: UInt8 = 134
  }

  private let channel: ServiceChannel
  private let answer: HostileAnswer
  private var utterance: UInt32 = 0
  private var samples = 0
  private var isStream = false

  init(channel: ServiceChannel, answer: HostileAnswer) {
    self.channel = channel
    self.answer = answer
  }

  /// Serves until the client goes away.
  /// - Throws: `ServiceChannelError`.
  func serve() throws -> Never {
    var loop = self
    switch answer {
    case .crashAtStart: abort()
    case .exitAtStart: _exit(0)
    case .answerBeforeQuestion: send(Kind.final, result(word("before", 0, 0.1)))
    case .silenceAtStart, .readsNothing: wait()
    case .controlCharactersInErrors: FileHandle.standardError.write(Data("\u{1B}[2J\u{7}".utf8))
    default: break
    }
    while true {
      switch try channel.receive() as ServiceRequest {
      case .configure(let configuration):
        loop.isStream = configuration.mode == .stream
        if answer == .unavailable {
          send(Kind.unavailable, #""there is no model\u001b[2J\nfor this""#)
        } else {
          let name = answer == .controlCharactersInReason ? #"\u001b[2Jmodel"# : "model"
          send(
            Kind.ready,
            #"{"engine":"hostile","version":"1","model":"\#(name)","locale":"en-US","capabilities":"#
              + #"{"prefersPhrases":false,"hasConfidence":true,"isPunctuated":false,"isLive":true,"#
              + #""bindsLanguage":false}}"#)
        }
      case .begin(let number): (loop.utterance, loop.samples) = (number, 0)
      case .audio(let more):
        let before = loop.samples
        loop.samples += more.count
        if before / 16_000 != loop.samples / 16_000 { loop.sendPartial() }
      case .end, .terms, .align: loop.sendFinal()
      case .pause, .abandon: break
      }
    }
  }

  private var seconds: Double { Double(samples) / 16_000 }

  private func sendPartial() {
    if answer == .endlessPartials { sendFinal() }
    // A client that sends a recording expects none, and looks no further.
    if isStream, let json = impossible { send(Kind.partial, json) }
  }

  private func sendFinal() {
    let good = result(word("word", 0, 0.1))
    switch answer {
    case .garbage: write((0..<4096).map { _ in UInt8.random(in: 0...255) })
    case .zeroLength: write([0, 0, 0, 0, Kind.final])
    case .hugeLength: write([0xFF, 0xFF, 0xFF, 0xFF, Kind.final] + Array(good.utf8))
    case .lengthTooShort: write(frame(Kind.final, Array(good.utf8), length: good.utf8.count / 2))
    case .lengthTooLong: write(frame(Kind.final, Array(good.utf8), length: good.utf8.count * 2))
    case .unknownKind: send(77, good)
    case .requestAsReply: send(2, "1")
    case .largePayload: write(frame(Kind.final, [UInt8](repeating: 0x20, count: (8 << 20) - 1)))
    case .stallInHeader: write(frame(Kind.final, Array(good.utf8)).prefix(3))
    case .stallInPayload: write(frame(Kind.final, Array(good.utf8)).prefix(12))
    case .drip:
      for byte in frame(Kind.final, Array(good.utf8)) {
        write([byte])
        pause(seconds: 1)
      }
    case .silence: break
    case .endlessPartials:
      while !channel.isHungUp { send(Kind.partial, good) }
      _exit(0)
    case .twoAnswers:
      send(Kind.final, good)
      send(Kind.final, result(word("again", 0, 0.1)))
    case .answerToAnotherUtterance: send(Kind.final, result(word("word", 0, 0.1), utterance: utterance &+ 1))
    case .exitInMessage:
      write(frame(Kind.final, Array(good.utf8)).prefix(20))
      _exit(0)
    case .exitSilently: _exit(0)
    case .crash: abort()
    case .invalidUTF8:
      let parts = good.split(separator: "word", maxSplits: 1).map { Array($0.utf8) }
      write(frame(Kind.final, parts[0] + [0xC3, 0x28, 0xFF] + parts[1]))
    case .controlCharactersInReason:
      send(Kind.failed, #"{"utterance":\#(utterance),"reason":"\u001b[2Jthe\u0007 reason\u0000\nof it"}"#)
    case .refused: send(Kind.refused, #"{"domain":"d\u001b[2J","code":\#(Int.min),"reason":"\u0007no"}"#)
    default: send(Kind.final, impossible ?? good)
    }
  }

  /// A result whose words cannot be, or that is no result.
  private var impossible: String? {
    let last = max(0.2, seconds)
    return switch answer {
    case .backwardWord: result(word("a", last, 0.1))
    case .unorderedWords: result(word("b", last - 0.1, last) + "," + word("a", 0, 0.1))
    case .overlappingWords: result(word("a", 0, last) + "," + word("b", 0.01, last))
    case .infiniteTime: result(word("a", "0", "1e999"))
    case .timeThatIsNoNumber: result(word("a", "NaN", "1"))
    case .negativeTime: result(word("a", -3, 0.1))
    case .hugeTime: result(word("a", "1e300", "1e308"))
    case .wordBeyondTheEnd: result(word("a", 0, seconds + 0.2))
    case .wordsInTheNextHour: result(word("a", 3600, 3601))
    case .manyWords: result(Array(repeating: word("a", 0, 0), count: 20_000).joined(separator: ","))
    case .manyPossibleWords: manyPossibleWords
    case .emptyWord: result(word("", 0, 0.1) + "," + word("a", 0.1, 0.2))
    case .blankWord: result(word(#" \u00a0"#, 0, 0.1))
    case .twoWordsInOne: result(word("a b", 0, 0.1))
    case .controlCharacters: result(word(#"\u001b[2J\u0007a"#, 0, 0.1))
    case .nulCharacter: result(word(#"a\u0000b"#, 0, 0.1))
    case .lineSeparator: result(word(#"a\u2028b"#, 0, 0.1))
    case .reversedText: result(word(#"\u202etxt"#, 0, 0.1))
    case .longWord: result(word(String(repeating: "a", count: 1_000_000), 0, 0.1))
    case .negativeConfidence: result(word("a", 0, 0.1, confidence: "-1"))
    case .confidenceOverOne: result(word("a", 0, 0.1), confidence: "17")
    case .infiniteConfidence: result(word("a", 0, 0.1, confidence: "1e999"))
    case .thousandHypotheses:
      #"{"utterance":\#(utterance),"hypotheses":[\#(Array(repeating: #"{"words":[],"confidence":0}"#, count: 1000).joined(separator: ","))]}"#
    case .noHypotheses: #"{"utterance":\#(utterance),"hypotheses":[]}"#
    case .hypothesisWithoutWords: result("")
    case .wrongTypes: #"{"utterance":"\#(utterance)","hypotheses":{"words":1}}"#
    case .missingFields: "{}"
    case .notJSON: "words"
    case .deepJSON: String(repeating: "[", count: 1_000_000)
    default: nil
    }
  }

  /// As many words as no check can refuse, a little different in each hypothesis.
  private var manyPossibleWords: String {
    let hypotheses = (0..<20).map { index in
      let words = (0..<1000).map { number in
        let time = seconds * Double(number) / 1000
        return word("w\(index == number ? index : number % 7)", time, time)
      }
      return #"{"words":[\#(words.joined(separator: ","))],"confidence":0.05}"#
    }
    return #"{"utterance":\#(utterance),"hypotheses":[\#(hypotheses.joined(separator: ","))]}"#
  }

  private func word(_ text: String, _ start: Double, _ end: Double, confidence: String = "0.9") -> String {
    word(text, "\(start)", "\(end)", confidence: confidence)
  }

  private func word(_ text: String, _ start: String, _ end: String, confidence: String = "0.9") -> String {
    #"{"text":"\#(text)","start":\#(start),"end":\#(end),"confidence":\#(confidence)}"#
  }

  private func result(_ words: String, confidence: String = "0.9", utterance: UInt32? = nil) -> String {
    #"{"utterance":\#(utterance ?? self.utterance),"hypotheses":[{"words":[\#(words)],"confidence":\#(confidence)}]}"#
  }

  private func frame(_ kind: UInt8, _ payload: [UInt8], length: Int? = nil) -> [UInt8] {
    withUnsafeBytes(of: UInt32((length ?? payload.count) + 1).littleEndian) { Array($0) } + [kind] + payload
  }

  private func send(_ kind: UInt8, _ json: String) { write(frame(kind, Array(json.utf8))) }

  private func write(_ bytes: some Collection<UInt8>) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        Foundation.send(channel.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { _exit(0) }
      rest = rest.dropFirst(sent)
    }
  }

  private func wait() -> Never {
    while true { pause(seconds: 1) }
  }

  /// Exits when the client goes away.
  private func pause(seconds: TimeInterval) {
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end {
      if channel.isHungUp { _exit(0) }
      Thread.sleep(forTimeInterval: 0.02)
    }
  }
}
