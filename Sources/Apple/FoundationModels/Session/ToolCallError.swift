import Foundation

extension LanguageModelSession {
  /// A tool failed.
  public struct ToolCallError: Error, LocalizedError {
    /// The tool.
    public var tool: any Tool
    /// What it threw.
    public var underlyingError: any Error

    /// A tool failed.
    public init(tool: any Tool, underlyingError: any Error) {
      self.tool = tool
      self.underlyingError = underlyingError
    }

    /// Which tool, and why.
    public var errorDescription: String? {
      let reason = (underlyingError as? any LocalizedError)?.errorDescription ?? "\(underlyingError)"
      return "The tool \(tool.name) failed: \(reason)"
    }
  }
}
