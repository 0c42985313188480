/// The pieces of a stream that have no result yet, in their order, and who waits for them.
///
/// Each is kept with its sound until its result is there, so that a service that dies costs time and no words.
struct PendingPieces {
  struct Piece {
    /// Counted from 1, for as long as the stream lasts.
    var number: UInt32
    var audio: AudioPiece
    /// Whether all of its sound is there.
    var isEnded = false
    /// Where there is no speech; nil as long as that was not judged.
    var nonspeech: [Range<Int>]?
    /// How often a service died at it.
    fileprivate var deaths = 0
  }

  /// What a result is for.
  enum Settlement {
    /// A piece that nobody wants any more.
    case unwanted
    /// One that follows another without a result. Pieces are told in their order: who passes one over owes it, and what
    /// follows, once more.
    case early
    /// The first, which is none of the pending any more.
    case settled(Piece)
  }

  /// All of them, the oldest first.
  private(set) var pieces: [Piece] = []
  private var lastNumber: UInt32 = 0
  /// Who waits for the pieces up to a number.
  private var waiting: [(token: Int, through: UInt32)] = []

  var isEmpty: Bool { pieces.isEmpty }
  /// The one that is being spoken, or was last.
  var newest: Piece? { pieces.last }

  /// Where a piece starts, at 16 kHz; nil if nobody wants it any more.
  func start(of number: UInt32) -> Int? { pieces.first { $0.number == number }?.audio.start }

  /// - Parameter start: the first sample's place, at 16 kHz.
  /// - Returns: the new piece's number.
  mutating func begin(at start: Int) -> UInt32 {
    pieces.append(piece(from: start))
    return lastNumber
  }

  /// Adds sound to the newest piece: 16 kHz, mono.
  mutating func add(_ samples: [Int16]) {
    guard !pieces.isEmpty else { return }
    pieces[pieces.count - 1].audio.samples += samples
  }

  /// Ends the newest piece.
  mutating func end(nonspeech: [Range<Int>]?) {
    guard !pieces.isEmpty else { return }
    pieces[pieces.count - 1].nonspeech = nonspeech
    pieces[pieces.count - 1].isEnded = true
  }

  /// Forgets whole pieces that end before a place.
  mutating func drop(before place: Int) {
    pieces.removeAll { $0.isEnded && $0.audio.range.upperBound <= place }
  }

  /// Forgets all of them, and whoever waits.
  mutating func dropAll() {
    pieces = []
    waiting = []
  }

  /// Takes note of a result.
  mutating func settle(_ number: UInt32) -> Settlement {
    guard let index = pieces.firstIndex(where: { $0.number == number }) else { return .unwanted }
    return index == 0 ? .settled(pieces.removeFirst()) : .early
  }

  /// A service died at the first piece, which is tried again so many times in all.
  /// - Returns: the piece if it is given up. What is still being said of it goes on as a piece of its own.
  mutating func fail(after attempts: Int) -> Piece? {
    guard !pieces.isEmpty else { return nil }
    pieces[0].deaths += 1
    guard pieces[0].deaths >= attempts else { return nil }
    let hopeless = pieces.removeFirst()
    if !hopeless.isEnded { pieces.insert(piece(from: hopeless.audio.range.upperBound), at: 0) }
    return hopeless
  }

  /// Waits for all pieces that there are.
  mutating func wait(_ token: Int) { waiting.append((token, lastNumber)) }

  /// Who has waited for pieces of which none is left; each is told once.
  mutating func answered() -> [Int] {
    let first = pieces.first?.number ?? .max
    defer { waiting.removeAll { $0.through < first } }
    return waiting.filter { $0.through < first }.map(\.token)
  }

  private mutating func piece(from start: Int) -> Piece {
    lastNumber += 1
    return Piece(number: lastNumber, audio: AudioPiece(start: start, samples: []))
  }
}
