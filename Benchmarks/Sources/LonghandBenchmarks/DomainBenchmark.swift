import AVFAudio
import Foundation
import Longhand
import Speech

/// How much a vocabulary helps in its domain, what it costs for other speech, and how long it takes.
struct DomainBenchmark {
  /// The number of phrases in a large vocabulary. Each has different random words.
  private static let phrases = 100_000
  /// The domains whose vocabularies are in the tests.
  static let names = ["chess", "jiujitsu", "medicine"]
  /// How often a request is timed with a model, and as often without.
  private static let rounds = 10

  var options: Options
  var folder: URL

  func run(_ report: inout Report) async throws {
    try prepare(&report)
    try await start(&report)
    try orders(&report)
    try ordinarySpeech(&report)
  }

  /// The time to compile a vocabulary file to a language model.
  private func prepare(_ report: inout Report) throws {
    var generator = SeededGenerator(seed: 1)
    let words = (0..<10_000).map { _ in
      String((0..<6).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement(using: &generator) ?? "a" })
    }
    let phrases = (0..<Self.phrases).map { number in
      let length = Int.random(in: 2...7, using: &generator)
      let text = (0..<length).map { _ in words.randomElement(using: &generator) ?? "a" }
      return "{text: \"\(words[number % words.count]) \(text.joined(separator: " "))\"}"
    }
    let large = try write(
      "{name: \"large\", phrases: [\(phrases.joined(separator: ",\n"))]}", to: "large.json5")
    let grammar = try write(
      """
      {name: "chess", templates: [{text: "<piece> to <side> <piece> <rank>", count: 10000}],
       classes: {piece: ["pawn", "rook", "knight", "bishop", "queen", "king"], side: ["queen", "king"],
                 rank: ["one", "two", "three", "four", "five", "six", "seven", "eight"]}}
      """, to: "chess.json5")
    for (name, file, goal) in [("100,000 phrases", large, 3.0), ("a grammar of every move", grammar, 1)] {
      let run = try Program.run(
        [options.longhand, "vocabulary", "compile", file.path, "-o", folder.path + "/\(goal)"], in: folder)
      report.add("compiling \(name)", run.seconds, unit: .seconds, goal: .atMost(goal))
      report.add("memory for it", run.memory.peak, unit: .bytes, goal: .atMost(300e6))
    }
  }

  /// How much longer the first words of a live request take with a language model.
  private func start(_ report: inout Report) async throws {
    guard FileAnalysis.isAvailable(for: "start with a language model") else { return }
    let data = SFCustomLanguageModelData(
      locale: Locale(identifier: "en-US"), identifier: "benchmark", version: "1"
    ) { SFCustomLanguageModelData.PhraseCount(phrase: "play the Winawer variation", count: 10) }
    let asset = folder.appendingPathComponent("data.bin")
    let model = SFSpeechLanguageModel.Configuration(languageModel: folder.appendingPathComponent("model"))
    try await data.export(to: asset)
    try await SFSpeechLanguageModel.prepareCustomLanguageModel(for: asset, configuration: model)
    let clips = try Clips(options, folder: folder)
    guard let clip = clips.files.first else { return }
    var times: [Bool: [Double]] = [:]
    for _ in 0..<Self.rounds {
      for isCustom in [false, true] {
        times[isCustom, default: []].append(try await Self.firstWords(of: clip, isCustom ? model : nil))
      }
    }
    let (without, with) = (Distribution(times[false] ?? []), Distribution(times[true] ?? []))
    report.add("first words of a live request", without.inMilliseconds, unit: .milliseconds)
    report.add("with a language model", with.inMilliseconds, unit: .milliseconds)
    if let early = without.median, let late = with.median {
      report.add("later by", (late - early) * 1000, unit: .milliseconds, goal: .atMost(150))
    }
  }

  /// Seconds from the start of a request, which gets all audio at once, to its first result.
  private static func firstWords(
    of clip: URL, _ model: SFSpeechLanguageModel.Configuration?
  ) async throws -> Double {
    let request = SFSpeechAudioBufferRecognitionRequest()
    request.requiresOnDeviceRecognition = true
    request.customizedLanguageModel = model
    let file = try AVAudioFile(forReading: clip)
    guard let recognizer = SFSpeechRecognizer(locale: Locale(identifier: "en-US")),
      let buffer = AVAudioPCMBuffer(
        pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length))
    else { throw Program.Failure(description: "there is no recognizer") }
    try file.read(into: buffer)
    let start = ContinuousClock.now
    let (times, first) = AsyncStream.makeStream(of: Double.self)
    let task = recognizer.recognitionTask(with: request) { result, error in
      if result != nil || error != nil { first.yield((ContinuousClock.now - start) / .seconds(1)) }
    }
    request.append(buffer)
    defer { task.cancel() }
    for await time in times { return time }
    return .infinity
  }

  /// Coffee orders of real people. The vocabulary has the sentences that they were asked to say.
  private func orders(_ report: inout Report) throws {
    guard let slots = options.audioFile("orders/slots.tsv"),
      let sentences = options.audioFile("orders/sentences.txt")
    else { return Log.say("skipped orders: \(options.audio)/orders does not exist") }
    let phrases = try String(contentsOf: sentences, encoding: .utf8).split(separator: "\n")
      .map { "{text: \"\($0)\"}" }.joined(separator: ",\n")
    let vocabulary = try write("{name: \"coffee\", phrases: [\(phrases)]}", to: "coffee.json5")
    let rows = try String(contentsOf: slots, encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: "\t") }.filter { $0.count == 2 }
    let files = rows.map { slots.deletingLastPathComponent().appendingPathComponent(String($0[0])) }
    let program = LonghandProgram(program: options.longhand, folder: folder)
    for (name, arguments) in [("", []), (" with a vocabulary", ["--vocabulary", vocabulary.path])] {
      let transcripts = try program.transcribe(files, arguments: arguments, name: "orders\(name)").transcripts
      var found: [Bool] = []
      var whole = 0
      for (row, transcript) in zip(rows, transcripts) {
        let text = " \(transcript.normalizedWords.joined(separator: " ")) "
        let hits = row[1].split(separator: "|").map {
          text.contains(" \(TextNormalizer().words(in: String($0)).joined(separator: " ")) ")
        }
        found += hits
        whole += hits.contains(false) ? 0 : 1
      }
      let share = Double(found.count(where: \.self)) / Double(max(1, found.count))
      report.add(
        "phrases of orders found\(name)", share, unit: .share, goal: name.isEmpty ? nil : .atLeast(0.82))
      report.add(
        "orders with every phrase\(name)", Double(whole) / Double(max(1, rows.count)), unit: .share,
        goal: name.isEmpty ? nil : .atLeast(0.64))
    }
  }

  /// What is needed of the report of `longhand evaluate --json`.
  private struct EvaluationReport: Decodable {
    struct Figures: Decodable {
      var wordErrorRate: WordErrorRate
      var terms: Terms?
    }
    struct Terms: Decodable { var found: Int }

    var clips: [Figures]
    var total: Figures
    var madeWorse: [String]?
  }

  /// Clips that are not about a domain, with its vocabulary and without.
  private func ordinarySpeech(_ report: inout Report) throws {
    guard let manifest = options.manifestFile else {
      return Log.say("skipped ordinary speech: there is no manifest")
    }
    func evaluate(_ arguments: [String]) throws -> (report: EvaluationReport, file: URL) {
      let run = try Program.run(
        [options.longhand, "evaluate", "--quiet", "--json", "--alternatives", "1"] + arguments + [
          manifest.path
        ],
        in: folder, name: "ordinary speech \(arguments.joined(separator: " "))")
      let file = folder.appendingPathComponent("ordinary-speech.json")
      if arguments.isEmpty { try run.output.write(to: file) }
      return (try JSONDecoder().decode(EvaluationReport.self, from: run.output), file)
    }
    let (plain, baseline) = try evaluate([])
    report.add("word error rate of ordinary speech", plain.total.wordErrorRate.rate, unit: .share)
    let domains = URL(fileURLWithPath: options.domains)
    for domain in Self.names {
      let special = try evaluate([
        "--baseline", baseline.path,
        "--terms", domains.appendingPathComponent("\(domain).terms").path,
        "--vocabulary", domains.appendingPathComponent("\(domain).json5").path,
      ]).report
      report.add("with \(domain)", special.total.wordErrorRate.rate, unit: .share)
      report.add(
        "clips made worse by \(domain)",
        Double(special.madeWorse?.count ?? 0) / Double(max(1, plain.clips.count)),
        unit: .share, goal: .atMost(0.01))
      report.add("false terms of \(domain)", Double(special.total.terms?.found ?? 0), unit: .count)
    }
  }

  private func write(_ text: String, to name: String) throws -> URL {
    let file = folder.appendingPathComponent(name)
    try text.write(to: file, atomically: true, encoding: .utf8)
    return file
  }
}
