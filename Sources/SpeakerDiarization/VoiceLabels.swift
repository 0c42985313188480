/// Gives the speakers of windows the voices of a recording, and makes turns of them.
struct VoiceLabels {
  /// The voice of a description, by how much it is more like that voice than like the next best one; with one voice only, how
  /// much it is like it.
  private struct Label {
    var voice: Int
    var margin: Float
    var frames: Int

    init(_ description: HeardWindow.Description, _ centres: [VoiceVector]) {
      let vector = VoiceVector(description.values)
      let likeness = centres.map { $0.product(vector) }
      voice = likeness.indices.reduce(0) { likeness[$1] > likeness[$0] ? $1 : $0 }
      let best = voice
      margin = likeness[best] - (likeness.indices.filter { $0 != best }.map { likeness[$0] }.max() ?? 0)
      frames = min(max(1, description.frames), VoiceLabels.clearFrames)
    }
  }

  private struct Turn {
    var frames: ClosedRange<Int>
    var voice: Int
  }

  /// Pauses inside a turn are at most so long, and turns at least, in seconds.
  private static let (longestPause, shortestTurn) = (0.5, 0.3)
  /// Frames from which on more speech does not make a margin clearer: 3 s.
  private static let clearFrames = 300
  /// The voice of a run counts as if so many more windows had it.
  private static let runVotes: UInt8 = 4

  private let windows: [HeardWindow]
  /// The labels of each window's speakers, and of its runs.
  private let labels: [(speakers: [Label?], runs: [Label])]
  private let layout: VoiceLayout
  private let centres: [[Float]]
  private let frameCount: Int
  private let duration: Double

  init(_ windows: [HeardWindow], _ layout: VoiceLayout, centres: [[Float]], samples: Int) {
    (self.windows, self.layout, self.centres) = (windows, layout, centres)
    frameCount = max(0, (samples - layout.field / 2 + layout.shift - 1) / layout.shift)
    duration = Double(samples) / Double(MelBands.sampleRate)
    let vectors = centres.map(VoiceVector.init)
    labels = windows.map { window in
      (
        window.speakers.map { speaker in vectors.isEmpty ? nil : speaker.map { Label($0, vectors) } },
        vectors.isEmpty ? [] : window.runs.map { Label($0.description, vectors) }
      )
    }
  }

  /// The turns, and a print of each voice that has one.
  func voices() -> NeuralVoices {
    let turns = found().sorted { ($0.frames.lowerBound, $0.voice) < ($1.frames.lowerBound, $1.voice) }.map(
      turn)
    var frames = [Int](repeating: 0, count: centres.count)
    for (window, labels) in zip(windows, labels) {
      for (run, label) in zip(window.runs, labels.runs) { frames[label.voice] += run.description.frames }
    }
    return NeuralVoices(
      turns: turns,
      prints: Set(turns.map(\.voice)).sorted().map { voice in
        .init(
          voice: voice, seconds: Double(frames[voice] * VoiceBands.hop) / Double(MelBands.sampleRate),
          values: centres[voice])
      })
  }

  /// The time at which a frame begins, in seconds.
  private func time(_ frame: Int) -> Double {
    Double(frame * layout.shift + (layout.field - layout.shift) / 2) / Double(MelBands.sampleRate)
  }

