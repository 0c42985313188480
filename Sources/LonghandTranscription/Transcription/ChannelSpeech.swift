import AVFAudio
import Foundation
import LonghandRecording
import LonghandTranscripts
import Speech

/// Whether the channels of a recording have speech, as the detector of speech finds it.
@available(macOS 26, iOS 26, *)
enum ChannelSpeech {
  /// Of a long recording, so many parts all over it are examined first, each of so many seconds.
  private static let examined = (parts: 30, seconds: 10.0)
  /// Seconds of speech that a channel with speech has at least.
  private static let leastSeconds = 1.0
  /// Seconds of the shortest word. A channel with less speech has none.
  private static let shortestWord = 0.2
  /// The level in dBFS that the audio of a channel without speech mostly exceeds if it disturbs the others.
  private static let loud = -50.0

  /// The channels that have loud audio and no speech, or hardly any, while others have speech; most recordings have none.
  /// - Throws: `TranscriptionError`, `CancellationError`.
  static func disturbing(
    in audio: any ChannelAudio
  ) async throws -> (speechless: [Int], hardlySpeaking: [Int]) {
    var speaking: [Int] = []
    var disturbing: [(channel: Int, speech: Double)] = []
    for channel in 0..<audio.channels {
      let source = try audio.source(ofChannel: channel)
      let excerpt = Excerpt(of: source, parts: examined.parts, seconds: examined.seconds)
      let speech = try await secondsOfSpeech(in: excerpt)
      if speech >= leastSeconds {
        speaking.append(channel)
      } else if try await isLoud(excerpt) {
        disturbing.append((channel, speech))
      }
    }
    guard !speaking.isEmpty else { return ([], []) }
    var (speechless, hardlySpeaking): ([Int], [Int]) = ([], [])
    for (channel, found) in disturbing {
      let source = try audio.source(ofChannel: channel)
      var speech = found
      // No word may be lost because it is between the parts.
      if speech < shortestWord, source.duration > Double(examined.parts) * examined.seconds {
        speech = try await secondsOfSpeech(in: source)
      }
      if speech < shortestWord { speechless.append(channel) } else { hardlySpeaking.append(channel) }
    }
    return (speechless, hardlySpeaking)
  }

  /// Whether most of the audio is loud.
  private static func isLoud(_ audio: any AudioSource) async throws -> Bool {
    var (loudParts, parts) = (0, 0)
    for try await chunk in audio.chunks(from: 0) {
      let samples = chunk.samples(ofChannel: 0)
      let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))
      parts += 1
      if 10 * log10(power + 1e-12) > loud { loudParts += 1 }
    }
    return loudParts * 2 > parts
  }

  private static func secondsOfSpeech(in audio: any AudioSource) async throws -> Double {
    let detector = SpeechDetector(detectionOptions: .init(sensitivityLevel: .medium), reportResults: true)
    guard let format = await SpeechAnalyzer.bestAvailableAudioFormat(compatibleWith: [detector]) else {
      return .infinity
    }
    let analyzer = SpeechAnalyzer(modules: [detector])
    let inputs = AnalyzerInputs(audio: audio, start: 0, format: format)
    return try await withThrowingTaskGroup { group in
      group.addTask {
        _ = try await analyzer.analyzeSequence(inputs)
        try await analyzer.finalizeAndFinishThroughEndOfInput()
        return 0.0
      }
      group.addTask {
        var seconds = 0.0
        for try await found in detector.results where found.isFinal && found.speechDetected {
          seconds += found.seconds.upperBound - found.seconds.lowerBound
        }
        return seconds
      }
      return try await group.reduce(0, +)
    }
  }
}

/// Parts all over a source, one after another; all of it if it is short.
private struct Excerpt: AudioSource {
  let source: any AudioSource
  private let starts: [Int64]
  private let frames: Int64

  init(of source: any AudioSource, parts: Int, seconds: TimeInterval) {
    self.source = source
    let rate = Double(source.sampleRate)
    if source.duration <= Double(parts) * seconds {
      (starts, frames) = ([0], .max)
    } else {
      starts = (0..<parts).map { part in
        Int64(clamping: (source.duration - seconds) * Double(part) / Double(parts - 1))
          * Int64(source.sampleRate)
      }
      frames = Int64(clamping: seconds * rate)
    }
  }

  var sampleRate: Int { source.sampleRate }
  var duration: TimeInterval {
    min(source.duration, Double(starts.count) * Double(frames) / Double(sampleRate))
  }

  func chunks(from frame: Int64) -> AudioChunks {
    AudioChunks {
      var rest = starts[...]
      var part: AudioChunks.Iterator?
      var (end, next): (Int64, Int64) = (0, 0)
      return {
        while true {
          if let chunk = try await part?.next(), chunk.start < end {
            defer { next += Int64(chunk.buffer.frameLength) }
            return AudioChunk(chunk.buffer, start: next)
          }
          guard let start = rest.popFirst() else { return nil }
          part = source.chunks(from: start).makeAsyncIterator()
          end = start.addingReportingOverflow(frames).overflow ? .max : start + frames
        }
      }
    }
  }
}
