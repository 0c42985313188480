import Foundation
import Sandboxing
import RecognitionProtocol
import TestSupport
import Testing

@testable import SherpaService

/// Folders that are no models, the sandbox, and the end of a process that has too much memory.
@Suite(.tagged(.childProcess), .serialized) struct NeuralServiceFaultTests {
  private func damaged() throws -> [(what: String, toy: ToyModel)] {
    let changes: [(String, ToyModel.Kind, (ToyModel) throws -> Void)] = [
      ("no network", .ctc, { try $0.remove("model.onnx") }),
      ("no tokens.txt", .ctc, { try $0.remove("tokens.txt") }),
      ("joiner.onnx ends too early", .transducer, { try $0.truncate("joiner.onnx", to: 9000) }),
      ("encoder.onnx is not the encoder", .transducer, { try $0.swap("encoder.onnx", "decoder.onnx") }),
      ("decoder.onnx is not the decoder", .transducer, { try $0.swap("decoder.onnx", "joiner.onnx") }),
      ("\"pred_hidden\"", .transducer, { try $0.setMetadata(["pred_hidden": nil], of: "encoder.onnx") }),
      ("\"chunk_shift\"", .streamingCTC, { try $0.setMetadata(["chunk_shift": nil], of: "model.onnx") }),
      ("does not fit the network", .ctc, { try $0.write(Data("a 0\n<blk> 1\n".utf8), to: "tokens.txt") }),
      (
        "streaming", .ctc, { try $0.setMetadata(["window_size": "9", "chunk_shift": "4"], of: "model.onnx") }
      ),
      ("is no ONNX network", .ctc, { try $0.write(Data("<html></html>".utf8), to: "model.onnx") }),
    ]
    return try changes.map { what, kind, change in
      let toy = try ToyModel(kind)
      try change(toy)
      return (what, toy)
    }
  }

  @Test func damagedFoldersAreUnavailableAndTheProcessLives() throws {
    let service = try NeuralServiceProcess()
    for (what, toy) in try damaged() {
      guard case .unavailable(let reason) = try service.configure(toy.path) else {
        Issue.record("\(what) is accepted")
        continue
      }
      #expect(reason.contains(what))
      #expect(reason.contains(toy.path))
    }
    // An utterance without a model fails, and a good model still loads.
    guard case .failed = try service.decode([Int16](repeating: 0, count: 3200)).last else {
      Issue.record("an utterance is decoded without a model")
      return
    }
    guard case .ready(let description) = try service.configure(ToyModel.Kind.ctc.original.path) else {
      Issue.record("a good model does not load after damaged ones")
      return
    }
    #expect(description.engine == "sherpa-onnx")
    #expect(description.version == SherpaLibrary.version)
  }

  @Test func aServiceLoadsOneModel() throws {
    let service = try NeuralServiceProcess()
    _ = try service.configure(ToyModel.Kind.ctc.original.path)
    #expect(try service.configure(ToyModel.Kind.transducer.original.path) == .occupied)
  }

  @Test(arguments: ["1", "3"]) func everyAttemptIsRefused(_ threads: String) throws {
    setenv("SPEECH_SERVICE_THREADS", threads, 1)
    defer { unsetenv("SPEECH_SERVICE_THREADS") }
    let program = try NeuralServiceProcess.run(["--attempt", ToyModel.Kind.transducer.original.path])
    #expect(program.status == 0, "\(program.complaint)")
    let attempts = try JSONDecoder().decode([String: Int32].self, from: program.output)
    #expect(attempts.count >= 23)
    #expect(attempts.filter { $0.value == 0 }.isEmpty)
    // Refused by the filter of system calls, which all threads have, and not by Landlock, which the library's own lack.
    #expect(attempts["open"] == EPERM)
    #expect(attempts["folder"] == EPERM)
  }

  /// The library's threads start before the sandbox is entered.
  @Test func everyThreadIsInTheSandbox() throws {
    let service = try NeuralServiceProcess(environment: ["SPEECH_SERVICE_THREADS": "3"])
    _ = try service.configure(ToyModel.Kind.transducer.original.path)
    let tasks = "/proc/\(service.process.identifier)/task"
    let threads = try FileManager.default.contentsOfDirectory(atPath: tasks)
    #expect(threads.count >= 4)
    for thread in threads {
      let status = try String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8)
      #expect(status.contains("NoNewPrivs:\t1"))
      #expect(status.contains("Seccomp:\t2"))
    }
  }

  @Test func noSocketIsOpened() throws {
    let service = try NeuralServiceProcess()
    _ = try service.configure(ToyModel.Kind.transducer.original.path)
    _ = try service.hypotheses([Int16](repeating: 9, count: 16_000))
    let files = "/proc/\(service.process.identifier)/fd"
    let sockets = try FileManager.default.contentsOfDirectory(atPath: files).filter {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(files)/\($0)"))?.hasPrefix("socket:")
        == true
    }
    #expect(sockets == ["0"])
  }

  @Test func aProcessWithTooMuchMemoryEndsAfterItsAnswer() async throws {
    let service = try NeuralServiceProcess(environment: ["SPEECH_SERVICE_MEMORY": "1"])
    _ = try service.configure(ToyModel.Kind.ctc.original.path)
    #expect(throws: Never.self) { try service.hypotheses([Int16](repeating: 0, count: 16_000)) }
    #expect(await eventually(within: 60) { service.channel.isHungUp })
    // Without a limit it stays.
    let other = try NeuralServiceProcess()
    _ = try other.configure(ToyModel.Kind.ctc.original.path)
    for _ in 0..<3 { _ = try other.hypotheses([Int16](repeating: 0, count: 16_000)) }
    #expect(!other.channel.isHungUp)
  }

  @Test func theProgramExplainsItself() throws {
    let help = try NeuralServiceProcess.run(["--help"])
    #expect(help.status == 0)
    #expect(help.text.contains("--check"))
    #expect(try NeuralServiceProcess.run(["--nosuch"]).status == 2)
    let check = try NeuralServiceProcess.run(["--check", ToyModel.Kind.ctc.original.path])
    let description = try JSONDecoder().decode(ServiceReply.Description.self, from: check.output)
    #expect(description.model == ToyModel.Kind.ctc.original.path)
    let none = try NeuralServiceProcess.run(["--check", "/nonexistent"])
    #expect(none.status == 1)
    #expect(none.complaint.contains("/nonexistent"))
  }
}
