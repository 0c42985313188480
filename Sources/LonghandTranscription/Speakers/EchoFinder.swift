import Foundation
import LonghandRecording
import LonghandTranscripts
import SpeakerDiarization

/// Finds speech of one channel that leaked into another one, as that of a loudspeaker into a microphone: a pure value.
///
/// A word is an echo where all of this holds:
/// - the same word begins in another channel at most half a second before or after it;
/// - its own channel is weaker in that time, by 3 dB at least;
/// - the sound of the words around it is that of the other channel: a person who repeats the words sounds different.
package struct EchoFinder {
  /// Seconds between the beginnings of the same word in two channels.
  package static let maxDelay = 0.5
  /// How much weaker an echo is than what it is the echo of, as a ratio of powers: 3 dB.
  private static let maxPower = 0.5
  /// The least correlation of the levels of the bands. A conversation of two that leaked into a microphone at -20 and -12 dB
  /// had no own word hidden with it.
  private static let minLikeness = 0.7
  /// Words that follow each other are compared together, unless a pause is longer (seconds) or the delays differ more.
  private static let (maxPause, maxShift) = (2.0, 0.25)
  /// How far the delay of the sound can be from that of the words, in frames: recognizers place words within 0.15 s.
  private static let maxInaccuracy = 15

  /// A word with its spelling for comparisons.
  private struct Item {
    let word: Word
    let key: String
  }

  /// The same word in two channels.
  private struct Pair {
    let own: Item
    let other: Int
    let delay: TimeInterval
  }

  private let channels: [Int: [Item]]
  private let sound: [Int: SoundTrack]

  /// - Parameters:
  ///   - segments: what was recognized; only those of a channel count, and not what a person wrote.
  ///   - sound: the sound of each channel.
  package init(_ segments: [Segment], sound: [Int: SoundTrack] = [:]) {
    var channels: [Int: [Item]] = [:]
    for segment in segments where segment.chosen.source != Candidate.person {
      guard let channel = segment.channel else { continue }
      channels[channel, default: []] += segment.words.map { Item(word: $0, key: EchoWord.key(of: $0.text)) }
        .filter { !$0.key.isEmpty }
    }
    self.channels = channels.mapValues { $0.sorted { $0.word.start < $1.word.start } }
    self.sound = sound
  }

  /// Whether any word can be an echo. Only then the sound has to be read.
  package var hasCandidates: Bool {
    channels.keys.contains { own in channels.keys.contains { $0 != own && !runs(in: own, of: $0).isEmpty } }
  }

  /// The words that are echoes, in the order of channels and times.
  package func echoes() -> [EchoWord] {
    channels.keys.sorted().flatMap { channel in
      let found = channels.keys.filter { $0 != channel }.flatMap { other in
        runs(in: channel, of: other).flatMap { echoes(among: $0, in: channel, of: other) }
      }
      return Set(found).sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    }
  }

  /// The words of a channel that another one has too, in parts that are compared together.
  private func runs(in channel: Int, of other: Int) -> [[Pair]] {
    guard let own = channels[channel], let others = channels[other] else { return [] }
    var runs: [[Pair]] = []
    var first = 0
    for item in own {
      while first < others.count, others[first].word.start < item.word.start - Self.maxDelay { first += 1 }
      let last = runs.last?.last
      let near = (first..<others.count).prefix {
        others[$0].word.start <= item.word.start + Self.maxDelay
      }
      let pairs = near.filter { others[$0].key == item.key && $0 > last?.other ?? -1 }
        .map { Pair(own: item, other: $0, delay: item.word.start - others[$0].word.start) }
      // Of several, the one whose delay is that of the words before.
      guard
        let pair = pairs.min(by: { abs($0.delay - (last?.delay ?? 0)) < abs($1.delay - (last?.delay ?? 0)) })
      else { continue }
      if let last, item.word.start - last.own.word.end <= Self.maxPause,
        abs(pair.delay - last.delay) <= Self.maxShift
      {
        runs[runs.count - 1].append(pair)
      } else {
        runs.append([pair])
      }
    }
    return runs
  }

  private func echoes(among run: [Pair], in channel: Int, of other: Int) -> [EchoWord] {
    guard let own = sound[channel], let others = sound[other], let words = channels[other] else { return [] }
    let delays = run.map(\.delay).sorted()
    let delay = Self.frame(delays[delays.count / 2])
    let frames = run.flatMap { Array(Self.frames(words[$0.other].word)) }
    let near = delay - Self.maxInaccuracy...delay + Self.maxInaccuracy
    let likenesses = near.map { ($0, others.likeness(frames, to: own, later: $0)) }
    guard let (later, likeness) = likenesses.max(by: { $0.1 < $1.1 }), likeness >= Self.minLikeness
    else { return [] }
    return run.compactMap { pair in
      let range = Self.frames(pair.own.word)
      let shifted = range.lowerBound - later..<range.upperBound - later
      guard own.power(range) < Self.maxPower * others.power(shifted) else { return nil }
      return EchoWord(
        channel: channel, start: pair.own.word.start, end: pair.own.word.end, word: pair.own.word.text)
    }
  }

  private static func frame(_ time: TimeInterval) -> Int {
    Int(clamping: (time * SoundTrack.framesPerSecond).rounded())
  }

  private static func frames(_ word: Word) -> Range<Int> {
    let start = frame(word.start)
    return start..<max(start + 1, frame(word.end))
  }
}

extension EchoWord {
  /// Finds the echoes in a recording whose channels were transcribed one by one. Where two channels never have the same word
  /// at the same time, which is quickly known, the audio is not read.
  /// - Parameters:
  ///   - audio: the audio of all segments.
  ///   - segments: what was recognized.
  /// - Throws: `TranscriptionError`, `CancellationError`.
  static func all(in audio: any AudioSource, _ segments: [Segment]) async throws -> [EchoWord] {
    guard let audio = audio as? any ChannelAudio, EchoFinder(segments).hasCandidates else { return [] }
    var sound: [Int: SoundTrack] = [:]
    for channel in Set(segments.compactMap(\.channel)) {
      var track = SoundTrack()
      try await audio.source(ofChannel: channel).forEachVoiceSample { track.add($0) }
      try Task.checkCancellation()
      track.finish()
      sound[channel] = track
    }
    return EchoFinder(segments, sound: sound).echoes()
  }
}
