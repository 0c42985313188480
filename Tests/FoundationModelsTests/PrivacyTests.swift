import Foundation
import Glibc
import TestSupport
import Testing

@testable import FoundationModels

@Suite struct PrivacyTests {
  private static func reason(_ model: SystemLanguageModel) async -> String {
    do {
      let text = try await LanguageModelSession(model: model).respond(to: "secret").content
      return "answered: \(text)"
    } catch LanguageModelSession.GenerationError.assetsUnavailable(let context) {
      return context.debugDescription
    } catch {
      return "\(error)"
    }
  }

  private static func model(_ environment: [String: String]) -> SystemLanguageModel {
    SystemLanguageModel(configuration: ModelConfiguration(environment: environment))
  }

  @Test func modelIsUnavailableWithoutEndpoint() async {
    for environment in [[:], ["FOUNDATION_MODEL_ENDPOINT": ""], ["FOUNDATION_MODEL_REMOTE": "allowed"]] {
      let model = Self.model(environment)
      #expect(model.availability == .unavailable(.deviceNotEligible))
      #expect(!model.isAvailable)
      let reason = await Self.reason(model)
      #expect(reason.contains("FOUNDATION_MODEL_ENDPOINT"))
    }
  }

  @Test func onlyLoopbackAddressesCountAsThisMachine() throws {
    let own = ["127.0.0.1", "127.255.3.4", "localhost", "LOCALHOST", "[::1]", "[0:0:0:0:0:0:0:1]"]
    let others = [
      "192.168.1.4", "10.0.0.1", "0.0.0.0", "128.0.0.1", "example.com", "localhost.example.com",
      "127.0.0.1.nip.io",
      "127.1", "2130706433", "0x7f.0.0.1", "localhost.", "[::2]", "[fe80::1]", "[::]",
    ]
    for host in own {
      #expect(try #require(ModelEndpoint(address: "http://\(host):80/v1")).isLoopback, "\(host)")
    }
    for host in others {
      #expect(try !#require(ModelEndpoint(address: "http://\(host):80/v1")).isLoopback, "\(host)")
    }
    let none = [
      "127.0.0.1:80", "ftp://127.0.0.1/", "http://", "http://a b/", "http://127.0.0.1@example.com/v1",
      #"http://127.0.0.1\@example.com/v1"#, "http://u:p@127.0.0.1/", "http://127.0.0.1:0/",
      "http://127.0.0.1:99999/",
      "http://127.0.0.1/v1?x=1", "http://127.0.0.1/#x", "http://127.0.0.1\n/", "http://127.0.0.1/%0d%0a",
    ]
    for address in none {
      #expect(ModelEndpoint(address: address) == nil, "\(address)")
      let model = Self.model(["FOUNDATION_MODEL_ENDPOINT": address])
      #expect(model.availability == .unavailable(.appleIntelligenceNotEnabled))
    }
    #expect(
      try #require(ModelEndpoint(address: "https://[::1]/v1/")).base.absoluteString == "https://[::1]:443/v1")
  }

