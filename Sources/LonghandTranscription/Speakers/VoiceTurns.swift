import AVFAudio
import AudioStreams
import FileSupport
import Foundation
import LonghandRecording
import LonghandTranscripts
import SpeakerDiarization

/// Who speaks when in a recording, by the sound of the voices: in each channel that was transcribed by itself, else in the mix.
///
/// Nothing but the times and the confidence is kept. Voices are compared within the recording only, and with voices that a
/// person asked to remember.
struct VoiceTurns: Sendable {
  /// The turns of each channel, and what separated its voices, such as `embedded`.
  private var channels:
    [(channel: Int?, turns: [SpeakerTurn], engine: String, prints: [String: RememberedPrint])] = []
  /// Who speaks when in the mix, by the number of voices; nil if the way that separated the voices does not say it.
  private(set) var byNumber: TurnsByNumber?
  private var remembered = RememberedVoices()
  /// Why no voice could be recognized, as a sentence; nil if the remembered voices were read.
  private var unreadable: String?
  /// Why the installed speaker model failed, as a sentence; nil if it did not, or if there is none.
  private var problem: String?
  private let usesModel: Bool
  /// Whether voices were separated without a model although there are models for this platform.
  private var lacksModel = false
  /// Whether the number of voices in the mix is a guess without a model, and is one.
  private var isOneVoice = false
  /// Whether the number of voices was given for channels, or for a mix with fewer voices.
  private var isNumberUnused = false
  /// How many voices there are in the mix, if more were given.
  private var fewerVoices: Int?
  /// The people whose voices were remembered with other networks or methods.
  private var strangers: Set<String> = []

  /// Warnings about the separation of the voices.
  func warnings(of audio: any AudioSource) -> [TranscriptWarning] {
    let all = 0...max(0, audio.duration)
    var warnings: [TranscriptWarning] = []
    if let problem { warnings.append(.speakerModelFailed(all, problem)) }
    if lacksModel { warnings.append(.speakerModelMissing(all)) }
    if isOneVoice { warnings.append(.oneVoice(all)) }
    if isNumberUnused { warnings.append(.numberOfVoicesUnused(all, found: fewerVoices)) }
    if let unreadable { warnings.append(.rememberedVoicesUnreadable(all, unreadable)) }
    if !strangers.isEmpty { warnings.append(.voicesRememberedOtherwise(all, strangers.sorted())) }
    return warnings
  }

  /// Listens to the audio of the segments. Takes about a 400th of the duration.
  /// - Parameters:
  ///   - audio: the audio of all segments.
  ///   - segments: what was recognized.
  ///   - wordless: seconds of speech without recognized words, in the mix; the rest of the audio is no speech.
  ///   - count: how many voices there are. In channels that were transcribed one by one the number is always found.
  ///   - file: the file of the remembered voices; nil to recognize no voice.
  ///   - usesModel: whether the model that is installed separates the voices.
  /// - Throws: `TranscriptionError`, `CancellationError`.
  init(
    of audio: any AudioSource, _ segments: [Segment], wordless: [ClosedRange<TimeInterval>] = [],
    _ count: VoiceCount, remembered file: URL? = nil, usesModel: Bool = true
  ) async throws {
    self.usesModel = usesModel
    do { remembered = try file.map(RememberedVoices.init) ?? remembered } catch {
      unreadable = error.explanation
    }
    let speech = Dictionary(grouping: segments.filter { !$0.text.isEmpty }, by: \.channel)
    isNumberUnused = count.number != nil && speech.keys.contains { $0 != nil }
    for (channel, segments) in speech.sorted(by: { ($0.key ?? -1) < ($1.key ?? -1) }) {
      let own = try channel.flatMap { try (audio as? any ChannelAudio)?.source(ofChannel: $0) } ?? audio
      let isMix = channel == nil
      let (turns, engine, prints, others) = try await turns(
        of: own, in: segments.map(\.range) + (isMix ? wordless : []), isMix ? count.number : nil)
      let number = Set(turns.map(\.voice)).count
      // One voice in a channel is the channel's speaker, which is known for certain.
      if channel != nil, number < 2 {
        channels.append((channel, [], engine, [:]))
        continue
      }
      isOneVoice = isMix && count.number == nil && engine == VoiceDiarizer.engine && number == 1
      if isMix, let given = count.number, 1..<given ~= number {
        (isNumberUnused, fewerVoices) = (true, number)
      }
      let found = turns.map { SpeakerTurn($0, channel: channel) }
      if isMix, !others.isEmpty {
        var all = others.mapValues { turns in turns.map { SpeakerTurn($0, channel: nil) } }
        all[number] = found
        byNumber = TurnsByNumber(engine: engine, turns: all)
      }
      channels.append((channel, found, engine, try await comparable(prints, of: found, in: own)))
    }
  }

  /// The prints of voices that can be compared with those that are remembered, by the names in the turns.
  /// - Parameter prints: what the networks say of the voices; nil if they did not separate them.
  private mutating func comparable(
    _ prints: [Int: NetworkPrint]?, of turns: [SpeakerTurn], in audio: any AudioSource
  ) async throws -> [String: RememberedPrint] {
    // If no voice is remembered, nothing is computed of a voice.
    if remembered.voices.isEmpty { return [:] }
    let network = prints?.values.first?.network
    let others = remembered.voices.filter { !$0.isKnown(to: network) }
    strangers.formUnion(others.map(\.name))
    if others.count == remembered.voices.count { return [:] }
    if let prints {
      return Dictionary(uniqueKeysWithValues: prints.map { ("\($0.key)", .network($0.value)) })
    }
    let sure = turns.filter(\.isSure).map { ($0.start...max($0.start, $0.end), $0.speaker) }
    return try await audio.voicePrints(of: sure).mapValues { .embedded($0) }
  }

