import Longhand
import SpeakerDiarization
import TestSupport
import Testing

/// Words of two channels, and what of them is an echo.
@Suite struct EchoFinderTests {
  /// What a loudspeaker says: five words in 2 s.
  private static let words = ["we", "meet", "at", "nine", "tomorrow"]
  private static let voice: [Int16] = {
    var random = Numbers(3)
    return SyntheticVoice.low.speech(seconds: 2, random: &random)
  }()

  /// What the microphone has of it.
  private enum Sound { case echo(gain: Double), other(gain: Double) }

  private func segment(
    _ words: [String], at start: Double, channel: Int, source: String? = nil
  ) -> Segment {
    let words = words.enumerated().map { index, text in
      Word(
        text: text, start: start + Double(index) * 0.4, end: start + Double(index) * 0.4 + 0.38,
        confidence: nil)
    }
    let candidate = Candidate(
      text: words.map(\.text).joined(separator: " "), words: words, confidence: nil, source: source)
    return Segment(
      id: channel, start: start, end: start + Double(words.count) * 0.4, candidates: [candidate],
      channel: channel)
  }

  /// The loudspeaker's channel is 1 and begins at 1 s; the microphone's is 0.
  private func echoes(
    _ said: [String] = words, delay: Double, _ sound: Sound, source: String? = nil
  ) -> [String] {
    var random = Numbers(8)
    func noise(_ count: Int) -> [Int16] { (0..<count).map { _ in Int16((random.next() - 0.5) * 20) } }
    var loudspeaker = noise(5 * 16_000)
    for (index, sample) in Self.voice.enumerated() { loudspeaker[16_000 + index] += sample }
    var microphone = noise(5 * 16_000)
    let (gain, samples) =
      switch sound {
      case .echo(let gain): (gain, Self.voice)
      case .other(let gain): (gain, SyntheticVoice.high.speech(seconds: 2, random: &random))
      }
    for (index, sample) in samples.enumerated() {
      microphone[Int((1 + delay) * 16_000) + index] += Int16((Double(sample) * gain).rounded())
    }
    let tracks = [microphone, loudspeaker].map { samples in
      var track = SoundTrack()
      track.add(samples)
      track.finish()
      return track
    }
    let segments = [
      segment(said, at: 1 + delay, channel: 0, source: source), segment(Self.words, at: 1, channel: 1),
    ]
    let found = EchoFinder(segments, sound: [0: tracks[0], 1: tracks[1]]).echoes()
    #expect(found.allSatisfy { $0.channel == 0 })
    return found.map(\.word)
  }

  @Test(arguments: [-0.1, 0.03, 0.2, 0.45]) func weakerSoundWithTheSameWordsIsAnEcho(delay: Double) {
    #expect(echoes(delay: delay, .echo(gain: 0.1)) == Self.words)
  }

  @Test func strongerSoundIsNoEcho() {
    #expect(echoes(delay: 0.03, .echo(gain: 1)) == [])
    #expect(echoes(delay: 0.03, .echo(gain: 0.9)) == [])
  }

  @Test func sameWordsASecondLaterAreNoEcho() {
    #expect(echoes(delay: 1, .echo(gain: 0.1)) == [])
  }

  @Test func onlyTheSameWordsAreAnEcho() {
    #expect(
      echoes(["we", "meet", "on", "Nine,", "monday"], delay: 0.03, .echo(gain: 0.1)) == [
        "we", "meet", "Nine,",
      ])
    #expect(echoes(["yes", "of", "course"], delay: 0.03, .echo(gain: 0.1)) == [])
  }

  /// Quietly, and at the same time.
  @Test(arguments: [0.0, 0.2, 0.4]) func repeatedWordsOfAnotherPersonAreNoEcho(delay: Double) {
    #expect(echoes(delay: delay, .other(gain: 0.3)) == [])
    #expect(echoes(["nine"], delay: delay, .other(gain: 0.3)) == [])
  }

  @Test func correctedWordIsNoEcho() {
    #expect(echoes(delay: 0.03, .echo(gain: 0.1), source: Candidate.person) == [])
  }

  @Test func channelsWithoutTheSameWordsNeedNoSound() {
    #expect(
      !EchoFinder([segment(["yes"], at: 1, channel: 0), segment(["no"], at: 1, channel: 1)]).hasCandidates)
    #expect(
      !EchoFinder([segment(["yes"], at: 1, channel: 0), segment(["yes"], at: 2, channel: 1)]).hasCandidates)
    #expect(
      EchoFinder([segment(["yes"], at: 1, channel: 0), segment(["Yes."], at: 1.4, channel: 1)]).hasCandidates)
  }
}
