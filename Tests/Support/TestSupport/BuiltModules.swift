#if os(Linux)
  import Foundation

  /// What the package manager built, beside the program that runs the tests.
  package enum BuiltModules {
    /// It is not where it was looked for.
    package struct Missing: Error {
      let module: String
      let folders: [String]
    }

    /// The folder that the products lie in, with the modules in `Modules`.
    ///
    /// `swift test` runs the bundle through a program of the toolchain, which gets the bundle's path.
    package static func folder(having module: String) throws -> URL {
      let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let folders = ([program] + CommandLine.arguments).map {
        URL(fileURLWithPath: $0).deletingLastPathComponent()
      }
      let folder = folders.first {
        FileManager.default.fileExists(
          atPath: $0.appendingPathComponent("Modules/\(module).swiftmodule").path)
      }
      guard let folder else { throw Missing(module: module, folders: folders.map(\.path)) }
      return folder
    }
  }
#endif