  /// The turns by the model that is installed, else by the way that needs none; also if the model fails.
  private mutating func turns(
    of audio: any AudioSource, in speech: [ClosedRange<TimeInterval>], _ voices: Int?
  ) async throws -> Found {
    let model = usesModel ? Self.installedDiarizer() : nil
    #if os(Linux)
      lacksModel = model == nil
    #endif
    if problem == nil, let model {
      do {
        let found = try await Self.turns(model, of: audio, in: speech, voices)
        // Networks that learned from people may hear nobody in a synthetic voice. If they cannot tell several voices apart, these
        // stay unknown: the other way would be sure of wrong ones.
        if Set(found.turns.map(\.voice)).count > 1
          || found.turns.contains(where: { $0.confidence ?? 1 >= SpeakerLabel.minConfidence })
        {
          return found
        }
      } catch let error as TranscriptionError {
        throw error
      } catch {
        try Task.checkCancellation()
        problem = error.explanation
      }
    }
    var found = try await Self.turns(VoiceDiarizer(), of: audio, in: speech, voices)
    found.prints = nil
    return found
  }

  static func installedDiarizer() -> (any SpeakerDiarizer)? {
    #if os(Linux)
      NeuralDiarizer.installed()
    #else
      nil
    #endif
  }

  /// What a diarizer says of some audio.
  private typealias Found = (
    turns: [VoiceDiarizer.Turn], engine: String, prints: [Int: NetworkPrint]?,
    others: [Int: [VoiceDiarizer.Turn]]
  )

  private static func turns<Diarizer: SpeakerDiarizer>(
    _ diarizer: Diarizer, of audio: any AudioSource, in speech: [ClosedRange<TimeInterval>], _ voices: Int?
  ) async throws -> Found {
    var diarizer = diarizer
    try await audio.forEachVoiceSample { try await diarizer.add($0) }
    try Task.checkCancellation()
    let turns = try await diarizer.turns(in: speech, voices: voices)
    return (turns, Diarizer.engine, diarizer.prints, diarizer.others)
  }

  /// Replaces what was guessed before by these turns.
  func add(to speakers: inout SessionSpeakers) {
    let hasChannels = channels.contains { $0.channel != nil }
    if channels.isEmpty || hasChannels && speakers.turns.contains(where: { $0.channel == nil }) {
      speakers.setTurns([])
    }
    var prints: [String: RememberedPrint] = [:]
    for (channel, turns, engine, found) in hasChannels ? channels : Array(channels.prefix(1)) {
      let ids = speakers.setTurns(turns, ofChannel: channel, by: engine)
      for (voice, print) in found { prints[ids[voice] ?? voice] = print }
    }
    speakers.recognize(prints, by: remembered)
  }
}

extension SpeakerTurn {
  init(_ turn: VoiceDiarizer.Turn, channel: Int?) {
    self.init(
      start: turn.start, end: turn.end, speaker: "\(turn.voice)", confidence: turn.confidence,
      channel: channel)
  }
}

extension AudioSource {
  /// The prints of the voices in the audio, by the names in `turns`.
  /// - Throws: `TranscriptionError`, `CancellationError`.
  package func voicePrints(
    of turns: [(range: ClosedRange<TimeInterval>, voice: String)]
  ) async throws -> [String: VoicePrint] {
    var printer = VoicePrinter()
    try await forEachVoiceSample { printer.add($0) }
    try Task.checkCancellation()
    return printer.prints(of: turns)
  }

  /// Reads the audio, or a part of it in seconds, as 16 kHz mono.
  /// - Throws: `TranscriptionError`, `CancellationError`.
  package func forEachVoiceSample(
    from start: TimeInterval = 0, to end: TimeInterval = .infinity,
    _ body: ([Int16]) async throws -> Void
  ) async throws {
    let rate = Double(VoiceDiarizer.sampleRate)
    var rest = end < .infinity ? Int((end - start) * rate) : .max
    func take(_ buffers: [AVAudioPCMBuffer]) async throws {
      for buffer in buffers where rest > 0 {
        let samples = buffer.voiceSamples
        try await body(samples.count <= rest ? samples : Array(samples.prefix(rest)))
        rest -= min(samples.count, rest)
      }
    }
    let target = AVAudioFormat(
      commonFormat: .pcmFormatInt16, sampleRate: rate, channels: 1, interleaved: true)
    var conversion: AudioConversion?
    do {
      for try await chunk in chunks(from: Int64(clamping: start * Double(sampleRate))) {
        if conversion == nil {
          conversion = target.flatMap { AudioConversion(from: chunk.buffer.format, to: $0) }
          conversion?.converter.downmix = true
        }
        guard let conversion else { throw TranscriptionError.undecodable("its audio cannot be converted") }
        try await take(conversion.convert(chunk.buffer))
        if rest == 0 { return }
      }
      try await take(conversion?.finish() ?? [])
    } catch let error as AudioConversionError {
      throw TranscriptionError.undecodable(error.description)
    }
  }
}

extension AVAudioPCMBuffer {
  fileprivate var voiceSamples: [Int16] {
    guard let data = int16ChannelData else { return [] }
    return Array(UnsafeBufferPointer(start: data[0], count: Int(frameLength)))
  }
}
