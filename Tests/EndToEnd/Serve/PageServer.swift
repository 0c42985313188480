#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// A `longhand serve` process, and the Python programs that test its page. It ends with this object.
  final class PageServer: Sendable {
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../..").standardized
    /// The folder for screenshots.
    private static let screenshots = package.appendingPathComponent(".build/screenshots").path

    private let environment: [String: String]
    private let server: ServeProcess

    /// - Parameter environment: further variables, for the server and for the programs.
    init(in folder: TemporaryFolder, environment: [String: String] = [:]) async throws {
      self.environment = environment.merging(["LONGHAND_LIBRARY": folder.path("library")]) { $1 }
      server = try await ServeProcess(in: folder, environment: self.environment)
    }

    /// The page's address, as the server printed it.
    var address: String { server.address }

    /// Ends the server with Control-C, and waits for its end.
    func stop() async throws -> LonghandProcess.Result { try await server.stop() }

    /// Runs a Python program of the folder `Page` with the address, `arguments` and the folder for screenshots. All its
    /// checks must pass.
    /// - Returns: its output.
    @discardableResult
    func run(_ script: String, _ arguments: String...) async throws -> String {
      try await Self.run(script, [address] + arguments, environment)
    }

    /// Runs a Python program of the folder `Page` that starts the server itself.
    static func run(_ script: String, _ arguments: String...) async throws {
      try await run(script, arguments, [:])
    }

    @discardableResult
    private static func run(
      _ script: String, _ arguments: [String], _ environment: [String: String]
    ) async throws -> String {
      let program = Self.package.path + "/Tests/EndToEnd/Page/\(script)"
      let words = [program] + arguments + [Self.screenshots]
      let line = "python=$(\(Self.package.path)/Scripts/test-python) && exec \"$python\" -B "
      let quoted = words.map { "'\($0)'" }.joined(separator: " ")
      let result = try await LonghandProcess([line + quoted], environment: environment, shell: true)
        .result(within: .seconds(1500))
      print(result.output)
      // What failed stands first: of a long message a log shows only the beginning.
      let failed = result.output.split(separator: "\n").filter { $0.hasPrefix("FAILED") }.joined(
        separator: "\n")
      #expect(result.status == 0, "\(failed)\n\(result.errors)")
      #expect(
        script == "figures.py" || result.output.contains(" passed, 0 failed"),
        "\(script) did not reach its end")
      return result.output
    }
  }
#endif
