/// Finds who speaks when with networks, while a recording is read: a network says which of a few speakers speak in overlapping
/// windows, another one describes each of them, and the descriptions are clustered into voices at the end.
///
/// Only the sound of the last window is kept, and a description of each of its speakers.
package struct VoicePipeline {
  private static let rate = Double(MelBands.sampleRate)
  /// Windows begin so many seconds after each other: a 60th of a short recording.
  private static let hops = (least: 3.0, most: 5.0)
  /// A speaker of a window has at least so many frames; and so many bands in which only it speaks, or else in which it
  /// speaks.
  private static let (minFrames, minAlone, minBands) = (6, 20, 10)
  /// A run of speech with so many bands is described by itself, unless it is most of what its speaker says in the window.
  private static let (minRun, most) = (40, 0.8)
  /// Longer runs are described in parts, in seconds: changes of voices are missed where people interrupt each other.
  private static let longestRun = 2.0
  /// The numbers of voices for which it is said who speaks when, besides the one that is found or given.
  private static let otherNumbers = 1...10
  /// Sound that is kept before it is removed.
  private static let slack = 60 * MelBands.sampleRate

  private let networks: any VoiceNetworks
  /// The samples from `first` on.
  private var samples: [Float] = []
  private var first = 0
  /// The bands from `firstBand` on.
  private var bands: [Float] = []
  private var firstBand = 0
  private var voiceBands = VoiceBands()
  /// Samples from one window to the next; nil while the recording may be short.
  private var hop: Int?
  private var next = 0
  /// Where the last window ended.
  private var heardEnd = 0
  /// Runs before this sample are described.
  private var described = 0
  private var windows: [HeardWindow] = []

  package init(_ networks: any VoiceNetworks) { self.networks = networks }

  private var end: Int { first + samples.count }

  /// Takes the next samples of 16 kHz audio.
  package mutating func add(_ more: [Int16]) throws {
    samples.reserveCapacity(samples.count + more.count)
    for sample in more { samples.append(Float(sample) / 32_768) }
    if hop == nil, Double(end) >= 60 * Self.hops.most * Self.rate { hop = hop(Self.hops.most) }
    guard hop != nil else { return }
    while next + networks.layout.window <= end { try hear() }
  }

  private func hop(_ seconds: Double) -> Int {
    max(1, min(Int(seconds * Self.rate), networks.layout.window / 2))
  }

  /// Who speaks when so far, if more audio may come: a guess.
  /// - Parameter voices: the number of voices; nil to find it.
  package mutating func found(voices: Int?) throws -> NeuralVoices {
    // How long the recording will be is not known.
    hop = hop ?? hop(Self.hops.most)
    while next + networks.layout.window <= end { try hear() }
    var rest = self
    try rest.hearRest()
    return rest.voices(VoiceCentres.Evidence(rest.windows), number: voices)
  }

  /// Who speaks when. It is called once, after all audio was added.
  /// - Parameter voices: the number of voices; nil to find it.
  package mutating func finish(voices number: Int?) throws -> NeuralVoices {
    hop = hop ?? hop(min(max(Double(end) / Self.rate / 60, Self.hops.least), Self.hops.most))
    while next + networks.layout.window <= end { try hear() }
    try hearRest()
    let evidence = VoiceCentres.Evidence(windows)
    var found = voices(evidence, number: number)
    // There may be fewer voices than were asked for.
    found.others = Self.otherNumbers.filter { $0 != found.number }.compactMap { number in
      let other = voices(evidence, number: number)
      return other.number == number ? other.turns : nil
    }
    return found
  }

  /// Hears what is left after the last window, in one that ends with the recording: silence at its end would affect all of it.
  private mutating func hearRest() throws {
    guard heardEnd < end else { return }
    next = max(0, end - networks.layout.window)
    try hear(isLast: true)
  }

  private func voices(_ evidence: VoiceCentres.Evidence, number: Int?) -> NeuralVoices {
    let centres = VoiceCentres(evidence, number: number).values
    return VoiceLabels(windows, networks.layout, centres: centres, samples: end).voices()
  }

  /// Hears the next window.
  /// - Parameter isLast: whether the recording ends with it.
  private mutating func hear(isLast: Bool = false) throws {
    let layout = networks.layout
    let start = next
    next += hop ?? layout.window
    heardEnd = start + layout.window
    var window = Array(samples[(start - first)..<min(start - first + layout.window, samples.count)])
    window += [Float](repeating: 0, count: layout.window - window.count)
    let activity = try networks.activity(in: window)
    guard !activity.isEmpty, activity.count == windows.first?.activity.count ?? activity.count else {
      throw ModelOutputError()
    }
    let frames = addBands(from: start, to: min(start + layout.window, end))
    // The frame of the window in the middle of each frame of the bands.
    let places = frames.map { frame in
      let middle = frame * VoiceBands.hop + VoiceBands.length / 2 - start - layout.field / 2
      return min(max((middle + layout.shift / 2) / layout.shift, 0), activity.count - 1)
    }
    var heard = HeardWindow(first: (start + layout.shift / 2) / layout.shift, activity: activity)
    // Each run is described in the window that has it nearest to its middle.
    let own = described..<(isLast ? .max : start + (layout.window + (hop ?? 0)) / 2)
    described = own.upperBound
    for speaker in 0..<layout.speakers {
      let bit: UInt16 = 1 << UInt16(speaker)
      let alone = zip(frames, places).filter { activity[$0.1] == bit }.map(\.0)
      heard.speakers.append(nil)
      guard activity.count(where: { $0 & bit != 0 }) >= Self.minFrames else { continue }
      let most =
        alone.count >= Self.minAlone
        ? alone : zip(frames, places).filter { activity[$0.1] & bit != 0 }.map(\.0)
      guard most.count >= Self.minBands, let values = try description(of: most) else { continue }
      heard.speakers[speaker] = .init(values: values, frames: alone.count)
      for run in heard.runs(of: bit, longest: Int(Self.longestRun * Self.rate) / layout.shift)
      where own.contains(start + (run.lowerBound + run.upperBound) / 2 * layout.shift + layout.field / 2) {
        let part = zip(frames, places).filter { run.contains($0.1) }.map(\.0)
        guard part.count >= Self.minRun else { continue }
        let isMost = Double(part.count) >= Self.most * Double(alone.count)
        guard let values = isMost ? values : try description(of: part) else { continue }
        heard.runs.append(
          .init(speaker: speaker, range: run, description: .init(values: values, frames: part.count)))
      }
    }
    windows.append(heard)
    if start - first > Self.slack {
      samples.removeFirst(start - first)
      first = start
      let old = max(0, min(start / VoiceBands.hop - firstBand, bands.count / VoiceBands.count))
      bands.removeFirst(old * VoiceBands.count)
      firstBand += old
    }
  }

  /// What a voice sounds like in frames of the bands: a vector of length 1; nil if the network says nothing.
  private func description(of frames: [Int]) throws -> [Float]? {
    let values = HeardWindow.unit(try networks.description(of: centred(frames)))
    return values.contains { $0 != 0 } ? values : nil
  }

  /// Makes the bands of a window that are missing.
  /// - Returns: the window's frames.
  private mutating func addBands(from start: Int, to end: Int) -> Range<Int> {
    let begin = (start + VoiceBands.hop - 1) / VoiceBands.hop
    let frames = begin..<max(begin, (end - VoiceBands.length + VoiceBands.hop) / VoiceBands.hop)
    if bands.isEmpty { firstBand = begin }
    let made = firstBand + bands.count / VoiceBands.count
    if made < frames.upperBound {
      let last = (frames.upperBound - 1) * VoiceBands.hop + VoiceBands.length
      bands += voiceBands.bands(of: samples[made * VoiceBands.hop - first..<last - first])
    }
    return frames
  }

  /// The bands of frames, less their means.
  private func centred(_ frames: [Int]) -> [Float] {
    var sums = [Double](repeating: 0, count: VoiceBands.count)
    var values: [Float] = []
    values.reserveCapacity(frames.count * VoiceBands.count)
    for frame in frames {
      let start = (frame - firstBand) * VoiceBands.count
      for band in 0..<VoiceBands.count {
        sums[band] += Double(bands[start + band])
        values.append(bands[start + band])
      }
    }
    let means = sums.map { Float($0 / Double(frames.count)) }
    for index in values.indices { values[index] -= means[index % VoiceBands.count] }
    return values
  }
}