  /// An address of this machine other than loopback; the server accepts connections there too.
  private static func ownAddress() -> String? {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return nil }
    defer { freeifaddrs(list) }
    for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
      guard let entry, let address = entry.pointee.ifa_addr, address.pointee.sa_family == AF_INET else {
        continue
      }
      var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
      address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        _ = inet_ntop(AF_INET, &$0.pointee.sin_addr, &text, socklen_t(INET_ADDRSTRLEN))
      }
      let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if !host.hasPrefix("127.") { return host }
    }
    return nil
  }

  @Test func remoteEndpointIsRefusedUnlessAllowed() async throws {
    // An address for documentation (RFC 5737), where no server exists.
    let model = Self.model(["FOUNDATION_MODEL_ENDPOINT": "http://192.0.2.1:8080/v1"])
    #expect(model.availability == .unavailable(.appleIntelligenceNotEnabled))
    let reason = await Self.reason(model)
    #expect(reason.contains("192.0.2.1"))
    #expect(reason.contains("FOUNDATION_MODEL_REMOTE=allowed"))
    for word in ["1", "true", "Allowed", ""] {
      let model = Self.model([
        "FOUNDATION_MODEL_ENDPOINT": "http://192.0.2.1:8080/v1", "FOUNDATION_MODEL_REMOTE": word,
      ])
      #expect(model.availability == .unavailable(.appleIntelligenceNotEnabled))
    }
  }

  @Test(.tagged(.childProcess)) func refusedAddressGetsNoConnection() async throws {
    let host = Self.ownAddress() ?? "0.0.0.0"
    let server = try await ScriptedServer(everywhere: true, .text("received"))
    let refused = server.model(host: host)
    #expect(refused.availability == .unavailable(.appleIntelligenceNotEnabled))
    let reason = await Self.reason(refused)
    #expect(reason.contains("FOUNDATION_MODEL_REMOTE"))
    #expect(server.connections == 0)
    let allowed = server.model(["FOUNDATION_MODEL_REMOTE": "allowed"], host: host)
    #expect(allowed.availability == .available)
    let answer = await Self.reason(allowed)
    #expect(answer == "answered: received")
    #expect(server.connections > 0)
  }

  @Test(.tagged(.childProcess), arguments: [301, 302, 303, 307, 308])
  func redirectsAreNotFollowed(status: Int) async throws {
    let other = try await ScriptedServer(.text("received"))
    for location in [
      "http://127.0.0.1:\(other.port)/v1/chat/completions", "http://localhost:\(other.port)/", "/elsewhere",
    ] {
      let server = try await ScriptedServer(.init(status: status, headers: ["Location": location], body: ""))
      let reason = await Self.reason(server.model())
      #expect(reason.contains("\(status)"))
      #expect(try server.requests.count == 1)
    }
    #expect(other.connections == 0)
  }

  @Test(.tagged(.childProcess)) func requestsToThisMachineUseNoProxy() async throws {
    let server = try await ScriptedServer(.text("received"))
    for name in ["http_proxy", "all_proxy", "ALL_PROXY"] {
      let model = server.model([name: "http://192.0.2.1:3128"])
      #expect(model.availability == .unavailable(.appleIntelligenceNotEnabled))
      let reason = await Self.reason(model)
      #expect(reason.contains(name))
      #expect(reason.contains("Add 127.0.0.1 to no_proxy"))
      for exceptions in ["10.0.0.1,127.0.0.1", "127.0.0.1", "*", "localhost 127.0.0.1"] {
        #expect(server.model([name: "http://192.0.2.1:3128", "no_proxy": exceptions]).isAvailable)
      }
      for exceptions in ["127.0.0.10", "localhost", ""] {
        let model = server.model([name: "http://192.0.2.1:3128", "no_proxy": exceptions])
        #expect(model.availability == .unavailable(.appleIntelligenceNotEnabled))
      }
    }
    #expect(try server.requests.isEmpty)
    #expect(server.model(["https_proxy": "http://192.0.2.1:3128"]).isAvailable)
  }

  @Test(.tagged(.childProcess)) func availabilityFollowsTheServer() async throws {
    let server = try await ScriptedServer(.text("received"))
    let port = server.port
    let environment = ["FOUNDATION_MODEL_ENDPOINT": "http://localhost:\(port)/v1"]
    let here = Self.model(environment)
    #expect(here.availability == .available)
    #expect(here.availability == .available)
    await server.stop()
    let gone = Self.model(environment)
    #expect(gone.availability == .unavailable(.modelNotReady))
    let reason = await Self.reason(gone)
    #expect(reason.contains("localhost:\(port)"))
  }

  @Test func configurationComesFromTheEnvironment() {
    let model = Self.model([
      "FOUNDATION_MODEL_ENDPOINT": "http://127.0.0.1:1/v1", "FOUNDATION_MODEL_CONTEXT_SIZE": "8192",
    ])
    #expect(model.contextSize == 8192)
    #expect(Self.model([:]).contextSize == 4096)
    #expect(
      Self.model(["FOUNDATION_MODEL_ENDPOINT": "http://127.0.0.1:1/v1", "FOUNDATION_MODEL_CONTEXT_SIZE": "x"])
        .contextSize == 4096)
    #expect(SystemLanguageModel.default === SystemLanguageModel.default)
    #expect(model.supportsLocale(Locale(identifier: "de_DE")))
    #expect(!model.supportsLocale(Locale(identifier: "zxx")))
  }

  @Test func tokensAreEstimatedWithoutARequest() async throws {
    let model = Self.model([:])
    let prompt = try await model.tokenCount(for: "twelve bytes")
    #expect(prompt == 4)
    let schema = try await model.tokenCount(for: Election.generationSchema)
    #expect(schema > 20)
    let entries = try await model.tokenCount(for: Transcript())
    #expect(entries == 0)
    #expect(throws: SystemLanguageModel.Adapter.AssetError.self) {
      try SystemLanguageModel.Adapter(fileURL: URL(fileURLWithPath: "/x"))
    }
    #expect(throws: SystemLanguageModel.Adapter.AssetError.self) {
      try SystemLanguageModel.Adapter(name: "x")
    }
  }
}
