import AVFAudio
import Synchronization

/// Notifications since this was made: of the engine and the audio session, or others by their names.
final class PostedNotifications: Sendable {
  private let all = Mutex<[String]>([])
  private let tokens = Mutex<[Token]>([])

  /// `@unchecked Sendable`: immutable, and only given back to the center, which has a lock of its own.
  private struct Token: @unchecked Sendable { let observer: any NSObjectProtocol }

  init() {
    observe(.AVAudioEngineConfigurationChange) { _ in "configuration" }
    observe(AVAudioSession.interruptionNotification) { notification in
      let type = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
      let options = notification.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt
      return switch type.flatMap(AVAudioSession.InterruptionType.init(rawValue:)) {
      case .began: "began"
      case .ended: options == 1 ? "ended, should resume" : "ended"
      case nil: "nonsense"
      }
    }
    observe(AVAudioSession.routeChangeNotification) { notification in
      "route \(notification.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt ?? 0)"
    }
  }

  /// - Parameter object: the sender.
  init(_ names: [Notification.Name], of object: AnyObject) {
    for name in names {
      let text = name.rawValue
      observe(name, of: object) { _ in text }
    }
  }

  deinit { tokens.withLock { for token in $0 { NotificationCenter.default.removeObserver(token.observer) } } }

  private func observe(
    _ name: Notification.Name, of object: AnyObject? = nil,
    _ text: @escaping @Sendable (Notification) -> String
  ) {
    let observer = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
      [weak self] notification in
      let text = text(notification)
      self?.all.withLock { $0.append(text) }
    }
    tokens.withLock { $0.append(Token(observer: observer)) }
  }

  var names: [String] { all.withLock { $0 } }
  func count(_ name: String) -> Int { names.count { $0 == name } }
}
