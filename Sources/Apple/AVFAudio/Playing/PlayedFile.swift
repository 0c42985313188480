import AudioDecoding
import Foundation
import Synchronization

/// The file of a player while it plays: reads it on a queue of its own and passes it to the sound server.
///
/// `@unchecked Sendable`: a `Mutex` guards everything that changes.
final class PlayedFile: @unchecked Sendable {
  /// Frames that are read at once.
  private static let chunk: AVAudioFrameCount = 1024

  private struct State: @unchecked Sendable {
    let file: AVAudioFile
    var output: PulseOutput?
    /// Counts the starts. A feeding loop of an earlier start ends.
    var generation = 0
    /// Counts the changes of the position by the program.
    var seeks = 0
    var isPaused = false
    var loops = 0
    var volume: Float = 1
    /// Left -1 to right 1.
    var pan: Float = 0
    var meter = AudioMeter()
  }

  private let state: Mutex<State>
  private let server: String?
  private let queue = DispatchQueue(label: "AVAudioPlayer.output", qos: .userInteractive)

  init(_ file: AVAudioFile, server: String?) {
    state = Mutex(State(file: file))
    self.server = server
  }

  var isPlaying: Bool { state.withLock { $0.output != nil && !$0.isPaused } }

  var volume: Float {
    get { state.withLock { $0.volume } }
    set { state.withLock { $0.volume = min(1, max(0, newValue)) } }
  }

  var pan: Float {
    get { state.withLock { $0.pan } }
    set { state.withLock { $0.pan = min(1, max(-1, newValue)) } }
  }

  /// How often the file is played again; negative for no end.
  var loops: Int {
    get { state.withLock { $0.loops } }
    set { state.withLock { $0.loops = newValue } }
  }

  /// The frame that is played now. Setting it goes there.
  var position: AVAudioFramePosition {
    get {
      state.withLock { max(0, $0.file.framePosition - AVAudioFramePosition($0.output?.waitingFrames ?? 0)) }
    }
    set {
      state.withLock { state in
        state.file.framePosition = min(max(0, newValue), state.file.length)
        state.seeks += 1
        state.output?.flush()
      }
    }
  }

  /// The level of each channel of what was played since the last call.
  func takeLevels() -> [AudioMeter.Level] { state.withLock { $0.meter.take() } }

  /// Starts at `position`, or resumes. Calls `ended` when the file was played to its end, with false when the sound server has
  /// ended, or with an error when the file cannot be decoded any more. Throws if there is no sound server.
  func play(_ ended: @escaping @Sendable (Result<Bool, any Error>) -> Void) throws {
    let (format, isResumed) = state.withLock { state in
      if state.isPaused { state.output?.pause(false) }
      state.isPaused = false
      return (state.file.processingFormat, state.output != nil)
    }
    guard !isResumed else { return }
    let output = try PulseOutput(
      server: server, rate: format.sampleRate, channels: Int(format.channelCount))
    let generation = state.withLock { state in
      if state.file.framePosition >= state.file.length { state.file.framePosition = 0 }
      state.output = output
      state.generation += 1
      return state.generation
    }
    queue.async {
      guard let result = self.feed(output, generation) else { return }
      output.close()
      ended(result)
    }
  }

  func pause() {
    state.withLock { state in
      guard state.output != nil, !state.isPaused else { return }
      state.isPaused = true
      state.output?.pause(true)
    }
  }

  /// Stops at the current position.
  func stop() {
    let position = position
    let output = state.withLock { state in
      defer { (state.output, state.isPaused) = (nil, false) }
      state.generation += 1
      if state.output != nil { state.file.framePosition = position }
      return state.output
    }
    output?.close()
  }

  /// Feeds the server until the end. Returns nil if playing was stopped, else whether all was played, or why it cannot be
  /// decoded.
  private func feed(_ output: PulseOutput, _ generation: Int) -> Result<Bool, any Error>? {
    while true {
      let read: (samples: [Float], seeks: Int)?
      do {
        read = try state.withLock { state -> (samples: [Float], seeks: Int)? in
          guard state.generation == generation else { return nil }
          return (try Self.next(&state), state.seeks)
        }
      } catch {
        _ = output.drain()
        return finish(generation, isComplete: false) ? .failure(error) : nil
      }
      guard let (samples, seeks) = read else { return nil }
      let isWritten = samples.isEmpty ? output.drain() : output.write(samples)
      guard samples.isEmpty || !isWritten else { continue }
      if finish(generation, after: seeks, isComplete: isWritten) { return .success(isWritten) }
    }
  }

  /// Ends playing. Returns false if the program has stopped it, or after the end of the file if the program has changed the
  /// position meanwhile.
  /// - Parameter seeks: the changes of the position before the end was reached.
  private func finish(_ generation: Int, after seeks: Int = 0, isComplete: Bool) -> Bool {
    state.withLock { state in
      guard state.generation == generation, !isComplete || state.seeks == seeks else { return false }
      (state.output, state.isPaused) = (nil, false)
      if isComplete { state.file.framePosition = 0 }
      return true
    }
  }

  /// The next frames, interleaved; empty at the end.
  private static func next(_ state: inout State) throws -> [Float] {
    guard let buffer = AVAudioPCMBuffer(pcmFormat: state.file.processingFormat, frameCapacity: chunk) else {
      throw AudioError.make(.noMemory, "cannot play: there is not enough memory")
    }
    try state.file.read(into: buffer)
    if buffer.frameLength == 0, state.loops != 0 {
      state.loops -= state.loops > 0 ? 1 : 0
      state.file.framePosition = 0
      try state.file.read(into: buffer)
    }
    guard let channels = buffer.floatChannelData else { return [] }
    let count = Int(state.file.processingFormat.channelCount)
    // Towards one side, the other channel of a stereo pair becomes quieter.
    let gains = (0..<count).map { channel in
      count == 2 ? state.volume * min(1, channel == 0 ? 1 - state.pan : 1 + state.pan) : state.volume
    }
    for channel in 0..<count {
      for frame in 0..<Int(buffer.frameLength) { channels[channel][frame] *= gains[channel] }
    }
    state.meter.add(buffer)
    return (0..<Int(buffer.frameLength)).flatMap { frame in (0..<count).map { channels[$0][frame] } }
  }
}
