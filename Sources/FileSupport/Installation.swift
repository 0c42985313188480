#if os(Linux)
  import Foundation

  /// How the running program was installed: its parts, and the commands that repair it.
  package struct Installation: Sendable {
    /// What installed the program.
    package enum Method: Sendable {
      /// A package of Debian.
      case package
      /// An archive that contains its libraries, in any folder.
      case archive
      /// The source: `make build`, or `make install`.
      case source
    }

    /// What installed the program.
    package let method: Method
    /// The folder that has `bin` and `share`; nil if the program runs in the folder where it was built.
    package let prefix: String?

    /// That of the running program.
    package static let current = Installation(
      program: try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))

    /// - Parameter program: the path of the program.
    package init(program: String?) {
      let folder = program.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
      let parent = folder?.deletingLastPathComponent().path
      prefix = parent.flatMap {
        Self.has("\($0)/libexec/longhand") && folder?.lastPathComponent == "bin" ? $0 : nil
      }
      method =
        if let prefix, Self.has("\(prefix)/lib/longhand") {
          // The form in which Debian has licences; an archive has a file for each.
          Self.has("\(prefix)/share/doc/longhand/copyright") ? .package : .archive
        } else {
          .source
        }
    }

    /// The command that installs what is missing, except models.
    package var repair: String {
      switch method {
      case .package: "sudo apt install --reinstall longhand"
      case .archive: "tar --zstd -xf longhand-*-linux-x86_64.tar.zst"
      case .source: prefix == nil ? "make setup build" : "make install"
      }
    }

    /// The command that installs a model for all users.
    package func repair(model name: String) -> String {
      switch method {
      case .package: "sudo apt install --reinstall longhand-model-\(name)"
      case .archive: repair
      case .source: "make setup"
      }
    }

    /// What belongs to an installed program, each part with the files of which at least one is there.
    private var parts: [(name: String, files: [String])] {
      let unit = (name: "systemd unit", files: ["lib/systemd/user/longhand.service"])
      return [
        ("manual pages", ["share/man/man1/longhand.1.gz", "share/man/man1/longhand.1"]),
        ("completions for bash", ["share/bash-completion/completions/longhand"]),
        (
          "completions for zsh",
          ["share/zsh/vendor-completions/_longhand", "share/zsh/site-functions/_longhand"]
        ),
        ("completions for fish", ["share/fish/vendor_completions.d/longhand.fish"]),
        ("licences", ["share/doc/longhand/copyright", "share/doc/longhand/LICENSE"]),
      ] + (method == .archive ? [] : [unit])
    }

    /// The names of the parts that are there, and of those that are not; both empty where the program was built.
    package var foundParts: (present: [String], missing: [String]) {
      guard let prefix else { return ([], []) }
      let isPresent = parts.map { part in part.files.contains { Self.has("\(prefix)/\($0)") } }
      func names(_ present: Bool) -> [String] {
        zip(parts, isPresent).filter { $0.1 == present }.map(\.0.name)
      }
      return (names(true), names(false))
    }

    private static func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
  }
#endif
