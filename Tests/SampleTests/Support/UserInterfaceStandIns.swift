#if canImport(UIKit)
  @_exported import UIKit
#else
  import Foundation

  // What the samples use of UIKit, where there is none.

  final class UIApplication: Sendable {
    static let openSettingsURLString = "app-settings:"
    static let shared = UIApplication()
    func open(_ url: URL) {}
  }

  class UIView {
    var accessibilityLabel: String?
    var accessibilityHint: String?
    var accessibilityValue: String?
  }

  final class UIButton: UIView {}
  final class UILabel: UIView {}

  enum UIAccessibility {
    enum Notification { case announcement, layoutChanged }
    nonisolated(unsafe) static var posted: [String] = []
    static func post(notification: Notification, argument: Any?) {
      posted.append("\(notification): \(argument ?? "")")
    }
  }
#endif
