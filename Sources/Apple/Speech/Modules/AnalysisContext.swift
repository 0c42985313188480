import RecognitionCore
import Foundation
import Synchronization

/// What an analyzer knows about the speech in advance: words that are likely to be spoken, and the client's own data.
///
/// A context can be read and changed on any thread. An analyzer reads it when `SpeechAnalyzer.setContext(_:)` receives it.
/// To apply later changes, set the context again.
final public class AnalysisContext: Sendable {
  /// The subject of the words in `contextualStrings`.
  public struct ContextualStringsTag: RawRepresentable, Sendable, Equatable, Hashable {
    /// Words and phrases without a particular subject.
    public static let general = ContextualStringsTag("general")

    /// The tag's name.
    public let rawValue: String

    /// Creates a tag with any name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    /// Creates a tag with any name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The name of a value in `userData`.
  public struct UserDataTag: RawRepresentable, Sendable, Equatable, Hashable {
    /// The tag's name.
    public let rawValue: String

    /// Creates a tag with any name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    /// Creates a tag with any name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  private struct State {
    var contextualStrings: [ContextualStringsTag: [String]] = [:]
    var userData: [UserDataTag: any Sendable] = [:]
    var model: SpeechModel?
    var reportsUtterances = false
    var detectsLanguages: (start: TimeInterval, isKnown: Bool)?
  }

  private let state = Mutex(State())

  /// Creates an empty context.
  public init() {}

  /// Words and phrases that are likely to be spoken. Reading is atomic, and so is assigning. A change in place, such as
  /// `append`, is a read and an assignment.
  final public var contextualStrings: [ContextualStringsTag: [String]] {
    get { state.withLock { $0.contextualStrings } }
    set { state.withLock { $0.contextualStrings = newValue } }
  }

  /// The model that recognizes; nil for the best that is installed for a transcriber's language. Apple's framework has no
  /// such choice.
  package var model: SpeechModel? {
    get { state.withLock { $0.model } }
    set { state.withLock { $0.model = newValue } }
  }

  /// Whether the final results of transcribers carry what was recognized, also where its words were rejected.
  package var reportsUtterances: Bool {
    get { state.withLock { $0.reportsUtterances } }
    set { state.withLock { $0.reportsUtterances = newValue } }
  }

  /// Seconds from the start of the audio from which the language is detected, and whether it is known to be that of the
  /// transcriber at first; nil if all is in that language. Where volatile results are wanted, only the first one is detected.
  package var detectsLanguages: (start: TimeInterval, isKnown: Bool)? {
    get { state.withLock { $0.detectsLanguages } }
    set { state.withLock { $0.detectsLanguages = newValue } }
  }

  /// The client's own data. No module of this framework reads it.
  final public var userData: [UserDataTag: any Sendable] {
    get { state.withLock { $0.userData } }
    set { state.withLock { $0.userData = newValue } }
  }
}