/// The networks' outputs do not fit together.
struct ModelOutputError: Error, CustomStringConvertible {
  let description = "The model's outputs do not fit together."
}

/// What networks heard in a window.
struct HeardWindow {
  /// What a voice sounds like.
  struct Description {
    /// A vector of length 1.
    var values: [Float]
    /// Frames of the bands in which nobody else spoke.
    var frames: Int
  }

  /// A part in which one speaker speaks without longer pauses: a speaker of a window may be two voices, if there are many.
  struct Run {
    var speaker: Int
    /// The frames of the window.
    var range: Range<Int>
    var description: Description
  }

  /// Frames of a pause in a run at most.
  private static let longestPause = 8

  /// The first frame in the recording.
  var first: Int
  /// The speakers of each frame, one bit each.
  var activity: [UInt16]
  /// nil for those that were not heard enough.
  var speakers: [Description?] = []
  /// The runs that are described by themselves.
  var runs: [Run] = []

  /// The parts in which a speaker speaks alone.
  /// - Parameter longest: the most frames of a part.
  func runs(of speaker: UInt16, longest: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for frame in activity.indices where activity[frame] == speaker {
      if let last = runs.last, frame - last.upperBound <= Self.longestPause,
        activity[last.upperBound..<frame].allSatisfy({ $0 == 0 })
      {
        runs[runs.count - 1] = last.lowerBound..<frame + 1
      } else {
        runs.append(frame..<frame + 1)
      }
    }
    return runs.flatMap { run in
      let count = (run.count + longest - 1) / longest
      return (0..<count).map { index in
        run.lowerBound + run.count * index / count..<run.lowerBound + run.count * (index + 1) / count
      }
    }
  }

  /// A vector of length 1 in the direction of another one.
  static func unit(_ values: [Float]) -> [Float] {
    let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return length > 0 && length.isFinite ? values.map { $0 / length } : values.map { _ in 0 }
  }
}
