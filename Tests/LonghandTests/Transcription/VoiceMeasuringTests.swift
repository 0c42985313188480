import AVFAudio
import Foundation
import Longhand
import TestSupport
import Testing

/// Measures of the speech, in audio whose measures are known.
@Suite struct VoiceMeasuringTests {
  /// Two seconds of a voice of 150 Hz, a second of silence and two seconds of a voice of 220 Hz, on two channels.
  private func recording(rate: Double = 44_100) throws -> URL {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).wav")
    let file = try AVAudioFile(
      forWriting: url, settings: [AVSampleRateKey: rate, AVNumberOfChannelsKey: 2])
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(5 * rate)))
    buffer.frameLength = buffer.frameCapacity
    for frame in 0..<Int(buffer.frameLength) {
      let time = Double(frame) / rate
      let frequency = time < 2 ? 150.0 : time < 3 ? 0 : 220
      let value = (1...10).reduce(0) { $0 + sin(2 * .pi * frequency * Double($1) * time) / Double($1) }
      for channel in 0..<2 { buffer.floatChannelData?[channel][frame] = Float(0.2 * value) }
    }
    try file.write(from: buffer)
    file.close()
    return url
  }

  private func segment(_ id: Int, _ start: Double, _ end: Double, _ words: [(Double, Double)]) -> Segment {
    let words = words.map { Word(text: "a", start: $0.0, end: $0.1, confidence: 1) }
    let candidate = Candidate(text: "a a", words: words, confidence: 1)
    return Segment(id: id, start: start, end: end, candidates: [candidate])
  }

  @Test(.tagged(.childProcess)) func voiceOfEachSegmentIsMeasured() async throws {
    let url = try recording()
    defer { try? FileManager.default.removeItem(at: url) }
    let segments = [
      segment(0, 0.15, 1.95, [(0.2, 0.6), (0.8, 1.2), (1.4, 1.8)]), segment(1, 2.5, 5, [(3.2, 4.8)]),
    ]
    var transcript = Transcript(
      source: "voice.wav", locale: "en-US", engine: "analyzer", duration: 5, segments: segments,
      coverage: Coverage(transcribed: 5))
    #expect(transcript.voice == nil)
    try await transcript.measureVoice(in: AudioFileSource(url))
    let voice = try #require(transcript.voice)
    #expect(voice.segments.count == 2)

    let first = voice.segments[0]
    #expect(abs(try #require(first.pitch) - 150) < 1)
    #expect(try #require(first.voicing) > 0.95)
    #expect(try #require(first.jitter) < 0.5)
    #expect(try #require(first.shimmer) < 0.5)
    // Three words in 1.6 s, with pauses of 0.2 s.
    #expect(abs(first.speakingRate - 112.5) < 0.01)
    #expect(abs(first.averagePause - 0.2) < 0.001)

    let second = voice.segments[1]
    #expect(abs(try #require(second.pitch) - 220) < 1)
    #expect(0.7...0.85 ~= (try #require(second.voicing)))
    #expect(second.averagePause == 0)

    #expect(abs(voice.whole.speakingRate - 4 * 60 / 4.6) < 0.01)
    #expect(abs(voice.whole.averagePause - (0.2 + 0.2 + 1.4) / 3) < 0.001)
    #expect(150...221 ~= (try #require(voice.whole.pitch)))
  }

  @Test(.tagged(.childProcess)) func silenceHasNoVoice() async throws {
    let url = try recording()
    defer { try? FileManager.default.removeItem(at: url) }
    var transcript = Transcript(
      source: "voice.wav", locale: "en-US", engine: "analyzer", duration: 5,
      segments: [segment(0, 2.2, 2.8, [])], coverage: Coverage(transcribed: 5))
    try await transcript.measureVoice(in: AudioFileSource(url))
    let whole = try #require(transcript.voice?.whole)
    #expect(whole.pitch == nil)
    #expect(whole.jitter == nil)
    #expect(whole.voicing == 0)
    #expect(whole.speakingRate == 0)
    let json = TranscriptFormatter(format: .json).string(for: transcript)
    #expect(json.contains("\"pitch\": null"))
  }
}
