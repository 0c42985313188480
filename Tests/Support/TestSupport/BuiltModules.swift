#if os(Linux)
  import Foundation

  /// The products of the package manager, in the folder of the test bundle.
  package enum BuiltModules {
    /// A product was not found.
    package struct Missing: Error {
      let module: String
      let folders: [String]
    }

    /// The folder of the products, with the modules in `Modules`.
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
