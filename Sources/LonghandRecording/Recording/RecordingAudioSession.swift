import AVFAudio
import Foundation

#if os(macOS)
  /// Does nothing: macOS has no audio sessions.
  struct RecordingAudioSession: Sendable {
    let isInterrupted = false
    func activate(isRunning: () -> Bool, lost: (String) -> Void) {}
    func deactivate() {}
  }
#else
  /// The program's audio session while it records: it belongs to the recording from its start to its end, and reports when
  /// something else interrupts it, such as a phone call.
  ///
  /// `@unchecked Sendable`: a session may be used from any thread, and `lock` guards everything that changes.
  final class RecordingAudioSession: @unchecked Sendable {
    #if os(Linux)
      /// On Linux an engine continues where the sound server only suspends the source. Where it has stopped, the device is
      /// gone, which is not an interruption.
      static let stopsWithDevice = true
    #else
      static let stopsWithDevice = false
    #endif

    private let session: AVAudioSession
    private let stopsWithDevice: Bool
    private let lock = NSLock()
    private var observers: [any NSObjectProtocol] = []
    private var interrupted = false

    /// - Parameter stopsWithDevice: whether an engine stops only where its device is gone.
    init(_ session: AVAudioSession = .sharedInstance(), stopsWithDevice: Bool = stopsWithDevice) {
      self.session = session
      self.stopsWithDevice = stopsWithDevice
    }

    deinit { release() }

    /// Whether something else uses the audio now, so that none comes.
    var isInterrupted: Bool { lock.withLock { interrupted } }

    /// Takes the session for a recording: the signal as it is, and other programs not so loud.
    /// - Parameters:
    ///   - isRunning: whether the engine runs.
    ///   - lost: called when the device in use was removed.
    func activate(isRunning: @escaping @Sendable () -> Bool, lost: @escaping @Sendable (String) -> Void)
      throws
    {
      try session.setCategory(.record, mode: .measurement, options: .duckOthers)
      try session.setActive(true, options: .notifyOthersOnDeactivation)
      let center = NotificationCenter.default
      let interruption = center.addObserver(
        forName: AVAudioSession.interruptionNotification, object: session, queue: nil
      ) { [weak self] notification in
        let value = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
        guard let type = value.flatMap(AVAudioSession.InterruptionType.init) else { return }
        guard let self else { return }
        let counts = !stopsWithDevice || isRunning()
        // Where the engine does not run again by itself, the interruption lasts until the source is opened again.
        lock.withLock { self.interrupted = counts && (type == .began || (self.interrupted && !isRunning())) }
      }
      let route = center.addObserver(
        forName: AVAudioSession.routeChangeNotification, object: session, queue: nil
      ) { notification in
        let value = notification.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt
        guard value.flatMap(AVAudioSession.RouteChangeReason.init) == .oldDeviceUnavailable, !isRunning()
        else {
          return
        }
        lost("the device was removed")
      }
      lock.withLock {
        observers = [interruption, route]
        interrupted = false
      }
    }

    /// Gives the session back, and notifies other programs that they may continue.
    func deactivate() {
      guard release() else { return }
      try? session.setActive(false, options: .notifyOthersOnDeactivation)
    }

    /// - Returns: whether the session was in use.
    @discardableResult private func release() -> Bool {
      let former = lock.withLock {
        defer { observers = [] }
        return observers
      }
      former.forEach(NotificationCenter.default.removeObserver)
      return !former.isEmpty
    }
  }
#endif
