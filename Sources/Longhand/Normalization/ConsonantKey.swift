/// The consonants of a row of sounds, in classes that are coarser still: what mishearing leaves as it is, mostly.
struct ConsonantKey: Sendable {
  /// How many classes there are.
  static let classCount = 7
  /// How many keys there are.
  static let keyCount = 2 * classCount * classCount
  /// Of longer rows no more than so many consonants count.
  static let mostCount = 16

  /// How many consonants there are.
  private(set) var count = 0
  /// For each class how many there are, as so many bits, eight a class.
  private var census: UInt64 = 0
  /// The classes in order, four bits each.
  private var row: UInt64 = 0

  init(_ sounds: some Sequence<UInt8>) { for sound in sounds { append(sound) } }

  /// Goes on with a sound.
  mutating func append(_ sound: UInt8) {
    let kind = Self.kind(sound)
    guard kind < Self.classCount, count < Self.mostCount else { return }
    let bits = (census >> UInt64(8 * kind)) & 0x7F
    census |= ((bits << 1) | 1) << UInt64(8 * kind)
    row |= UInt64(kind) << UInt64(4 * count)
    count += 1
  }

  /// The class of a consonant, from 0.
  @inline(__always) subscript(place: Int) -> Int { Int((row >> UInt64(4 * place)) & 0xF) }

  /// What names are found by: the first two classes.
  var firstKey: Int { self[0] * Self.classCount + self[1] }
  /// What names are found by: the last two classes.
  var lastKey: Int { (Self.classCount + self[count - 2]) * Self.classCount + self[count - 1] }

  /// How many consonants must differ at least, a replaced one counting twice.
  @inline(__always) func difference(_ other: ConsonantKey) -> Int { (census ^ other.census).nonzeroBitCount }

  private static func kind(_ sound: UInt8) -> Int {
    switch sound {
    case PhoneticCoding.lips, PhoneticCoding.lipsTeeth: 0
    case PhoneticCoding.teeth: 1
    case PhoneticCoding.hiss, PhoneticCoding.hush: 2
    case PhoneticCoding.throat: 3
    case PhoneticCoding.humLips, PhoneticCoding.humTongue: 4
    case PhoneticCoding.side, PhoneticCoding.roll: 5
    case PhoneticCoding.round, PhoneticCoding.other: 6
    default: classCount
    }
  }
}
