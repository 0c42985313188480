import AVFAudio
import AudioStreams
import CoreMedia
import LonghandRecording
import LonghandTranscripts
import Speech

/// The audio of a source as inputs of an analyzer, from a time on.
@available(macOS 26, iOS 26, *)
struct AnalyzerInputs: AsyncSequence, Sendable {
  let audio: any AudioSource
  /// Seconds from the start of the source; a whole number, so that chunks are cut at the same frames as from 0.
  let start: TimeInterval
  /// What the analyzer takes.
  let format: AVAudioFormat
  /// Called with each range (seconds) in which the channels have opposite phases.
  var reportOppositePhase: @Sendable (ClosedRange<TimeInterval>) -> Void = { _ in }
  /// Called with each range (seconds) of loud audio, whether it is speech or not.
  var reportSound: @Sendable (ClosedRange<TimeInterval>) -> Void = { _ in }

  func makeAsyncIterator() -> Iterator {
    let rate = Double(audio.sampleRate)
    return Iterator(audio, start: start, format: format, sound: LoudRanges(reportSound)) { chunk in
      reportOppositePhase(Double(chunk.start) / rate...Double(chunk.end) / rate)
    }
  }

  struct Iterator: AsyncIteratorProtocol {
    /// Seconds of the longest input that is made of several chunks.
    private static let maxJoined = 2.0

    /// Seconds of a gap that the analyzer does not process: any before the audio begins and any pause of the user, because
    /// silence without any noise would change what it takes for a pause of the speaker; and damage, because a small file
    /// can state a gap before each of its packets.
    private static func longGap(_ reason: RecordingGap.Reason) -> TimeInterval {
      [.notBegun, .paused, .damaged].contains(reason) ? 0.5 : 60
    }

    private let audio: any AudioSource
    private var chunks: AudioChunks.Iterator
    /// The long gaps to come, and the last of all gaps when they were looked for: a recording still gets new ones.
    private var gaps: ArraySlice<RecordingGap> = []
    private var lastGap: RecordingGap?
    /// The frame after the last chunk.
    private var position: Int64
    /// Where the next input begins if it does not follow the last one, in frames of the source.
    private var begin: Int64?
    /// The same, after the converted audio from before the gap.
    private var pending: Int64?
    private var sound: LoudRanges
    private let format: AVAudioFormat
    private let reportOppositePhase: (AudioChunk) -> Void
    private var conversion: AudioConversion?
    /// Converted audio that the analyzer has not had yet.
    private var ready: [AVAudioPCMBuffer] = []

    init(
      _ audio: any AudioSource, start: TimeInterval, format: AVAudioFormat, sound: LoudRanges,
      reportOppositePhase: @escaping (AudioChunk) -> Void
    ) {
      self.audio = audio
      let first = Int64(start) * Int64(audio.sampleRate)
      chunks = audio.chunks(from: first).makeAsyncIterator()
      (position, begin) = (first, first > 0 ? first : nil)
      self.format = format
      self.sound = sound
      self.reportOppositePhase = reportOppositePhase
    }

    /// - Throws: `TranscriptionError`, `CancellationError`.
    mutating func next() async throws -> AnalyzerInput? {
      while ready.isEmpty { guard try await read() else { return nil } }
      // An input wakes every thread of the analyzer, so what can be read without waiting becomes one input.
      while canReadOn(), try await read() {}
      if pending == nil, let joined = AVAudioPCMBuffer(joining: ready) { ready = [joined] }
      return input(ready.removeFirst())
    }

    /// Whether the next chunk can be read now, and belongs to the same input.
    private mutating func canReadOn() -> Bool {
      let frames = ready.reduce(0) { $0 + Double($1.frameLength) }
      let durable = Int64(clamping: (audio.duration * Double(audio.sampleRate)).rounded())
      // After that, because gaps are known when the audio after them is.
      updateGaps()
      return pending == nil && frames < Self.maxJoined * format.sampleRate
        && AudioChunks.end(after: position, sampleRate: audio.sampleRate) <= durable
        && gaps.allSatisfy { $0.start > position || $0.start + $0.frames <= position }
    }

