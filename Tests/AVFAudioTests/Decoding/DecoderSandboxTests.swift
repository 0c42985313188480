import AudioDecoding
import CFFmpeg
import Foundation
import Sandboxing
import TestSupport
import Testing

/// What the process that decodes a file may do.
@Suite(.tagged(.childProcess)) struct DecoderSandboxTests {
  /// As `Sandbox.attempts()` names them.
  static let attempts = [
    "open", "create", "folder", "unlink", "internet socket", "local socket", "exec", "fork", "ptrace", "kill",
    "process_vm_readv", "io_uring", "bpf", "keyctl", "mount", "unshare", "userfaultfd", "open_by_handle_at",
    "ioctl", "prctl", "executable memory", "file in memory", "shared memory",
  ]

  let folder: TemporaryFolder
  let decoder: ChildDecoder

  init() throws {
    folder = try TemporaryFolder()
    let file = try LocalFile(url: try folder.sweep("a.wav", frames: 1000))
    decoder = try ChildDecoder(file: file, type: AV_SAMPLE_FMT_FLTP)
  }

  private func status(_ field: String) throws -> String? {
    let process = try #require(decoder.identifier)
    let lines = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8).split(separator: "\n")
    return lines.first { $0.hasPrefix("\(field):") }?.split(separator: "\t").last.map(String.init)
  }

  @Test(arguments: attempts) func attemptsAreRefused(attempt: String) throws {
    #expect(try decoder.attempts().results[attempt] == EPERM)
  }

  @Test func everyAttemptIsTested() throws {
    #expect(try decoder.attempts().results.keys.sorted() == Self.attempts.sorted())
  }

  @Test func decodesAfterItsAttempts() throws {
    _ = try decoder.attempts()
    #expect(try decoder.scan().length == 1000)
  }

  /// A small file that makes a decoder work for ever is given up.
  @Test func processorTimeIsLimited() throws {
    let process = try #require(decoder.identifier)
    let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
    let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max cpu time") })
    #expect(line.split(separator: " ").contains("30"))
  }

  @Test func kernelReportsTheSandbox() throws {
    #expect(try status("NoNewPrivs") == "1")
    #expect(try status("Seccomp") == "2")
    #expect(try status("Threads") == "1")
  }

  /// Seccomp refuses paths by itself, so Landlock is seen only in what the process says.
  @Test func landlockIsInForceWhereTheKernelHasIt() throws {
    let modules = try? String(contentsOfFile: "/sys/kernel/security/lsm", encoding: .utf8)
    let hasLandlock = modules?.contains("landlock") ?? (Sandbox.landlockVersion > 0)
    let isInForce = try decoder.attempts().protections.landlock > 0
    #expect(isInForce == hasLandlock)
  }

  @Test func hasOnlyItsSocketAndItsFile() throws {
    let process = try #require(decoder.identifier)
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").sorted()
    #expect(names == ["0", "1", "2", "3"])
    let targets = try names.map {
      try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)")
    }
    #expect(targets[0].hasPrefix("socket:"))
    #expect(targets[1] == "/dev/null")
    #expect(targets[2] == "/dev/null")
    #expect(targets[3] == folder.file("a.wav").path)
  }

  @Test func cannotWriteFilesOrDumpMemory() throws {
    let process = try #require(decoder.identifier)
    let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
      .split(separator: "\n")
    func limit(_ name: String) -> String? {
      limits.first { $0.hasPrefix(name) }?.dropFirst(26).split(separator: " ").first.map(String.init)
    }
    #expect(limit("Max file size") == "0")
    #expect(limit("Max core file size") == "0")
    #expect(limit("Max open files") == "16")
    #expect(limit("Max address space") != "unlimited")
  }

  @Test func getsNoVariableOfTheProgram() throws {
    let process = try #require(decoder.identifier)
    #expect(try Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/environ")).isEmpty)
  }
}
