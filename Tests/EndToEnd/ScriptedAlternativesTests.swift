#if os(Linux)
  import Foundation
  import Longhand
  import ScriptedSpeech
  import TestSupport
  import Testing

  /// The choice among a recognizer's alternatives in the whole command: a scripted service in place of each recognizer, with
  /// the pairs of "Why Apple Speech's first answer isn't always its best".
  @Suite(.tagged(.childProcess)) struct ScriptedAlternativesTests {
    /// What is said before, the two readings that the recognizer offers, and whether the second is chosen.
    private typealias Pair = (before: String, first: String, second: String, isChosen: Bool)

    private static let pairs: [Pair] = [
      // The examples.
      ("we took a", "2 day trip", "two-day trip", true),
      ("she gave me", "entry level tasks", "entry-level tasks", true),
      ("they run", "high level projects", "high-level projects", true),
      ("he has ten", "years experience", "years' experience", true),
      ("the picture was", "AI generated", "AI-generated", true),
      ("you're off", "trek for it", "track for it", true),
      ("we met at", "Villa Villanova", "Villanova", true),
      // The cases that must not change.
      ("this is", "share cutting", "share-cutting", false),
      ("we flew to", "New York", "York", false),
      ("he likes Star", "trek", "track", false),
      ("a long", "trek for it", "track for it", false),
      ("I asked", "ChatGPT", "chat GPT", false),
      ("he is my", "companion.", "companion,", false),
      ("then", "say a transcript", "share your transcript", false),
      ("it was the", "analyst, as", "analyst at", false),
    ]

    /// A recognizer, the model that names it, and whether its alternatives are hypotheses of one search, among which rules
    /// choose.
    struct Case: Sendable, CustomTestStringConvertible {
      var variable: String
      var model: String
      var family: String?
      var listsHypotheses: Bool

      var testDescription: String { model }
    }

    @Test(arguments: [
      Case(variable: "SPEECH_SERVICE_PATH", model: "pocketsphinx", listsHypotheses: true),
      Case(variable: "WHISPER_SERVICE_PATH", model: "whisper", family: "whisper-ggml", listsHypotheses: true),
      Case(
        variable: "NEURAL_SPEECH_SERVICE_PATH", model: "sherpa-onnx", family: "nemo-ctc",
        listsHypotheses: false),
    ])
    func pairsAreDecidedAsTheDocumentSays(_ recognizer: Case) async throws {
      let folder = try TemporaryFolder()
      if let family = recognizer.family { try Self.install(recognizer.model, family, in: folder) }
      var script = SpeechScript()
      var samples: [Int16] = []
      func say(_ words: [Int], _ texts: String...) {
        script.texts[SpokenTones.text(of: words)] = texts
        // After a shorter pause a sentence goes on in one segment.
        samples += SpokenTones.sound(of: words) + [Int16](repeating: 0, count: 32_000)
      }
      for (index, pair) in Self.pairs.enumerated() {
        say([index, index + 3, index + 1], pair.before)
        say([index, index + 5], pair.first, pair.second)
      }
      try Recordings.write(samples.withUnsafeBytes { Data($0) }, to: folder.path("talk.wav"))
      var environment = try script.environment(in: folder.url)
      environment[recognizer.variable] = SpeechScript.service.path
      environment["SPEECH_MODEL"] = recognizer.model
      environment["XDG_DATA_HOME"] = folder.path("data")
      // To the network, tones are not a voice.
      environment["SPEECH_VOICE_NETWORK"] = "/dev/null"

      for isOn in [true, false] {
        let result = try await LonghandProcess(
          ["transcribe", "--json", "talk.wav"] + (isOn ? [] : ["--reranking", "disabled"]),
          environment: environment,
          in: folder.url
        ).result()
        #expect(result.status == 0, "\(result.errors)")
        let document = try JSONDecoder().decode(
          Longhand.TranscriptDocument.self, from: Data(result.output.utf8))
        #expect(document.segments.count == 2 * Self.pairs.count)
        for (index, pair) in Self.pairs.enumerated() where document.segments.count == 2 * Self.pairs.count {
          let segment = document.segments[2 * index + 1]
          #expect(document.segments[2 * index].text == pair.before)
          let isChosen = isOn && recognizer.listsHypotheses && pair.isChosen
          #expect(segment.text == (isChosen ? pair.second : pair.first))
          #expect(Set([segment.text] + segment.alternatives.map(\.text)) == [pair.first, pair.second])
        }
      }
    }

    private struct Rejected: Decodable {
      struct Words: Decodable {
        var text: String
        var rule: String
      }

      var rejected: [Words]
    }

    /// A decoder that is stuck writes a sentence again, for which its audio has no room. A sentence that is said again has it.
    @Test func whatIsWrittenTwiceGoesAndWhatIsSaidTwiceStays() async throws {
      let folder = try TemporaryFolder()
      try Self.install("whisper", "whisper-ggml", in: folder)
      let sentences = [
        "the first of them was late", "a second one came by train", "nobody knew the third man",
        "four of us had been there", "we saw five ships at sea", "six days are not enough",
        "she wrote seven long letters",
        "eight is what they wanted", "nine people said the same", "in the end ten were left",
      ]
      var script = SpeechScript()
      var samples: [Int16] = []
      let pause = [Int16](repeating: 0, count: 12_000)
      for (index, sentence) in sentences.enumerated() {
        script.texts[SpokenTones.text(of: [index, index + 4])] = ["\(sentence) \(sentence)"]
        samples += SpokenTones.sound(of: [index, index + 4]) + pause
        let said = [index, index + 3, index + 7, index + 2, index + 9]
        script.texts[SpokenTones.text(of: said)] = [sentence]
        for _ in 0..<2 { samples += SpokenTones.sound(of: said) + pause }
      }
      try Recordings.write(samples.withUnsafeBytes { Data($0) }, to: folder.path("talk.wav"))
      var environment = try script.environment(in: folder.url)
      environment["WHISPER_SERVICE_PATH"] = SpeechScript.service.path
      environment["SPEECH_MODEL"] = "whisper"
      environment["XDG_DATA_HOME"] = folder.path("data")
      environment["SPEECH_VOICE_NETWORK"] = "/dev/null"
      let result = try await LonghandProcess(
        ["transcribe", "--json", "talk.wav"], environment: environment, in: folder.url
      )
      .result()
      #expect(result.status == 0, "\(result.errors)")
      let document = try JSONDecoder().decode(
        Longhand.TranscriptDocument.self, from: Data(result.output.utf8))
      #expect(document.segments.map(\.text) == sentences.flatMap { [$0, $0, $0] })
      let rejected = try JSONDecoder().decode(Rejected.self, from: Data(result.output.utf8)).rejected
      #expect(rejected.map(\.text) == sentences)
      #expect(rejected.allSatisfy { $0.rule == "repetition" })
    }

    /// A model of a recognizer, which the scripted service does not read.
    private static func install(_ name: String, _ family: String, in folder: TemporaryFolder) throws {
      let models = "data/speech-service/models/\(name)"
      try FileManager.default.createDirectory(
        atPath: folder.path(models), withIntermediateDirectories: true)
      try folder.write(
        """
        {"name": "\(name)", "recognizer": "\(name)", "family": "\(family)", "languages": ["en"],
         "files": [{"role": "model", "name": "net.bin", "size": 3, "sha256": "\(String(repeating: "0", count: 64))"}],
         "isPunctuated": false, "licence": {"identifier": "MIT", "attribution": ""}}
        """, to: models + "/model.json")
      try folder.write("net", to: models + "/net.bin")
    }
  }
#endif
