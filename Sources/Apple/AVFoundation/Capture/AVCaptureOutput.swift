import AVFAudio
import Foundation
import Synchronization

/// Where a session sends media to. Not `Sendable`, as on Apple platforms.
open class AVCaptureOutput: NSObject {
  /// The connections to the inputs of the session; set by the session, whose thread that captures has a copy.
  open internal(set) var connections: [AVCaptureConnection] = []

  /// The first connection with this kind of media; nil if there is none.
  open func connection(with mediaType: AVMediaType) -> AVCaptureConnection? {
    connections.first { connection in connection.inputPorts.contains { $0.mediaType == mediaType } }
  }

  /// Takes audio from the session, on the thread that captures.
  func receive(_ buffer: AVAudioPCMBuffer, at time: AVAudioTime, from connection: AVCaptureConnection) {}
}

/// A connection from an input to an output of a session.
///
/// `@unchecked Sendable`: a `Mutex` guards what changes; a connection's ports and its output are set once.
open class AVCaptureConnection: NSObject, @unchecked Sendable {
  /// The streams that flow in.
  open private(set) var inputPorts: [AVCaptureInput.Port]
  /// The output.
  open private(set) weak var output: AVCaptureOutput?
  private let state = Mutex((isEnabled: true, levels: [AudioMeter.Level]()))

  /// Creates a connection, which a session can add.
  public init(inputPorts ports: [AVCaptureInput.Port], output: AVCaptureOutput) {
    (inputPorts, self.output) = (ports, output)
    super.init()
  }

  /// Whether media flows.
  open var isEnabled: Bool {
    get { state.withLock { $0.isEnabled } }
    set { state.withLock { $0.isEnabled = newValue } }
  }
  /// Whether the connection can be used.
  open var isActive: Bool { output != nil && !inputPorts.isEmpty }

  /// The channels with their levels; none before the first audio.
  open var audioChannels: [AVCaptureAudioChannel] {
    state.withLock { $0.levels }.map(AVCaptureAudioChannel.init)
  }

  /// Measures the levels of `buffer`, and passes it on if the connection is enabled.
  func deliver(_ buffer: AVAudioPCMBuffer, at time: AVAudioTime) {
    var meter = AudioMeter()
    meter.add(buffer)
    let levels = meter.take()
    let isEnabled = state.withLock { state in
      state.levels = levels
      return state.isEnabled
    }
    if isEnabled { output?.receive(buffer, at: time, from: self) }
  }
}

/// The levels of a channel in a connection.
open class AVCaptureAudioChannel: NSObject {
  /// The average power of the last buffer, in dBFS: 0 for full scale, -160 for silence.
  open private(set) var averagePowerLevel: Float
  /// The highest sample of the last buffer, in dBFS.
  open private(set) var peakHoldLevel: Float

  init(_ level: AudioMeter.Level) {
    (averagePowerLevel, peakHoldLevel) = (level.average, level.peak)
    super.init()
  }
}
