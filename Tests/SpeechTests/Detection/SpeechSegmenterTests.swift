import Foundation
import TestSupport
import Testing

@testable import Speech

@Suite struct SpeechSegmenterTests {
  /// A buzz like a voice's, at 200 Hz.
  static func voice(_ seconds: Double, level: Double = -20) -> [Int16] {
    let amplitude = pow(10, level / 20) * 32_768
    return (0..<Int(seconds * 16_000)).map { Int16(amplitude * sin(2 * .pi * 200 * Double($0) / 16_000)) }
  }

  static func noise(_ seconds: Double, level: Double = -70, seed: UInt64 = 1) -> [Int16] {
    var generator = SeededGenerator(seed: seed)
    let amplitude = pow(10, level / 20) * 32_768 * 3.0.squareRoot()
    return (0..<Int(seconds * 16_000)).map { _ in
      Int16(Double.random(in: -amplitude...amplitude, using: &generator))
    }
  }

  /// The pieces that come of audio given in buffers of these sizes, over and over.
  static func pieces(
    _ audio: [Int16], buffers: [Int] = [1600], _ configuration: SpeechSegmenter.Configuration = .init()
  ) -> [AudioPiece] {
    var segmenter = SpeechSegmenter(configuration: configuration)
    var assembler = PieceAssembler()
    var pieces: [AudioPiece] = []
    var start = 0
    var turn = 0
    while start < audio.count {
      let end = min(audio.count, start + buffers[turn % buffers.count])
      pieces += segmenter.process(Array(audio[start..<end])).flatMap { assembler.take($0) }
      start = end
      turn += 1
    }
    return pieces + segmenter.finish().flatMap { assembler.take($0) }
  }

  @Test func silenceHoldsNoPiece() {
    #expect(Self.pieces([Int16](repeating: 0, count: 160_000)).map(\.range) == [])
    #expect(Self.pieces(Self.noise(10)).map(\.range) == [])
    #expect(Self.pieces([]).map(\.range) == [])
  }

  @Test func speechBetweenPausesIsAPieceOfItsOwn() throws {
    let audio = Self.noise(2) + Self.voice(2) + Self.noise(2) + Self.voice(1) + Self.noise(2)
    let pieces = Self.pieces(audio)
    try #require(pieces.count == 2)
    // Everything loud is within the pieces, and not much else.
    #expect(pieces[0].range.lowerBound <= 2 * 16_000)
    #expect(pieces[0].range.lowerBound >= 16_000 * 3 / 2)
    #expect(pieces[0].range.upperBound >= 4 * 16_000)
    #expect(pieces[0].range.upperBound <= 5 * 16_000)
    #expect(pieces[1].range.lowerBound <= 6 * 16_000)
    #expect(pieces[1].range.upperBound >= 7 * 16_000)
  }

  @Test func aShortPauseDoesNotCut() {
    let audio = Self.noise(2) + Self.voice(1) + Self.noise(0.2) + Self.voice(1) + Self.noise(2)
    #expect(Self.pieces(audio).count == 1)
  }

  @Test func aPieceHoldsTheAudioOfItsPlace() {
    let audio = Self.noise(1) + Self.voice(1.5) + Self.noise(1.2) + Self.voice(25) + Self.noise(0.1)
    for piece in Self.pieces(audio) { #expect(piece.samples == Array(audio[piece.range])) }
  }

  @Test func speechToTheVeryEndsIsKept() throws {
    let audio = Self.voice(1.005)
    let piece = try #require(Self.pieces(audio).first)
    #expect(piece.range == 0..<audio.count)
  }

  @Test func aClickBeginsNoPiece() {
    var audio = Self.noise(4)
    for index in 30_000..<30_100 { audio[index] = 20_000 }
    #expect(Self.pieces(audio).map(\.range) == [])
  }

  @Test func quietSpeechOverQuietNoiseIsHeard() {
    let audio = Self.noise(2, level: -75) + Self.voice(1, level: -45) + Self.noise(2, level: -75)
    #expect(Self.pieces(audio).count == 1)
  }

  @Test func steadyNoiseBecomesTheFloor() {
    // A fan that is switched on is taken for speech at first, and for silence in the end.
    let audio = Self.noise(3, level: -70) + Self.noise(30, level: -35)
    let spoken = Self.pieces(audio).reduce(0) { $0 + $1.samples.count }
    #expect(Double(spoken) / 16_000 < 16)
  }

  @Test func humIsNotSpeech() {
    let hum = (0..<160_000).map { Int16(2000 * sin(2 * .pi * 50 * Double($0) / 16_000)) }
    #expect(Self.pieces(hum).reduce(0) { $0 + $1.samples.count } < 16_000)
  }

  @Test(arguments: 1...UInt64(isSoak ? 1000 : 20)) func howTheAudioIsHandedInMakesNoDifference(
    _ seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    var audio: [Int16] = []
    for _ in 0..<6 {
      audio += Self.noise(Double.random(in: 0...2, using: &generator), seed: seed)
      audio += Self.voice(Double.random(in: 0...3, using: &generator))
    }
    let sizes = (0..<7).map { _ in Int.random(in: 1...5000, using: &generator) }
    let pieces = Self.pieces(audio, buffers: sizes)
    #expect(pieces == Self.pieces(audio, buffers: [audio.count]))
    #expect(zip(pieces, pieces.dropFirst()).allSatisfy { $0.range.upperBound <= $1.range.lowerBound })
  }

  @Test func endlessSpeechIsSplitAtItsQuietestPlace() throws {
    var audio = Self.voice(45)
    for index in 15 * 16_000..<15 * 16_000 + 3200 { audio[index] /= 8 }
    let pieces = Self.pieces(audio)
    #expect(pieces.count >= 3)
    #expect(pieces.allSatisfy { $0.samples.count <= PieceAssembler.longest })
    #expect(pieces.reduce([]) { $0 + $1.samples } == audio)
    #expect(abs(pieces[0].range.upperBound - (15 * 16_000 + 1600)) <= 1600)
  }

  @Test func aStreamIsSplitWithoutLosingOrRepeatingASample() {
    var splitter = StreamSplitter()
    var segmenter = SpeechSegmenter()
    var out: [Int16] = []
    var lengths: [Int] = [0]
    let audio = Self.voice(61)
    let actions = segmenter.process(audio) + segmenter.finish()
    for action in actions.flatMap({ splitter.take($0) }) {
      switch action {
      case .begin(let start):
        #expect(start == out.count)
        lengths.append(0)
      case .audio(let samples):
        out += samples
        lengths[lengths.count - 1] += samples.count
      case .end(let end): #expect(end == out.count)
      }
    }
    #expect(out == audio)
    #expect(lengths.allSatisfy { $0 <= PieceAssembler.longest + 8000 })
  }
}
