import Foundation
import RecognitionProtocol
import TestSupport
import Testing

@Suite(.tagged(.childProcess)) struct ServiceProcessTests {
  /// A service decodes what strangers send. What is not in its environment cannot be taken out of it.
  @Test func aServiceGetsNoSecretsOfItsClient() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("variables-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let environment = [
      "PATH": "/usr/bin:/bin", "HOME": "/home/a", "LD_LIBRARY_PATH": "/opt/lib",
      "SPEECH_SERVICE_THREADS": "1",
      "LONGHAND_TOKEN": "secret", "AWS_SECRET_ACCESS_KEY": "secret", "SSH_AUTH_SOCK": "/run/secret",
      "XSPEECH_": "secret",
    ]
    let service = try ServiceProcess(
      "/bin/sh", ["-c", "env > \(file.path)"], environment: environment)
    #expect(service.wait() == 0)
    let variables = try String(contentsOf: file, encoding: .utf8)
    #expect(!variables.contains("secret"))
    for name in ["PATH", "HOME", "LD_LIBRARY_PATH", "SPEECH_SERVICE_THREADS"] {
      #expect(variables.contains("\(name)=\(environment[name] ?? "")"))
    }
  }
}
