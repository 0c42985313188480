#if os(Linux)
  import FileSupport
  import Foundation
  import Testing

  @Suite struct InstallationTests {
    private let folder: URL

    init() throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("installation-\(UUID())")
    }

    private func add(_ paths: String...) throws {
      for path in paths {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: file)
      }
    }

    private var installation: Installation { Installation(program: folder.path + "/bin/longhand") }

    @Test func repairsFitTheInstallation() throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      try add("bin/longhand")
      #expect(installation.repair == "make setup build")
      #expect(installation.foundParts.missing == [], "a build has no other parts")
      try add("libexec/longhand/pocketsphinx-service")
      #expect(installation.repair == "make install")
      #expect(installation.repair(model: "whisper-base") == "make setup")
      try add("lib/longhand/libswiftCore.so")
      #expect(installation.repair.hasPrefix("tar --zstd -xf longhand-"))
      try add("share/doc/longhand/copyright")
      #expect(installation.repair == "sudo apt install --reinstall longhand")
      #expect(
        installation.repair(model: "whisper-base")
          == "sudo apt install --reinstall longhand-model-whisper-base")
    }

    @Test func missingPartsAreNamed() throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      try add(
        "libexec/longhand/pocketsphinx-service", "share/man/man1/longhand.1.gz",
        "share/doc/longhand/copyright",
        "share/zsh/vendor-completions/_longhand", "share/fish/vendor_completions.d/longhand.fish",
        "lib/longhand/libswiftCore.so")
      #expect(installation.foundParts.missing == ["completions for bash", "systemd unit"])
      #expect(
        installation.foundParts.present
          == ["manual pages", "completions for zsh", "completions for fish", "licences"])
      try FileManager.default.moveItem(
        atPath: folder.path + "/share/doc/longhand/copyright",
        toPath: folder.path + "/share/doc/longhand/LICENSE")
      #expect(installation.foundParts.missing == ["completions for bash"], "an archive has no unit")
    }
  }
#endif
