/// The utterances of a stream that have no result yet, in their order, and who waits for them.
///
/// Each is kept with its sound until its result is there, so that a service that dies costs time and no words.
struct PendingUtterances {
  struct Utterance {
    /// Counted from 1, for as long as the stream lasts.
    var number: UInt32
    var audio: UtteranceAudio
    /// Whether all of its sound is there.
    var isEnded = false
    /// Where there is no speech; nil as long as that was not judged.
    var nonspeech: [Range<Int>]?
    /// How often a service died at it.
    fileprivate var deaths = 0
  }

  /// What a result is for.
  enum Settlement {
    /// An utterance that nobody wants any more.
    case unwanted
    /// One that follows another without a result. Utterances are told in their order: who passes one over owes
    /// it, and what follows, once more.
    case early
    /// The first, which is none of the pending any more.
    case settled(Utterance)
  }

  /// All of them, the oldest first.
  private(set) var utterances: [Utterance] = []
  private var lastNumber: UInt32 = 0
  /// Who waits for the utterances up to a number.
  private var waiting: [(token: Int, through: UInt32)] = []

  var isEmpty: Bool { utterances.isEmpty }
  /// The one that is being spoken, or was last.
  var newest: Utterance? { utterances.last }

  /// Where an utterance starts, at 16 kHz; nil if nobody wants it any more.
  func start(of number: UInt32) -> Int? { utterances.first { $0.number == number }?.audio.start }

  /// - Parameter start: the first sample's place, at 16 kHz.
  /// - Returns: the new utterance's number.
  mutating func begin(at start: Int) -> UInt32 {
    utterances.append(utterance(from: start))
    return lastNumber
  }

  /// Adds sound to the newest utterance: 16 kHz, mono.
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

  /// Forgets whole utterances that end before a place.
  mutating func drop(before place: Int) {
    utterances.removeAll { $0.isEnded && $0.audio.range.upperBound <= place }
  }

  /// Forgets all of them, and whoever waits.
  mutating func dropAll() {
    utterances = []
    waiting = []
  }

  /// Takes note of a result.
  mutating func settle(_ number: UInt32) -> Settlement {
    guard let index = utterances.firstIndex(where: { $0.number == number }) else { return .unwanted }
    return index == 0 ? .settled(utterances.removeFirst()) : .early
  }

  /// A service died at the first utterance, which is tried again so many times in all.
  /// - Returns: the utterance if it is given up. What is still being said of it goes on as an utterance of its
  ///   own.
  mutating func fail(after attempts: Int) -> Utterance? {
    guard !utterances.isEmpty else { return nil }
    utterances[0].deaths += 1
    guard utterances[0].deaths >= attempts else { return nil }
    let hopeless = utterances.removeFirst()
    if !hopeless.isEnded { utterances.insert(utterance(from: hopeless.audio.range.upperBound), at: 0) }
    return hopeless
  }

  /// Waits for all utterances that there are.
  mutating func wait(_ token: Int) { waiting.append((token, lastNumber)) }

  /// Who has waited for utterances of which none is left; each is told once.
  mutating func answered() -> [Int] {
    let first = utterances.first?.number ?? .max
    defer { waiting.removeAll { $0.through < first } }
    return waiting.filter { $0.through < first }.map(\.token)
  }

  private mutating func utterance(from start: Int) -> Utterance {
    lastNumber += 1
    return Utterance(number: lastNumber, audio: UtteranceAudio(start: start, samples: []))
  }
}
