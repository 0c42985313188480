import Foundation
import SentenceFormatting
import Synchronization

/// The last part of a recording's audio, with few points a second, by which the voice at the ends of words is measured.
struct VoiceTrack: Sendable {
  /// The points of a second.
  private let rate = WordVoice.rate

  private var points: [Float] = []
  /// The offset of the first point from the start of the recording.
  private var start = 0
  private var end: Int { start + points.count }

  /// Adds audio. What was added before at the same time, or with a gap before it, is replaced.
  /// - Parameter rate: the frames per second of the audio.
  mutating func append(_ chunk: AudioChunk, rate sourceRate: Int) {
    let frames = Int(chunk.buffer.frameLength)
    let first = Int(clamping: (Double(chunk.start) / Double(sourceRate) * Double(rate)).rounded())
    let count = Int(clamping: (Double(frames) / Double(sourceRate) * Double(rate)).rounded())
    guard let channels = chunk.buffer.floatChannelData, frames > 0, count > 0 else { return }
    if first < start || first > end { (points, start) = ([], first) }
    points.removeLast(end - first)
    let (channelCount, stride) = (Int(chunk.buffer.format.channelCount), chunk.buffer.stride)
    points += [Float](unsafeUninitializedCapacity: count) { points, initializedCount in
      var (point, from) = (0, 0)
      while point < count {
        let next = (point + 1) * frames / count
        let to = next > from ? next : from + 1
        var sum: Float = 0
        var channel = 0
        while channel < channelCount {
          let samples = channels[channel]
          var frame = from
          while frame < to {
            sum += samples[frame * stride]
            frame += 1
          }
          channel += 1
        }
        points[point] = sum / Float((to - from) * channelCount)
        point += 1
        from = next
      }
      initializedCount = count
    }
  }

  /// Forgets the audio before a time, in seconds.
  mutating func forget(before time: TimeInterval) {
    let passed = Int(clamping: max(0, time)) * rate - start
    guard passed > 0 else { return }
    points.removeFirst(min(passed, points.count))
    start += passed
  }

  /// How the voice ends a word; nil if its audio is not known.
  func voice(of word: Word) -> WordVoice? {
    let base = Double(start) / Double(rate)
    return WordVoice(points[...], from: word.start - base, to: word.end - base)
  }

  /// Measures the last word of each candidate, and the words before pauses.
  func measure(_ candidates: [Candidate]) -> [Candidate] {
    var known: [[TimeInterval]: WordVoice?] = [:]
    var measured = candidates
    for index in measured.indices {
      let words = measured[index].words
      for (place, word) in words.enumerated() {
        let isLast = place == words.count - 1
        guard isLast || words[place + 1].start - word.end >= SentenceFormatter.shortestPause else { continue }
        let voice = known[[word.start, word.end]] ?? self.voice(of: word)
        known[[word.start, word.end]] = voice
        measured[index].words[place].voice = voice
      }
    }
    return measured
  }
}

/// A source whose audio is kept for a while, as far as an engine has read it.
final class TrackedSource: AudioSource {
  private let source: any AudioSource
  private let track = Mutex(VoiceTrack())

  init(_ source: any AudioSource) { self.source = source }

  var sampleRate: Int { source.sampleRate }
  var duration: TimeInterval { source.duration }
  var gaps: [RecordingGap] { source.gaps }

  func chunks(from frame: Int64) -> AudioChunks {
    AudioChunks {
      var chunks = self.source.chunks(from: frame).makeAsyncIterator()
      return {
        let chunk = try await chunks.next()
        if let chunk { self.track.withLock { $0.append(chunk, rate: self.sampleRate) } }
        return chunk
      }
    }
  }

  /// Measures the voice of words that the engine reported.
  func measure(_ candidates: [Candidate]) -> [Candidate] { track.withLock { $0.measure(candidates) } }

  /// Forgets the audio before a time, in seconds.
  func forget(before time: TimeInterval) { track.withLock { $0.forget(before: time) } }
}
