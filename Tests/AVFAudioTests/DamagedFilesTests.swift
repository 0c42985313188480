import AVFAudio
import AudioDecoding
import TestSupport
import Testing

/// Damaged files keep their length and their times; what is missing is reported.
@Suite(.tagged(.childProcess)) struct DamagedFilesTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Twelve seconds.
  private static let frames = 576_000

  private func encoded(_ name: String, _ arguments: [String] = []) throws -> URL {
    let source = try folder.sweep("source.wav", frames: Self.frames, rate: 48_000)
    return try folder.encode(source, to: name, arguments)
  }

  /// A copy with changed bytes.
  private func damaged(_ url: URL, _ change: (inout Data) -> Void) throws -> AVAudioFile {
    var data = try Data(contentsOf: url)
    change(&data)
    let target = folder.file("damaged-" + url.lastPathComponent)
    try data.write(to: target)
    return try AVAudioFile(forReading: target)
  }

  /// The rate times the channels times the bytes of a sample is more than 64 bits have.
  @Test func numbersOfAHeaderNeedNotFit() throws {
    let header: [UInt32] = [0x2E73_6E64, 24, 4000, 7, .max, .max]
    let target = folder.file("a.au")
    let bytes = header.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    try (Data(bytes) + Data(count: 64_000)).write(to: target)
    #expect { try AVAudioFile(forReading: target) } throws: { !"\($0)".contains("ended") }
  }

  private static let holed: [(String, [String])] = [
    ("a.mp3", ["-b:a", "64k"]), ("vbr.mp3", ["-q:a", "5"]), ("plain.mp3", ["-write_xing", "0"]),
    ("a.aac", []),
    ("a.flac", []), ("a.ogg", []), ("a.opus", []), ("a.m4a", []), ("flac.mkv", ["-c:a", "flac"]),
    ("a.ts", ["-c:a", "mp2"]),
  ]

  @Test(arguments: holed.indices)
  func aHoleKeepsTheTimesAfterIt(index: Int) throws {
    let (name, arguments) = Self.holed[index]
    let url = try encoded(name, arguments)
    let whole = try AVAudioFile(forReading: url)
    #expect(whole.condition.holes.isEmpty)
    let file = try damaged(url) { $0.resetBytes(in: $0.count / 3..<$0.count / 2) }
    // Where only the number of bytes shows how long the hole is, frames of different lengths make it inexact.
    let tolerance = ["vbr.mp3", "a.aac"].contains(name) ? 19_200 : 6000
    #expect(abs(Int(file.length - whole.length)) < tolerance)
    let holes = file.condition.holes
    #expect(holes.count == 1)
    let missing = holes.reduce(0) { $0 + Int($1.frames) }
    #expect((48_000..<300_000).contains(missing))
    let samples = try file.rest()
    #expect(samples.count == Int(file.length))
    let hole = try #require(holes.first)
    let start = Int(hole.start)
    #expect(samples[start..<start + Int(hole.frames)].allSatisfy { $0 == 0 })
    // The sweep sounds different at every time.
    let last = try whole.rest()[500_000..<502_000]
    let distances = (-tolerance...tolerance).map { (shift: $0, value: distance(samples, last, $0)) }
    let best = try #require(distances.min { $0.value < $1.value })
    #expect(best.value < 3.75)
    #expect(abs(best.shift) < tolerance)
  }

  /// Packets that are lost at two places, neither of which is a hole by itself; together they are one.
  @Test(arguments: ["a.m4a", "a.mkv"]) func everyPassFindsTheSameHoles(name: String) throws {
    let lost = "noise=drop=between(n\\,100\\,103)+eq(n\\,200)"
    let file = try AVAudioFile(forReading: try encoded(name, ["-c:a", "aac", "-bsf:a", lost]))
    let holes = file.condition.holes
    #expect(holes.count == 1)
    let start = try #require(holes.first).start
    #expect((195 * 1024..<205 * 1024).contains(start))
    for _ in 0..<2 {
      file.framePosition = 0
      let samples = try file.rest()
      #expect(samples.count == Int(file.length))
      #expect(samples[Int(start)..<Int(start) + 1000].allSatisfy { $0 == 0 })
      #expect(file.condition.holes == holes)
    }
  }

  /// More silence than there are frames in the longest file of so few bytes.
  @Test func aSmallFileMayHaveALongHole() throws {
    let source = try folder.sweep("source.wav", frames: 96_000, rate: 48_000)
    let gap = "setts=ts=TS+gte(N\\,50)*10800000"
    let url = try folder.encode(source, to: "a.mka", ["-c:a", "libopus", "-b:a", "6k", "-bsf:a", gap])
    let file = try AVAudioFile(forReading: url)
    let hours: Int64 = 3 * 3600 * 48_000
    #expect(abs(file.length - hours - 96_000) < 4800)
    #expect(file.condition.holes.count == 1)
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 48_000))
    file.framePosition = file.length - 24_000
    try file.read(into: buffer)
    #expect(buffer.frameLength == 24_000)
    #expect(buffer.samples().map(abs).max() ?? 0 > 0.1)
  }

  /// A recording of a call can have a hole in each pause.
  @Test func aHoleNeverCoversDecodedAudio() {
    var condition = AudioFileCondition()
    // The second pass finds the same ones again.
    for _ in 0..<2 {
      for number in 0..<2500 { condition.add(.init(start: Int64(number) * 100, frames: 40)) }
    }
    #expect(condition.holes.count == 1000)
    #expect(condition.holes.allSatisfy { $0.frames == 40 })
    #expect(condition.furtherHoles?.start == 100_000)
    #expect(condition.furtherHoles?.end == 249_940)
    #expect(condition.missingFrames == 100_000)
  }

  private func distance(_ samples: [Float], _ part: ArraySlice<Float>, _ shift: Int) -> Float {
    guard samples.count >= part.endIndex + shift else { return .infinity }
    return stride(from: part.startIndex, to: part.endIndex, by: 40).reduce(0) {
      $0 + abs(part[$1] - samples[$1 + shift])
    }
  }

  @Test(arguments: ["a.flac", "a.ogg", "a.opus", "a.mkv", "a.ts"])
  func aRepeatedPartDoesNotMoveTheTimesAfterIt(name: String) throws {
    let url = try encoded(name)
    let length = try AVAudioFile(forReading: url).length
    let file = try damaged(url) { data in
      data.insert(contentsOf: data[data.count / 3..<data.count / 2], at: data.count / 2)
    }
    // At the seam a decoder of FLAC may find a few frames of the copy in what is left of a damaged one.
    #expect(abs(Int(file.length - length)) < (name == "a.flac" ? 14_400 : 4800))
  }

  @Test(arguments: ["a.wav", "a.mp3", "a.flac"])
  func aTruncatedFileIsShorterThanItStates(name: String) throws {
    let file = try damaged(try encoded(name)) { $0.removeLast($0.count / 2) }
    let stated = try #require(file.condition.statedDuration)
    #expect(abs(stated - 12) < 0.1)
    #expect((4 * 48_000..<8 * 48_000).contains(file.length))
    #expect(file.condition.holes.isEmpty)
  }

  /// A format whose header has the length of its samples.
  struct StatedFormat: Sendable, CustomTestStringConvertible {
    var name: String
    var tag = "data"
    /// The bytes from the tag to the length, and those of the length.
    var distance = 4
    var bytes = 4
    var isBigEndian = true
    /// What comes after the length and before the samples, and what else the length counts.
    var before = 0
    var counted = 0

    var testDescription: String { name }

    func number(_ value: Int) -> Data {
      let bytes = withUnsafeBytes(of: value.littleEndian) { Data($0) }.prefix(bytes)
      return isBigEndian ? Data(bytes.reversed()) : bytes
    }
  }

  private static let statedFormats = [
    StatedFormat(name: "a.wav", isBigEndian: false),
    StatedFormat(name: "a.aiff", tag: "SSND", before: 8),
    StatedFormat(name: "a.caf", bytes: 8, before: 4),
    StatedFormat(name: "a.w64", distance: 16, bytes: 8, isBigEndian: false, counted: 24),
    StatedFormat(name: "a.au", tag: ".snd", distance: 8),
  ]

  @Test(arguments: statedFormats)
  func aFileThatStatesTooLittleIsReadToItsEnd(format: StatedFormat) throws {
    let url = try encoded(format.name)
    for (isFollowed, expected) in [(false, Self.frames), (true, Self.frames / 2)] {
      // Nothing can follow in AU.
      if isFollowed, format.tag == ".snd" { continue }
      let file = try damaged(url) { data in
        let tag = data.range(of: Data(format.tag.utf8))?.lowerBound ?? 0
        let (field, start) = (tag + format.distance, tag + format.distance + format.bytes)
        let size = format.number(Self.frames + format.before + format.counted)
        data.replaceSubrange(field..<start, with: size)
        guard isFollowed else { return }
        // Another chunk instead of the second half.
        let end = start + format.before + Self.frames
        let name = Data("LIST".utf8) + Data(count: format.distance - 4)
        let rest = data.count - end - name.count - format.bytes + format.counted
        let header = name + format.number(rest)
        data.replaceSubrange(end..<end + header.count, with: header)
      }
      // Without the length, each seek would decode the file from its beginning.
      #expect(file.decoded?.length == file.length)
      #expect(abs(Int(file.length) - expected) < 100)
      #expect(try file.rest().count == Int(file.length))
      #expect(file.condition.statedDuration == 6)
    }
  }

  /// Some programs do not pad an odd number of bytes, and some append a tag that is in no chunk.
  @Test(arguments: ["a.wav", "a.aiff"], [false, true])
  func metadataBehindTheSamplesIsNotReadAsAudio(name: String, isTag: Bool) throws {
    let frames = 24_001
    let url = try folder.sweep(name, frames: frames, rate: 8000, settings: [AVLinearPCMBitDepthKey: 8])
    let isBigEndian = name == "a.aiff"
    let file = try damaged(url) { data in
      let header = data.range(of: Data((isBigEndian ? "SSND" : "data").utf8))?.lowerBound ?? 0
      if let common = data.range(of: Data("COMM".utf8))?.lowerBound {
        // The writer counts the byte that pads them.
        for (offset, number) in [(common + 10, frames), (header + 4, 8 + frames)] {
          withUnsafeBytes(of: UInt32(number).bigEndian) {
            data.replaceSubrange(offset..<offset + 4, with: $0)
          }
        }
      }
      data = data.prefix(header + (isBigEndian ? 16 : 8) + frames)
      // 40,000 bytes, whose number has seven bits a byte in a tag.
      let length: [UInt8] =
        isTag ? [0, 2, 0x38, 0x40] : isBigEndian ? [0, 0, 0x9C, 0x40] : [0x40, 0x9C, 0, 0]
      data += isTag ? Data("ID3".utf8) + Data([4, 0, 0]) : Data("LIST".utf8)
      data += Data(length) + Data(repeating: 0xFF, count: 40_000)
    }
    #expect(file.length == Int64(frames))
    #expect(try file.rest().count == frames)
    #expect(file.condition.statedDuration == Double(frames) / 8000)
  }

  /// Each eight zeros would be an empty chunk.
  @Test func silenceAfterTheStatedEndOfAWaveFileIsNotSearchedForChunks() throws {
    let url = try folder.sweep("a.wav", frames: 48_000, rate: 48_000)
    let handle = try FileHandle(forWritingTo: url)
    try handle.truncate(atOffset: 400_000_000)
    try handle.close()
    let began = ContinuousClock.now
    #expect(try AVAudioFile(forReading: url).length > 199_000_000)
    #expect(ContinuousClock.now - began < .seconds(5))
  }

  /// RF64 whose length was never written, MP3 in WAVE with half of the length and no bytes per second, and AIFF that counts
  /// half of its frames.
  @Test(arguments: [("rf64.wav", ["-rf64", "always"]), ("mp3.wav", ["-c:a", "libmp3lame"]), ("a.aiff", [])])
  func aFileWithAnUnusualHeaderIsReadToItsEnd(name: String, arguments: [String]) throws {
    let file = try damaged(try encoded(name, arguments)) { data in
      if let common = data.range(of: Data("COMM".utf8)) {
        withUnsafeBytes(of: UInt32(Self.frames / 2).bigEndian) {
          data.replaceSubrange(common.lowerBound + 10..<common.lowerBound + 14, with: $0)
        }
      }
      if let long = data.range(of: Data("ds64".utf8)) {
        data.resetBytes(in: long.lowerBound + 16..<long.lowerBound + 24)
      } else if let format = data.range(of: Data("fmt ".utf8)), let start = data.range(of: Data("data".utf8))
      {
        data.resetBytes(in: format.lowerBound + 16..<format.lowerBound + 20)
        let size = UInt32(data.count / 2)
        withUnsafeBytes(of: size.littleEndian) {
          data.replaceSubrange(start.lowerBound + 4..<start.lowerBound + 8, with: $0)
        }
      }
    }
    #expect(abs(Int(file.length) - Self.frames) < 5000)
    #expect(try file.rest().count == Int(file.length))
  }

  @Test func joinedFilesAreNotDamaged() throws {
    for name in ["a.mp3", "a.flac", "a.ogg", "a.opus"] {
      let url = try encoded(name)
      let length = try AVAudioFile(forReading: url).length
      let file = try damaged(url) { $0 += $0 }
      #expect(abs(Int(file.length - 2 * length)) < 4800, "\(name)")
      #expect(file.condition.holes.isEmpty, "\(name)")
    }
  }
}
