import LonghandTranscripts
import SentenceFormatting

/// Reads candidates in the form of `CandidateCoding`. Each function returns nil if the bytes are not in it.
struct CandidateReader {
  private var rest: Slice<UnsafeRawBufferPointer>
  private var texts: [String] = []
  private var confidences: [Double] = []
  private var words: [Word] = []
  private var expected = 0
  private var time = 0

  /// - Parameter bytes: what follows the mark.
  init(_ bytes: Slice<UnsafeRawBufferPointer>) { rest = bytes }

  mutating func candidates() -> [Candidate]? {
    guard let count = count() else { return nil }
    var candidates: [Candidate] = []
    for _ in 0..<count {
      guard let candidate = candidate() else { return nil }
      candidates.append(candidate)
    }
    return rest.isEmpty ? candidates : nil
  }

  private mutating func candidate() -> Candidate? {
    guard let bits = rest.popFirst(), let confidence = confidence(), let count = count() else { return nil }
    let flags = CandidateCoding.Flags(rawValue: bits)
    var words: [Word] = []
    for _ in 0..<count {
      guard let word = word() else { return nil }
      words.append(word)
    }
    var candidate = Candidate(text: "", words: words, confidence: confidence)
    if flags.contains(.isJoined) {
      candidate.text = CandidateCoding.joined(words)
    } else {
      guard let text = text() else { return nil }
      candidate.text = text
    }
    if flags.contains(.hasSource) {
      guard let source = text() else { return nil }
      candidate.source = source
    }
    if flags.contains(.hasLanguage) {
      guard let language = text() else { return nil }
      candidate.language = language
    }
    return candidate
  }

  private mutating func word() -> Word? {
    guard let reference = count() else { return nil }
    if reference > 0 {
      let index = expected + Self.signed(reference - 1)
      guard words.indices.contains(index) else { return nil }
      expected = index + 1
      return words[index]
    }
    guard let text = text(), let start = seconds(), let end = seconds(), let confidence = confidence(),
      let (voice, marks) = voiceAndMarks()
    else {
      return nil
    }
    var word = Word(text: text, start: start, end: end, confidence: confidence)
    word.voice = voice
    word.marks = marks
    words.append(word)
    expected = words.count
    return word
  }

  private mutating func text() -> String? {
    guard let reference = count() else { return nil }
    if reference > 0 { return texts.indices.contains(reference - 1) ? texts[reference - 1] : nil }
    guard let length = count(), rest.count >= length else { return nil }
    let text = String(decoding: rest.prefix(length), as: UTF8.self)
    rest = rest.dropFirst(length)
    texts.append(text)
    return text
  }

  private mutating func seconds() -> Double? {
    guard let code = count() else { return nil }
    guard code & 1 == 0 else { return code == 1 ? number() : nil }
    // Only damaged bytes make the sum too great.
    let (sum, isTooGreat) = time.addingReportingOverflow(Self.signed(code >> 1))
    guard !isTooGreat else { return nil }
    time = sum
    return Double(sum) / 1000
  }

  /// A confidence, in which nil is one that is absent.
  private mutating func confidence() -> Double?? {
    guard let code = count() else { return nil }
    guard code > 0 else { return .some(nil) }
    if code > 1 { return confidences.indices.contains(code - 2) ? confidences[code - 2] : nil }
    guard let number = number() else { return nil }
    confidences.append(number)
    return number
  }

  /// How a voice ends a word, and its marks; nil in them is that nothing is known.
  private mutating func voiceAndMarks() -> (WordVoice?, WordMarks?)? {
    guard let numbers = count()?.quotientAndRemainder(dividingBy: CandidateCoding.marksStep) else {
      return nil
    }
    let marks = WordMarks(code: numbers.quotient)
    guard marks != nil || numbers.quotient == 0 else { return nil }
    let code = numbers.remainder
    guard code > 0 else { return (nil, marks) }
    guard let frames = UInt8(exactly: code - 1) else { return nil }
    return (WordVoice(voicedFrames: frames), marks)
  }

  private mutating func number() -> Double? { rest.popInteger().map { Double(bitPattern: $0) } }

  /// A number of at most 56 bits.
  private mutating func count() -> Int? {
    var count = 0
    for shift in stride(from: 0, to: 56, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      count |= Int(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return count }
    }
    return nil
  }

  private static func signed(_ number: Int) -> Int { number & 1 == 0 ? number >> 1 : ~(number >> 1) }
}

extension Slice<UnsafeRawBufferPointer> {
  /// Takes an integer, little-endian, from the beginning; nil if there are too few bytes.
  mutating func popInteger<Integer: FixedWidthInteger>() -> Integer? {
    let size = MemoryLayout<Integer>.size
    guard count >= size else { return nil }
    defer { self = dropFirst(size) }
    return Integer(
      littleEndian: UnsafeRawBufferPointer(rebasing: prefix(size)).loadUnaligned(as: Integer.self))
  }
}
