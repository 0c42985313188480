import Foundation
import TestSupport
import Testing

@testable import FoundationModels

/// Requests against the checks of roles that templates of models have.
@Suite struct InstructionsRoleTests {
  /// The checks of a template; it refuses with a message.
  enum Template: CaseIterable {
    /// Gemma 3 and Mistral 0.3: a system message only at the beginning, then user and assistant in turn.
    case systemFirst
    /// Gemma 2 and Mistral 0.1: no system message.
    case noSystem

    func refusal(of roles: [String]) -> String? {
      var roles = roles[...]
      if self == .systemFirst, roles.first == "system" { roles = roles.dropFirst() }
      if roles.contains("system"), self == .noSystem { return "System role not supported" }
      for (index, role) in roles.enumerated() where (role == "user") != (index % 2 == 0) {
        return "Conversation roles must alternate user/assistant/user/assistant/..."
      }
      return nil
    }
  }

  struct Texts {
    var preamble: String?
    var instructions: [String] = []
    /// Between the lists are answers.
    var prompts: [[String]]

    var request: ChatRequest {
      func segments(_ text: String) -> [Transcript.Segment] { [.text(.init(content: text))] }
      var entries: [Transcript.Entry] = instructions.map {
        .instructions(.init(segments: segments($0), toolDefinitions: []))
      }
      for (index, texts) in prompts.enumerated() {
        if index > 0 { entries.append(.response(.init(assetIDs: [], segments: segments("answer")))) }
        for text in texts { entries.append(.prompt(.init(segments: segments(text)))) }
      }
      return ChatRequest(transcript: Transcript(entries: entries), preamble: preamble)
    }
  }

  @Test(
    arguments: Template.allCases,
    [
      Texts(instructions: ["Be polite."], prompts: [["Hello"]]),
      Texts(preamble: "You tag.", instructions: ["Be polite."], prompts: [["Hello"], ["Again"]]),
      Texts(instructions: ["One.", "Two."], prompts: [["Hello"]]),
      Texts(prompts: [["Unanswered", "Hello"]]), Texts(preamble: "You tag.", prompts: [["Hello"]]),
    ])
  func templatesAcceptTheMessages(_ template: Template, _ texts: Texts) {
    var request = texts.request
    if template == .noSystem { request.instructionsRole = .user }
    let messages = request.body(model: nil)["messages"]?.list ?? []
    #expect(template.refusal(of: messages.map { $0["role"]?.text ?? "" }) == nil)
    let said = messages.compactMap { $0["content"]?.text }.joined(separator: "|")
    for text in [texts.preamble].compactMap(\.self) + texts.instructions + texts.prompts.flatMap(\.self) {
      #expect(said.contains(text))
    }
  }

  @Test(.tagged(.childProcess)) func serverThatRefusesTheSystemRoleIsAskedWithoutIt() async throws {
    let server = try await ScriptedServer(.error(500, "System role not supported"), .text("Good day"))
    let session = LanguageModelSession(model: server.model(), instructions: "Be polite.")
    let answer = try await session.respond(to: "Hello").content
    #expect(answer == "Good day")
    let messages = try server.requests.map { try $0.content["messages"]?.list ?? [] }
    #expect(messages.map { $0.map { $0["role"]?.text ?? "" } } == [["system", "user"], ["user"]])
    #expect(messages.last?.first?["content"]?.text == "Be polite.\n\nHello")
  }
}
