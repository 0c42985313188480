import Foundation
import SentenceFormatting

/// A speaker in a recording.
public struct Speaker: Sendable, Hashable, Codable, Identifiable {
  /// How a speaker is known. The names are stored and never change.
  public enum Basis: String, Sendable, Hashable, Codable, CaseIterable {
    /// By the channel of the recording, which is a fact.
    case channel
    /// By the sound of the voice, which is a guess.
    case voice
    /// A person said so.
    case person
  }

  /// Identifies the speaker in the transcript, such as `channel1` or `voice2`. It stays when the name changes.
  public var id: String
  /// The name for a reader, such as `Anna`; `Channel 1` or `Speaker 2` until a person gives one.
  public var name: String
  /// How the speaker was found first; a name that a person gives does not change it.
  public var basis: Basis
  /// Seconds of the speech that has this speaker's label.
  public var seconds: TimeInterval = 0
  /// What separated the voice: `embedded`, which needs no model, or `sherpa-onnx` with a model that the user installed; nil
  /// for a channel and a person, and where it is not known.
  public var engine: String?
  /// `voice` if the name is that of a remembered voice, which is a guess; else nil.
  public var nameBasis: Basis?
}

/// Who said a segment, and how that is known.
public struct SpeakerLabel: Sendable, Hashable, Codable {
  /// The `Speaker.id`.
  public var speaker: String
  /// How this label is known; a person's assignment wins over a channel and a voice.
  public var basis: Speaker.Basis
  /// How probable it is that a guess by the voice is right, 0 to 1; nil for a channel and a person, and where it is not known.
  public var confidence: Double?

  /// A guess that is less probable is no label: the speaker is unknown.
  package static let minConfidence = 0.6
  /// A guess that is less probable is unsure: a person is asked. The page marks it with a question mark.
  package static let sureConfidence = 0.8
}

extension Segment {
  /// The segment as the store keeps it.
  var withoutSpeakers: Segment {
    var plain = self
    plain.speaker = nil
    for index in plain.words.indices {
      plain.candidates[selection.index].words[index] = words[index].unlabelled
    }
    return plain
  }

  /// The segment as it was recognized: without who speaks, and without the marks of echoes.
  package var withoutLabels: Segment {
    var plain = withoutSpeakers
    for index in plain.words.indices { plain.candidates[selection.index].words[index].isEcho = false }
    return plain
  }

  /// Whether all of it is the echo of another channel.
  public var isEcho: Bool { !words.isEmpty && words.allSatisfy(\.isEcho) }

  /// The segment as readers see it, without the words that are echoes of another channel; nil if nothing is left.
  public var withoutEcho: Segment? {
    guard words.contains(where: \.isEcho) else { return self }
    let own = words.filter { !$0.isEcho }
    guard let first = own.first, let last = own.last else { return nil }
    var rest = self
    rest.candidates = [
      Candidate(
        text: own.map(\.text).joinedWords(), words: own, confidence: confidence, source: chosen.source,
        language: language)
    ]
    rest.selection.index = 0
    rest.start = words.first?.isEcho == true ? min(end, max(start, first.start)) : start
    rest.end = words.last?.isEcho == true ? max(rest.start, min(end, last.end)) : end
    return rest
  }

  /// The words by who said them, in order: a run ends where another speaker begins, and an
  /// unknown one for more than a few words. A segment without words has none.
  var speakerRuns: [(speaker: String?, words: Range<Int>)] { words.map(\.speaker).speakerRuns }

  /// The seconds of the segment by who speaks in them.
  var secondsBySpeaker: [(speaker: String, seconds: TimeInterval)] {
    let runs = speakerRuns
    guard runs.count > 1 else {
      return (runs.first?.speaker ?? speaker?.speaker).map { [($0, max(0, end - start))] } ?? []
    }
    return runs.compactMap { run in
      guard let speaker = run.speaker else { return nil }
      let said = words[run.words]
      return (speaker, max(0, (said.last?.end ?? 0) - (said.first?.start ?? 0)))
    }
  }
}

extension Word {
  /// The word without who said it.
  package var unlabelled: Word {
    var word = self
    word.speaker = nil
    word.speakerConfidence = nil
    return word
  }
}

extension [String?] {
  /// So many words of an unknown speaker are a run of their own.
  private static let unknownWords = 3

  /// The places of words by who said them, in order; see `Segment.speakerRuns`.
  var speakerRuns: [(speaker: String?, words: Range<Int>)] {
    typealias Run = (speaker: String?, words: Range<Int>)
    func isOpen(_ run: Run) -> Bool { run.speaker == nil && run.words.count < Self.unknownWords }
    var runs: [Run] = []
    for (index, speaker) in enumerated() {
      if let last = runs.last, last.speaker == speaker {
        runs[runs.count - 1].words = last.words.lowerBound..<index + 1
      } else {
        runs.append((speaker, index..<index + 1))
      }
    }
    return runs.reduce(into: []) { joined, run in
      guard let last = joined.last, isOpen(last) || isOpen(run) || last.speaker == run.speaker else {
        return joined.append(run)
      }
      joined[joined.count - 1] = (last.speaker ?? run.speaker, last.words.lowerBound..<run.words.upperBound)
    }
  }
}

extension Transcript {
  /// The transcript without speakers. Words that are echoes stay marked.
  public var withoutSpeakers: Transcript {
    var plain = self
    plain.speakers = []
    plain.turns = []
    plain.segments = segments.map(\.withoutSpeakers)
    return plain
  }

  /// What documents call an unknown speaker.
  static let unknownSpeaker = "Unknown"

  /// The transcript as readers see it, without words that are echoes of another channel. Its second text
  /// does not have them either.
  public var withoutEcho: Transcript {
    guard segments.contains(where: { $0.words.contains(where: \.isEcho) }) else { return self }
    var rest = self
    rest.segments = segments.compactMap(\.withoutEcho)
    rest.normalized = normalized?.withoutEcho(of: segments)
    return rest
  }

  /// The number of words that are echoes of another channel, and their seconds.
  package var echo: (words: Int, seconds: TimeInterval) {
    let words = segments.flatMap(\.words).filter(\.isEcho)
    return (words.count, words.reduce(0) { $0 + max(0, $1.end - $1.start) })
  }

  /// The name of a segment's speaker; nil in a transcript without speakers, and for segments without a speaker.
  package func speakerName(of segment: Segment) -> String? {
    guard !speakers.isEmpty, segment.speaker?.speaker != SpeakerLabel.noSpeaker.speaker else { return nil }
    return speakers.first { $0.id == segment.speaker?.speaker }?.name ?? Self.unknownSpeaker
  }
}

extension SpeakerLabel {
  /// The label of a document's own remarks.
  static let noSpeaker = SpeakerLabel(speaker: "", basis: .person)
}