    /// Adds the next chunk to what is ready, or skips a gap.
    /// - Returns: false at the end.
    private mutating func read() async throws -> Bool {
      if let rest = skipGap() {
        ready += rest
        return true
      }
      let chunk = try await chunks.next()
      position = chunk?.end ?? position
      guard chunk != nil || conversion != nil else {
        sound.end()
        return false
      }
      if let chunk { sound.add(chunk, rate: audio.sampleRate) }
      do {
        ready += try convert(chunk)
        if let chunk, chunk.isPhaseCorrected || conversion?.isPhaseCorrected == true {
          reportOppositePhase(chunk)
        }
      } catch let error as AudioConversionError {
        throw TranscriptionError.undecodable(error.description)
      }
      return true
    }

    /// Continues after a long gap that begins here; nil if there is none.
    /// - Returns: converted audio from before the gap.
    private mutating func skipGap() -> [AVAudioPCMBuffer]? {
      updateGaps()
      gaps = gaps.drop { $0.start + $0.frames <= position }
      guard let gap = gaps.first, gap.start <= position else { return nil }
      let end = gap.start + gap.frames
      gaps.removeFirst()
      // Only a little is left of it.
      guard Double(end - position) >= Self.longGap(gap.reason) / 2 * Double(audio.sampleRate) else {
        return nil
      }
      let rest = (try? conversion?.finish()) ?? []
      conversion = nil
      (position, pending) = (end, end)
      chunks = audio.chunks(from: end).makeAsyncIterator()
      if rest.isEmpty { (begin, pending) = (end, nil) }
      return rest
    }

    private mutating func updateGaps() {
      guard let last = audio.gaps.last, last != lastGap else { return }
      (lastGap, gaps) = (last, audio.gaps(ofAtLeast: Self.longGap)[...])
    }

    /// Converts the next chunk; nil ends the audio.
    private mutating func convert(_ chunk: AudioChunk?) throws -> [AVAudioPCMBuffer] {
      guard let chunk else {
        defer { conversion = nil }
        return try conversion?.finish() ?? []
      }
      if let conversion { return try conversion.convert(chunk.buffer) }
      let source = chunk.buffer.format
      guard let conversion = AudioConversion(from: source, to: format) else {
        throw TranscriptionError.undecodable(
          "audio at \(source.sampleRate) Hz cannot be converted to \(format.sampleRate) Hz")
      }
      // The speaker may be on any channel.
      conversion.converter.downmix = true
      self.conversion = conversion
      return try conversion.convert(chunk.buffer)
    }

    private mutating func input(_ buffer: AVAudioPCMBuffer) -> AnalyzerInput {
      let time = begin.map { frame in
        let seconds = Double(frame) / Double(audio.sampleRate)
        return CMTime(
          value: Int64(clamping: (seconds * format.sampleRate).rounded()), timescale: Int32(format.sampleRate)
        )
      }
      begin = nil
      if ready.isEmpty { (begin, pending) = (pending, nil) }
      return AnalyzerInput(buffer: buffer, bufferStartTime: time)
    }
  }
}

extension AVAudioPCMBuffer {
  /// The audio of several buffers of one format; nil if there are fewer than two, or no memory.
  fileprivate convenience init?(joining buffers: [AVAudioPCMBuffer]) {
    guard buffers.count > 1 else { return nil }
    self.init(pcmFormat: buffers[0].format, frameCapacity: buffers.reduce(0) { $0 + $1.frameLength })
    let planes = UnsafeMutableAudioBufferListPointer(mutableAudioBufferList)
    let bytesPerFrame = Int(format.streamDescription.pointee.mBytesPerFrame)
    for buffer in buffers {
      let start = Int(frameLength) * bytesPerFrame
      let count = Int(buffer.frameLength) * bytesPerFrame
      for (plane, source) in zip(
        planes, UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList))
      {
        guard let samples = source.mData else { continue }
        plane.mData?.advanced(by: start).copyMemory(from: samples, byteCount: count)
      }
      frameLength += buffer.frameLength
    }
  }
}
