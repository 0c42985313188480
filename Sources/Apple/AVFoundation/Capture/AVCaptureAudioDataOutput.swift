import AVFAudio
import AudioStreams
import CoreMedia
import Foundation
import Synchronization

/// Gives captured audio to a delegate.
///
/// On Linux, `audioSettings` may name every uncompressed format; by default a buffer has the sample rate and the channels of
/// the device, as interleaved 16-bit integers.
open class AVCaptureAudioDataOutput: AVCaptureOutput {
  /// Buffers that may wait for the delegate. Later ones are dropped; then times jump.
  private static let maxWaiting = 100

  private struct State: @unchecked Sendable {
    weak var delegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)?
    var queue: DispatchQueue?
    var settings: [String: Any]?
    /// The conversion to the format of the delegate's buffers, and where it is in the stream.
    var stream: CapturedStream?
    var waiting = 0
  }

  /// A buffer on its way to the delegate.
  ///
  /// `@unchecked Sendable`: the delegate's queue alone uses it after it was made.
  private struct Delivery: @unchecked Sendable {
    let buffer: CMSampleBuffer
    let output: AVCaptureAudioDataOutput
    let connection: AVCaptureConnection
  }

  private let state = Mutex(State())

  /// Creates an output without a delegate.
  public override init() { super.init() }

  /// Sets the delegate, and the serial queue on which it is called. Both are nil for none.
  open func setSampleBufferDelegate(
    _ sampleBufferDelegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)?,
    queue sampleBufferCallbackQueue: DispatchQueue?
  ) {
    precondition(
      sampleBufferDelegate == nil || sampleBufferCallbackQueue != nil,
      "a delegate needs a queue to be called on")
    // The wrapper carries the delegate into the lock, which does not send it on.
    nonisolated(unsafe) let delegate = sampleBufferDelegate
    state.withLock {
      $0.delegate = delegate
      $0.queue = sampleBufferCallbackQueue
    }
  }

  /// The delegate.
  open var sampleBufferDelegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)? {
    state.withLock { state in
      nonisolated(unsafe) let delegate = state.delegate
      return delegate
    }
  }

  /// The queue on which the delegate is called.
  open var sampleBufferCallbackQueue: DispatchQueue? { state.withLock { $0.queue } }

  /// The format of the buffers, with the keys of `AVAudioFormat(settings:)`; nil or empty for the default. What is missing
  /// comes from the device.
  // As Apple declares it.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var audioSettings: [String: Any]! {
    get {
      state.withLock { state in
        nonisolated(unsafe) let settings = state.settings
        return settings
      } ?? [:]
    }
    set {
      nonisolated(unsafe) let settings = newValue
      state.withLock {
        $0.settings = settings
        $0.stream = nil
      }
    }
  }

  override func receive(
    _ buffer: AVAudioPCMBuffer, at time: AVAudioTime, from connection: AVCaptureConnection
  ) {
    let (deliveries, queue) = state.withLock { state -> ([Delivery], DispatchQueue?) in
      guard state.delegate != nil, let queue = state.queue else { return ([], nil) }
      if state.stream?.continues(with: buffer, at: time) != true {
        state.stream = buffer.format.changed(by: state.settings).flatMap {
          CapturedStream(from: buffer.format, to: $0, at: time)
        }
      }
      let buffers = state.stream?.convert(buffer) ?? []
      let room = buffers.prefix(max(0, Self.maxWaiting - state.waiting))
      state.waiting += room.count
      return (room.map { Delivery(buffer: $0, output: self, connection: connection) }, queue)
    }
    for delivery in deliveries {
      queue?.async {
        let output = delivery.output
        output.state.withLock { $0.waiting -= 1 }
        output.sampleBufferDelegate?.captureOutput(
          output, didOutput: delivery.buffer, from: delivery.connection)
      }
    }
  }
}

/// Receives captured audio.
public protocol AVCaptureAudioDataOutputSampleBufferDelegate: NSObjectProtocol {
  /// Is called on the output's queue with each buffer. The time stamp is by the machine's clock. On Linux, as requirements
  /// cannot be optional, a default does nothing.
  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection)
}

extension AVCaptureAudioDataOutputSampleBufferDelegate {
  /// Does nothing.
  public func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {}
}

/// Captured audio without a gap, on its way to another format.
struct CapturedStream {
  private let conversion: AudioConversion
  private let source: AVAudioFormat
  private let start: CMTime
  private var next: AVAudioFramePosition
  private var produced: Int64 = 0

  init?(from source: AVAudioFormat, to target: AVAudioFormat, at time: AVAudioTime) {
    guard let conversion = AudioConversion(from: source, to: target) else { return nil }
    conversion.converter.downmix = true
    self.conversion = conversion
    self.source = source
    next = time.sampleTime
    start = CMTime(value: time.sampleTime, timescale: CMTimeScale(source.sampleRate))
  }

  /// Whether `buffer` follows what was converted before.
  func continues(with buffer: AVAudioPCMBuffer, at time: AVAudioTime) -> Bool {
    buffer.format == source && time.sampleTime == next
  }

  /// The next part of the stream in the other format; nothing if it cannot be converted.
  mutating func convert(_ buffer: AVAudioPCMBuffer) -> [CMSampleBuffer] {
    next += AVAudioFramePosition(buffer.frameLength)
    var buffers: [CMSampleBuffer] = []
    for converted in (try? conversion.convert(buffer)) ?? [] {
      let offset = CMTime(value: produced, timescale: CMTimeScale(converted.format.sampleRate))
      if let sample = try? CMSampleBuffer(copying: converted, at: start + offset) { buffers.append(sample) }
      produced += Int64(converted.frameLength)
    }
    return buffers
  }
}
