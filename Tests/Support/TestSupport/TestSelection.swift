import Foundation
import Testing

extension Tag {
  /// Needs a recognizer: `pocketsphinx-service` with its model.
  @Tag package static var recognizer: Self
  /// Starts a program.
  @Tag package static var childProcess: Self
  /// Needs a browser with its driver.
  @Tag package static var browser: Self
  /// Needs `pulseaudio`.
  @Tag package static var soundServer: Self
  /// Needs nothing of these, but takes more than a few seconds.
  @Tag package static var slow: Self
  /// Runs in `make soak` only.
  @Tag package static var soak: Self
}

/// Which tests run: `LONGHAND_TESTS` is `check`, `test` (if it is not set) or `soak`, as the targets of the Makefile are
/// called.
package enum TestSelection: String, Sendable {
  /// Every test without a tag.
  case check
  /// Every test in its short form, without those of `soak`.
  case test
  /// Every test in its full form.
  case soak

  package static let current =
    ProcessInfo.processInfo.environment["LONGHAND_TESTS"].flatMap(Self.init) ?? .test

  func includes(_ tags: [Tag]) -> Bool {
    switch self {
    case .check: tags.isEmpty
    case .test: !tags.contains(.soak)
    case .soak: true
    }
  }
}

/// Whether tests run in their full form: all seeds, hours of audio, every recording.
package var isSoak: Bool { TestSelection.current == .soak }

extension Trait where Self == ConditionTrait {
  /// Says what a test or a suite needs, so that `make check`, `make test` and `make soak` leave out what they must.
  ///
  /// Swift Testing's own `.tags` does not select: `swift test` of Swift 6.3 cannot filter by tags.
  package static func tagged(_ tags: Tag..., sourceLocation: SourceLocation = #_sourceLocation) -> Self {
    .enabled(
      if: TestSelection.current.includes(tags), "make \(TestSelection.current) leaves it out",
      sourceLocation: sourceLocation)
  }
}
