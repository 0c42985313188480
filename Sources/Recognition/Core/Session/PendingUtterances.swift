/// The utterances of a stream that have no result yet, in their order, and the flushes that wait for them.
///
/// Each utterance keeps its audio until its result arrives, so that a service that dies costs time and no
/// words.
struct PendingUtterances {
  struct Utterance {
    /// Counted from 1 for the whole stream.
    var number: UInt32
    var audio: UtteranceAudio
    /// Whether all of its audio has come.
    var isEnded = false
    /// Ranges that hold no speech; nil if this is not known.
    var nonspeech: [Range<Int>]?
    /// How often a service died while it decoded this utterance.
    fileprivate var deaths = 0
  }

  /// What a result is for.
  enum Completion {
    /// An utterance that is no longer wanted.
    case unwanted
    /// An utterance after one that has no result. Results come in order: the service skipped one, and
    /// everything has to be sent again.
    case early
    /// The first utterance, which is not pending any more.
    case completed(Utterance)
  }

  /// The oldest first.
  private(set) var utterances: [Utterance] = []
  private var lastNumber: UInt32 = 0
  /// Flushes that wait for the utterances up to a number.
  private var flushes: [(token: Int, through: UInt32)] = []

  var isEmpty: Bool { utterances.isEmpty }
  /// The utterance that is being spoken, or was last.
  var newest: Utterance? { utterances.last }

  /// The audio so far of an utterance; nil if it is no longer wanted.
  func audio(of number: UInt32) -> UtteranceAudio? { utterances.first { $0.number == number }?.audio }

  /// - Parameter start: the position of the first sample, at 16 kHz.
  /// - Returns: the new utterance's number.
  mutating func begin(at start: Int) -> UInt32 {
    utterances.append(utterance(from: start))
    return lastNumber
  }

  /// Adds audio to the newest utterance: 16 kHz, mono.
  mutating func add(_ samples: [Int16]) {
    guard !utterances.isEmpty else { return }
    utterances[utterances.count - 1].audio.samples += samples
  }

  /// Ends the newest utterance.
  mutating func end(nonspeech: [Range<Int>]?) {
    guard !utterances.isEmpty else { return }
    utterances[utterances.count - 1].nonspeech = nonspeech
    utterances[utterances.count - 1].isEnded = true
  }

  /// Removes whole utterances that end before a position.
  mutating func drop(before position: Int) {
    utterances.removeAll { $0.isEnded && $0.audio.range.upperBound <= position }
  }

  /// Removes all utterances and flushes.
  mutating func dropAll() {
    utterances = []
    flushes = []
  }

  /// A result has come.
  mutating func complete(_ number: UInt32) -> Completion {
    guard let index = utterances.firstIndex(where: { $0.number == number }) else { return .unwanted }
    return index == 0 ? .completed(utterances.removeFirst()) : .early
  }

  /// A service died while it decoded the first utterance.
  /// - Parameter attempts: how often an utterance is tried.
  /// - Returns: the utterance if it is given up. The rest of it that is still being spoken becomes an
  ///   utterance of its own.
  mutating func fail(after attempts: Int) -> Utterance? {
    guard !utterances.isEmpty else { return nil }
    utterances[0].deaths += 1
    guard utterances[0].deaths >= attempts else { return nil }
    let hopeless = utterances.removeFirst()
    if !hopeless.isEnded { utterances.insert(utterance(from: hopeless.audio.range.upperBound), at: 0) }
    return hopeless
  }

  /// Waits for all present utterances.
  mutating func wait(_ token: Int) { flushes.append((token, lastNumber)) }

  /// The flushes whose utterances are all done. Each is returned once.
  mutating func completedFlushes() -> [Int] {
    let first = utterances.first?.number ?? .max
    defer { flushes.removeAll { $0.through < first } }
    return flushes.filter { $0.through < first }.map(\.token)
  }

  private mutating func utterance(from start: Int) -> Utterance {
    lastNumber += 1
    return Utterance(number: lastNumber, audio: UtteranceAudio(start: start, samples: []))
  }
}
