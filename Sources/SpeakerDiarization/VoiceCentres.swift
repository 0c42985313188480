/// What the voices of a recording sound like.
///
/// Descriptions are clustered, those of windows' speakers together with those of runs. What a window takes for one speaker may be
/// several, so that a few clusters are mixtures: clusters to which little speech belongs are no voices.
struct VoiceCentres {
  /// The distance (1 less the cosine) from which on clusters are different voices.
  private static let voiceDistance: Float = 0.58
  /// What is clustered: descriptions of 1 s, at most so many.
  private static let (minClustered, maxClustered) = (100, 4000)
  /// A voice has at least this share of the speech, or so many frames of the bands.
  private static let least = (share: 0.045, frames: 2000)
  /// This share is enough for a voice that is less like every other one than a mixture is like its voices.
  private static let few = (share: 0.025, likeness: Float(0.3))
  /// Parts of what would be one voice are not two if they are more alike: no word could be given to one of them for sure.
  private static let alike: Float = 0.7

  /// What is compared, which is the same for each number of voices.
  struct Evidence {
    fileprivate let runs: [HeardWindow.Description]
    fileprivate let clustered: [HeardWindow.Description]
    fileprivate let linkage: VoiceLinkage

    /// - Parameter windows: of the whole recording.
    init(_ windows: [HeardWindow]) {
      runs = windows.flatMap { $0.runs.map(\.description) }
      let speakers = windows.flatMap { $0.speakers.compactMap(\.self) }
      var clustered = (speakers + runs).filter { $0.frames >= minClustered }
      if clustered.count < 2 { clustered = Array(speakers.sorted { $0.frames > $1.frames }.prefix(3)) }
      let count = min(clustered.count, maxClustered)
      self.clustered = (0..<count).map { clustered[$0 * clustered.count / count] }
      linkage = VoiceLinkage(self.clustered.map(\.values))
    }
  }

  /// A vector of length 1 for each voice.
  private(set) var values: [[Float]]
  private let runs: [HeardWindow.Description]
  /// The voice of each run.
  private var owners: [Int]
  /// For each voice, the one that it would be part of if the number were not given.
  private var wholes: [Int] = []

  /// - Parameter number: how many voices there are; nil to find it.
  init(_ evidence: Evidence, number: Int?) {
    runs = evidence.runs
    let clustered = evidence.clustered
    let clusters = evidence.linkage.clusters(within: Self.voiceDistance, least: number ?? 1)
    values = Array(
      repeating: Array(repeating: 0, count: clustered.first?.values.count ?? 0),
      count: (clusters.max() ?? -1) + 1)
    owners = clusters
    let found = number == nil ? clusters : evidence.linkage.clusters(within: Self.voiceDistance, least: 1)
    wholes = values.indices.map { voice in clusters.firstIndex(of: voice).map { found[$0] } ?? voice }
    values = centres(of: clustered, in: clusters)
    removeSmall(number: number)
    values = centres(of: runs, in: owners)
    while joinAlike() {}
  }

  /// Joins the first two parts of a voice that are too alike.
  /// - Returns: false if there are none.
  private mutating func joinAlike() -> Bool {
    let vectors = values.map(VoiceVector.init)
    for second in values.indices {
      for first in 0..<second
      where wholes[first] == wholes[second] && vectors[first].product(vectors[second]) > Self.alike {
        owners = owners.map { $0 == second ? first : $0 > second ? $0 - 1 : $0 }
        values.remove(at: second)
        wholes.remove(at: second)
        values = centres(of: runs, in: owners)
        return true
      }
    }
    return false
  }

  /// The centres of clusters; those of empty ones stay.
  private func centres(of descriptions: [HeardWindow.Description], in clusters: [Int]) -> [[Float]] {
    var sums = values.map { $0.map { _ in Float(0) } }
    for (description, cluster) in zip(descriptions, clusters) {
      let weight = Float(description.frames).squareRoot()
      for (index, value) in description.values.enumerated() { sums[cluster][index] += weight * value }
    }
    return zip(values, sums).map { value, sum in sum.contains { $0 != 0 } ? HeardWindow.unit(sum) : value }
  }

  /// Gives each run its nearest centre, and removes centres with little speech, the smallest first.
  private mutating func removeSmall(number: Int?) {
    let (vectors, runVectors) = (values.map(VoiceVector.init), runs.map { VoiceVector($0.values) })
    var active = Array(values.indices)
    var frames = values.map { _ in 0 }
    func nearest(_ run: Int) -> Int {
      var best = (voice: 0, likeness: -Float.infinity)
      for voice in active {
        let likeness = vectors[voice].product(runVectors[run])
        if likeness > best.likeness { best = (voice, likeness) }
      }
      return best.voice
    }
    owners = runs.indices.map(nearest)
    for (run, voice) in zip(runs, owners) { frames[voice] += run.frames }
    let all = Double(frames.reduce(0, +))
    let least = min(Int(Self.least.share * all), Self.least.frames)
    let few = min(Int(Self.few.share * all), least)
    var distinct: Set<Int> = []
    while active.count > 1 {
      let isTooMany = active.count > number ?? VoiceDiarizer.maxVoices
      let smallest = active.filter { isTooMany || !distinct.contains($0) }.min { frames[$0] < frames[$1] }
      guard let smallest, isTooMany || number == nil && frames[smallest] < least else { break }
      let likeness =
        active.filter { $0 != smallest }.map { vectors[$0].product(vectors[smallest]) }.max() ?? 0
      if !isTooMany, frames[smallest] >= few, likeness < Self.few.likeness {
        distinct.insert(smallest)
        continue
      }
      active.removeAll { $0 == smallest }
      for run in runs.indices where owners[run] == smallest {
        owners[run] = nearest(run)
        frames[owners[run]] += runs[run].frames
      }
    }
    let places = Dictionary(uniqueKeysWithValues: zip(active, active.indices))
    owners = owners.map { places[$0] ?? 0 }
    values = active.map { values[$0] }
    wholes = active.map { wholes[$0] }
  }
}
