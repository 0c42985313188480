import AVFAudio
import CoreMedia
import Foundation
import Speech

/// Plays a recording to an analyzer at the pace at which it would be spoken, and notes when results come.
struct LiveSession {
  /// Seconds of a buffer: about what a tap on a microphone gives. Sound is a buffer old when it is handed in.
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
    async let speech = Self.speech(detector)
    let delay = try await play(to: microphone, in: format, since: start)
    try await analyzer.finalizeAndFinishThroughEndOfInput()
    var trace = try await results
    trace.speech = try await speech
    trace.greatestDelay = delay
    return trace
  }

  /// Hands in buffer after buffer, each when its last sample would have been spoken.
  /// - Returns: by how much one came late, at the most.
  private func play(
    to microphone: AsyncStream<AnalyzerInput>.Continuation, in format: AVAudioFormat,
    since start: ContinuousClock.Instant
  ) async throws -> Double {
    defer { microphone.finish() }
    let length = Int(Self.bufferLength * Double(LiveRecording.rate))
    var delay = 0.0
    for place in stride(from: 0, to: recording.samples.count, by: length) {
      let samples = recording.samples[place..<min(place + length, recording.samples.count)]
      guard
        let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(samples.count)),
        let data = buffer.int16ChannelData
      else { throw Program.Failure(description: "there is no room for a buffer") }
      for (index, sample) in samples.enumerated() { data[0][index] = sample }
      buffer.frameLength = AVAudioFrameCount(samples.count)
      let due = start + .seconds(Double(samples.endIndex) / Double(LiveRecording.rate))
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
      let words = result.text.runs.compactMap { $0.audioTimeRange?.seconds }
      if result.isFinal {
        trace.finals.append(.init(arrival: arrival, range: result.range.seconds, words: words))
      } else if let last = words.last {
        trace.volatiles.append(.init(arrival: arrival, heardTo: last.upperBound))
      }
    }
    return trace
  }

  private static func speech(_ detector: SpeechDetector) async throws -> [ClosedRange<Double>] {
    var speech: [ClosedRange<Double>] = []
    for try await result in detector.results where result.isFinal && result.speechDetected {
      speech.append(result.range.seconds)
    }
    return speech
  }
}

extension CMTimeRange {
  /// Where it begins and ends, in seconds.
  fileprivate var seconds: ClosedRange<Double> { start.seconds...max(start.seconds, end.seconds) }
}
