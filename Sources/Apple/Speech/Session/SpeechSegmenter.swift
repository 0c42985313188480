import Foundation

/// Tells speech from pauses by its level: a pure state machine over 10 ms frames of 16 kHz audio.
///
/// A high-pass keeps hum and rumble out of the level; the noise floor is the quietest tenth of a second of the last
/// seconds, so that it follows the recording; speech begins a margin above the floor and ends when the level has
/// stayed below a smaller margin for `minimumPause`. What is not called speech is only left out of the pieces: it
/// stays on the clock.
struct SpeechSegmenter {
  /// The constants of the state machine.
  struct Configuration: Sendable, Equatable {
    /// Seconds of quiet that end a piece.
    var minimumPause = 0.5
    /// Seconds kept before the first loud frame and after the last.
    var padding = 0.2
    /// dB above the noise floor at which speech begins.
    var onset = 9.0
    /// dB above the noise floor below which a frame is quiet.
    var release = 6.0
    /// dBFS below which nothing is speech, whatever the floor.
    var silence = -62.0
    /// Seconds of loud frames within a tenth of a second that begin a piece: less is a click.
    var minimumOnset = 0.03
  }

  /// What the state machine found.
  enum Action: Equatable {
    /// A piece begins at this sample.
    case begin(at: Int)
    /// More samples of the piece.
    case audio([Int16])
    /// The piece ends before this sample.
    case end(at: Int)
  }

  static let sampleRate = 16_000
  /// Samples of a frame: 10 ms.
  static let frameLength = 160
  /// Frames of the blocks whose levels make the noise floor: a tenth of a second.
  private static let blockLength = 10
  /// Blocks that are remembered: eight seconds.
  private static let rememberedBlocks = 80

  let configuration: Configuration
  private var highPass = HighPassFilter()
  /// Samples that do not fill a frame yet.
  private var rest: [Int16] = []
  /// The samples that padding would bring into a piece.
  private var preroll: [Int16] = []
  /// The place of the next frame.
  private var position = 0
  private var blockEnergy = 0.0
  private var blockFrames = 0
  private var blockLevels: [Double] = []
  private var recentLoud: [Bool] = []
  private var isSpeech = false
  private var quietFrames = 0
  private var emitted = 0

  init(configuration: Configuration = Configuration()) { self.configuration = configuration }

  /// The level below which it is quiet now, in dBFS.
  var noiseFloor: Double { blockLevels.min() ?? -96 }

  /// Takes more audio.
  mutating func process(_ samples: [Int16]) -> [Action] {
    rest += samples
    var actions: [Action] = []
    var start = 0
    while rest.count - start >= Self.frameLength {
      step(Array(rest[start..<start + Self.frameLength]), &actions)
      start += Self.frameLength
    }
    rest.removeFirst(start)
    return actions
  }

  /// Ends the audio; a piece that is open ends with it.
  mutating func finish() -> [Action] {
    var actions: [Action] = []
    if isSpeech {
      if !rest.isEmpty { actions.append(.audio(rest)) }
      actions.append(.end(at: position + rest.count))
    }
    position += rest.count
    rest = []
    preroll = []
    isSpeech = false
    return actions
  }

  private mutating func step(_ frame: [Int16], _ actions: inout [Action]) {
    let energy = highPass.energy(of: frame)
    let level = Self.level(energy)
    remember(energy)
    let floor = noiseFloor
    if isSpeech {
      actions.append(.audio(frame))
      let isQuiet = level < max(floor + configuration.release, configuration.silence)
      quietFrames = isQuiet ? quietFrames + 1 : 0
      if Double(quietFrames) * 0.01 >= configuration.minimumPause {
        isSpeech = false
        recentLoud = []
        preroll = []
        actions.append(.end(at: position + frame.count))
      }
    } else {
      preroll += frame
      let isLoud = level >= max(floor + configuration.onset, configuration.silence)
      recentLoud.append(isLoud)
      if recentLoud.count > 10 { recentLoud.removeFirst() }
      if Double(recentLoud.count(where: { $0 })) * 0.01 >= configuration.minimumOnset - 1e-9 {
        isSpeech = true
        quietFrames = 0
        actions.append(.begin(at: position + frame.count - preroll.count))
        actions.append(.audio(preroll))
        preroll = []
      } else {
        let most = Int((configuration.padding + 0.1) * Double(Self.sampleRate))
        if preroll.count > most { preroll.removeFirst(preroll.count - most) }
      }
    }
    position += frame.count
  }

  private mutating func remember(_ energy: Double) {
    blockEnergy += energy
    blockFrames += 1
    guard blockFrames == Self.blockLength else { return }
    blockLevels.append(Self.level(blockEnergy / Double(blockFrames)))
    if blockLevels.count > Self.rememberedBlocks { blockLevels.removeFirst() }
    blockEnergy = 0
    blockFrames = 0
  }

  /// dBFS of a mean square; −96 for digital silence.
  static func level(_ meanSquare: Double) -> Double { max(-96, 10 * log10(max(meanSquare, 1e-12))) }
}
