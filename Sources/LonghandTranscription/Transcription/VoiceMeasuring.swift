import AVFAudio
import AudioStreams
import Foundation
import LonghandRecording
import LonghandTranscripts
import VoiceMeasurement

extension Transcript {
  /// Measures the speech, from the words and from the audio of each segment, and sets `voice`.
  ///
  /// Takes about a hundredth of the duration of the speech.
  /// - Parameter source: the audio of the transcript.
  /// - Throws: `TranscriptionError`, `CancellationError`.
  package mutating func measureVoice(in source: any AudioSource) async throws {
    var measured: [(Segment, VoiceAnalysis)] = []
    for segment in segments {
      measured.append((segment, VoiceAnalyzer().analyze(try await source.samples(of: segment.range))))
    }
    voice = TranscriptVoice(
      whole: VoiceAnalytics(measured), segments: measured.map { VoiceAnalytics([$0]) })
  }
}

extension VoiceAnalytics {
  /// The analytics of segments together. The jitter and shimmer of each count as much as it has voice.
  fileprivate init(_ measured: [(segment: Segment, voice: VoiceAnalysis)]) {
    let timing = SpeechTiming(measured.flatMap(\.segment.words).map { ($0.start, $0.end) })
    let frames = measured.reduce(0) { $0 + $1.voice.frameCount }
    let contour = PitchContour(frequencies: measured.flatMap(\.voice.contour.frequencies))
    let voiced = contour.frequencies.count { $0 > 0 }
    func mean(_ measure: (VoiceAnalysis) -> Double?) -> Double? {
      let weighted = measured.compactMap { _, voice in
        measure(voice).map { (value: $0, weight: Double(voice.contour.frequencies.count { $0 > 0 })) }
      }
      let weight = weighted.reduce(0) { $0 + $1.weight }
      return weight > 0 ? weighted.reduce(0) { $0 + $1.value * $1.weight } / weight : nil
    }
    self.init(
      speakingRate: timing.speakingRate, averagePause: timing.averagePauseDuration, pitch: contour.median,
      jitter: mean(\.utteranceJitter), shimmer: mean(\.utteranceShimmer),
      voicing: frames > 0 ? Double(voiced) / Double(frames) : nil)
  }
}

extension AudioSource {
  /// The audio of a range in seconds, as 16 kHz mono from -1 to 1.
  fileprivate func samples(of range: ClosedRange<TimeInterval>) async throws -> [Float] {
    let rate = Double(sampleRate)
    let (first, end) = (
      Int64(range.lowerBound * rate), Int64(clamping: (range.upperBound * rate).rounded(.up))
    )
    let target = AVAudioFormat(standardFormatWithSampleRate: VoiceAnalyzer.sampleRate, channels: 1)
    var conversion: AudioConversion?
    var samples: [Float] = []
    for try await chunk in chunks(from: first) {
      guard chunk.start < end else { break }
      if conversion == nil {
        conversion = target.flatMap { AudioConversion(from: chunk.buffer.format, to: $0) }
        conversion?.converter.downmix = true
      }
      guard let conversion else { throw TranscriptionError.undecodable("its audio cannot be converted") }
      samples += try conversion.converted(chunk.buffer)
    }
    samples += try conversion?.converted(nil) ?? []
    return Array(samples.prefix(Int(clamping: Double(end - first) / rate * VoiceAnalyzer.sampleRate)))
  }
}

extension AudioConversion {
  /// The samples of the next buffer, or of the end, in one channel.
  fileprivate func converted(_ buffer: AVAudioPCMBuffer?) throws -> [Float] {
    do {
      return try (buffer.map(convert) ?? finish()).flatMap { AudioChunk($0, start: 0).mono }
    } catch {
      throw TranscriptionError.undecodable("\(error)")
    }
  }
}
