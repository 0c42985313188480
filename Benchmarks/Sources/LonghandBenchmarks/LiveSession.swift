import AVFAudio
import CoreMedia
import Foundation
import Speech

/// Plays a recording to an analyzer in real time, and records when results arrive.
struct LiveSession {
  /// The length of a buffer in seconds, about that of a tap on a microphone. Audio arrives one buffer late.
  static let bufferLength = 0.1

  var recording: LiveRecording

  func run() async throws -> LiveTrace {
    let transcriber = SpeechTranscriber(
      locale: Locale(identifier: "en-US"), transcriptionOptions: [], reportingOptions: [.volatileResults],
      attributeOptions: [.audioTimeRange])
    let detector = SpeechDetector(
      detectionOptions: .init(sensitivityLevel: .medium), reportResults: true)
    let modules: [any SpeechModule] = [transcriber, detector]
    let analyzer = SpeechAnalyzer(modules: modules)
    guard let format = await SpeechAnalyzer.bestAvailableAudioFormat(compatibleWith: modules),
      format.commonFormat == .pcmFormatInt16, format.sampleRate == Double(LiveRecording.rate)
    else { throw Program.Failure(description: "the analyzer does not take 16 kHz of 16 bits") }
    // As an app does before it opens the microphone.
    try await analyzer.prepareToAnalyze(in: format)
    let (inputs, microphone) = AsyncStream.makeStream(of: AnalyzerInput.self)
    try await analyzer.start(inputSequence: inputs)

    let start = ContinuousClock.now
    async let results = Self.collect(transcriber, since: start)
    async let speech = Self.speech(detector, since: start)
    let delay = try await play(to: microphone, in: format, since: start)
    try await analyzer.finalizeAndFinishThroughEndOfInput()
    var trace = try await results
    trace.speech = try await speech
    trace.maxDelay = delay
    return trace
  }

  /// Sends each buffer when its last sample would have been spoken.
  /// - Returns: The maximum delay of a buffer in seconds.
  private func play(
    to microphone: AsyncStream<AnalyzerInput>.Continuation, in format: AVAudioFormat,
    since beginning: ContinuousClock.Instant
  ) async throws -> Double {
    defer { microphone.finish() }
    let length = Int(Self.bufferLength * Double(LiveRecording.rate))
    var delay = 0.0
    for start in stride(from: 0, to: recording.samples.count, by: length) {
      let samples = recording.samples[start..<min(start + length, recording.samples.count)]
      guard
        let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(samples.count)),
        let data = buffer.int16ChannelData
      else { throw Program.Failure(description: "not enough memory for a buffer") }
      for (index, sample) in samples.enumerated() { data[0][index] = sample }
      buffer.frameLength = AVAudioFrameCount(samples.count)
      let due = beginning + .seconds(Double(samples.endIndex) / Double(LiveRecording.rate))
      try await Task.sleep(until: due)
      delay = max(delay, (ContinuousClock.now - due) / .seconds(1))
      microphone.yield(AnalyzerInput(buffer: buffer))
    }
    return delay
  }

  private static func collect(
    _ transcriber: SpeechTranscriber, since start: ContinuousClock.Instant
  ) async throws -> LiveTrace {
    var trace = LiveTrace()
    for try await result in transcriber.results {
      let arrival = (ContinuousClock.now - start) / .seconds(1)
      let runs = result.text.runs.filter { $0.audioTimeRange != nil }
      let words = runs.compactMap { $0.audioTimeRange?.seconds }
      let texts = runs.map { run in
        String(result.text[run.range].characters.filter { $0.isLetter || $0.isNumber }).lowercased()
      }
      if result.isFinal {
        trace.finals.append(.init(arrival: arrival, range: result.range.seconds, words: words, texts: texts))
      } else if let first = words.first, let last = words.last {
        trace.volatiles.append(
          .init(arrival: arrival, start: first.lowerBound, end: last.upperBound, texts: texts))
      }
    }
    return trace
  }

  private static func speech(
    _ detector: SpeechDetector, since start: ContinuousClock.Instant
  ) async throws -> [LiveTrace.Speech] {
    var speech: [LiveTrace.Speech] = []
    for try await result in detector.results where result.isFinal && result.speechDetected {
      speech.append(.init(arrival: (ContinuousClock.now - start) / .seconds(1), range: result.range.seconds))
    }
    return speech
  }
}

extension CMTimeRange {
  /// The range in seconds.
  fileprivate var seconds: ClosedRange<Double> { start.seconds...max(start.seconds, end.seconds) }
}

/// The results of an analyzer for a live recording, and when they arrived. All times are in seconds since the recording
/// began to play, so that times in the audio and arrival times can be compared.
struct LiveTrace {
  /// A volatile result of the transcriber.
  struct Volatile {
    var arrival: Double
    /// The start of its first word.
    var start: Double
    /// The end of its last word.
    var end: Double
    /// Its words, in small letters and without marks.
    var texts: [String]
  }

  /// A final result of the transcriber.
  struct Final {
    var arrival: Double
    var range: ClosedRange<Double>
    /// The time range of each word.
    var words: [ClosedRange<Double>]
    /// The words, in small letters and without marks.
    var texts: [String]
  }

  /// A range of speech that the detector reports in a final result, when it has heard the pause after it.
  struct Speech {
    var arrival: Double
    var range: ClosedRange<Double>
  }

  var volatiles: [Volatile] = []
  var finals: [Final] = []
  var speech: [Speech] = []
  /// The maximum delay of a buffer in seconds. A busy machine delays buffers.
  var maxDelay = 0.0
}