  /// The parts in which each voice speaks. In each frame there are as many voices as the windows have there on average,
  /// namely those that most windows have.
  private func found() -> [Turn] {
    let count = centres.count
    guard count > 0, frameCount > 0 else { return [] }
    var votes = [UInt8](repeating: 0, count: frameCount * count)
    var speakers = [UInt16](repeating: 0, count: frameCount)
    var covered = speakers
    for (window, labels) in zip(windows, labels) {
      let none = -1
      var voices = [Int](repeating: none, count: window.activity.count * layout.speakers)
      for (speaker, label) in labels.speakers.enumerated() {
        for index in window.activity.indices where window.activity[index] >> UInt16(speaker) & 1 == 1 {
          voices[index * layout.speakers + speaker] = label?.voice ?? none
        }
      }
      for (run, label) in zip(window.runs, labels.runs) {
        for index in run.range where window.first + index < frameCount {
          voices[index * layout.speakers + run.speaker] = label.voice
          votes[(window.first + index) * count + label.voice] += Self.runVotes
        }
      }
      for (index, active) in window.activity.enumerated() where window.first + index < frameCount {
        let frame = window.first + index
        covered[frame] += 1
        speakers[frame] += UInt16(active.nonzeroBitCount)
        // A voice speaks once, also if two speakers of the window have it.
        let own = voices[index * layout.speakers..<(index + 1) * layout.speakers]
        for voice in Set(own) where voice != none { votes[frame * count + voice] += 1 }
      }
    }
    let (pause, shortest) = (frames(in: Self.longestPause), frames(in: Self.shortestTurn))
    var turns: [Turn] = []
    var open = [ClosedRange<Int>?](repeating: nil, count: count)
    func close(_ voice: Int) {
      if let turn = open[voice], turn.count >= shortest { turns.append(Turn(frames: turn, voice: voice)) }
      open[voice] = nil
    }
    for frame in 0..<frameCount where covered[frame] > 0 {
      let number = Int((2 * speakers[frame] + covered[frame]) / (2 * covered[frame]))
      guard number > 0 else { continue }
      let own = votes[frame * count..<(frame + 1) * count]
      let best = own.indices.filter { own[$0] > 0 }.sorted { (own[$1], $0) < (own[$0], $1) }
      for voice in best.prefix(number).map({ $0 - own.startIndex }) {
        if let turn = open[voice], frame - turn.upperBound - 1 <= pause {
          open[voice] = turn.lowerBound...frame
        } else {
          close(voice)
          open[voice] = frame...frame
        }
      }
    }
    for voice in 0..<count { close(voice) }
    return turns
  }

  private func frames(in seconds: Double) -> Int {
    Int(seconds * Double(MelBands.sampleRate) / Double(layout.shift))
  }

  private func turn(_ turn: Turn) -> NeuralVoices.Turn {
    let (start, end) = (time(turn.frames.lowerBound), min(time(turn.frames.upperBound + 1), duration))
    var (margin, weights): (Float, Float) = (0, 0)
    func count(_ label: Label?, _ weight: Float) {
      guard let label, label.voice == turn.voice else { return }
      margin += weight * Float(label.frames) * label.margin
      weights += weight * Float(label.frames)
    }
    // Windows are in the order of their frames, and equally long.
    let length = windows[0].activity.count
    var index = windows.partitioningIndex { $0.first + length > turn.frames.lowerBound }
    while index < windows.count, windows[index].first <= turn.frames.upperBound {
      let window = windows[index]
      let shared = turn.frames.clamped(to: window.first...window.first + length - 1)
      let own = shared.lowerBound - window.first..<shared.upperBound - window.first + 1
      for (speaker, label) in labels[index].speakers.enumerated()
      where window.activity[own].contains(where: { $0 >> UInt16(speaker) & 1 == 1 }) {
        count(label, 1)
      }
      for (run, label) in zip(window.runs, labels[index].runs) where run.range.overlaps(own) {
        count(label, Float(Self.runVotes))
      }
      index += 1
    }
    return .init(
      start: start, end: end, voice: turn.voice,
      confidence: Self.confidence(
        margin: weights > 0 ? margin / weights : 0, seconds: end - start, isOnly: centres.count == 1))
  }

  /// How often turns had the right voice, in talks that were put together out of readers' words and in four meetings, in coarse
  /// steps.
  static func confidence(margin: Float, seconds: Double, isOnly: Bool) -> Double {
    if isOnly { return margin < 0.5 ? 0.5 : 0.9 }
    let byMargin =
      switch margin {
      case ..<0.3: 0.55
      case ..<0.4: 0.8
      case ..<0.5: 0.88
      case ..<0.6: 0.91
      default: 0.94
      }
    let byLength =
      switch seconds {
      case ..<1: 0.6
      case ..<2: 0.8
      case ..<4: 0.9
      default: 0.94
      }
    return min(byMargin, byLength)
  }
}

extension Array {
  /// The first index whose element fulfils a condition that all later ones fulfil too.
  fileprivate func partitioningIndex(where isLater: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isLater(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
