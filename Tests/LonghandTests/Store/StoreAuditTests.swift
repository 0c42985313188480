import Foundation
import Longhand
import StoreAuditing
import Testing

@testable import LonghandArchive

/// Every committed word is in a candidate of its segment; a word that is not is found.
@Suite struct StoreAuditTests {
  @Test func auditOfGoodStoreFindsNothing() throws {
    try StoreFixture.temporary { store in
      let session = StoreFixture.session()
      try store.begin(session)
      var random = SeededGenerator(seed: 5)
      for id in 0..<50 {
        var segment = StoreFixture.segment(
          id, "take the pawn \(id)", alternatives: ["take a pawn", "bake it"])
        let index = Int.random(in: 0..<3, using: &random)
        segment.selection = .init(
          index: index, rule: RerankingRule.languageModel.rawValue, judgement: .answered)
        try store.append(segment, to: session.id)
        #expect(try store.segment(id, in: session.id) == segment)
      }
      try store.revise(7, in: session.id, selection: .init(index: 1, rule: "user"), reason: "chosen")
      let audit = try store.audit()
      #expect(audit.texts == 51)
      #expect(audit.problems == [])
    }
  }

  /// The negative control: a word that no candidate has, and a candidate that is not there.
  @Test(
    arguments: [
      (
        "UPDATE revision SET text = 'take the queen' WHERE segment = 1",
        "is not the text of the selected candidate"
      ),
      ("UPDATE revision SET selection = 2 WHERE segment = 1", "cannot be read"),
      ("UPDATE revision SET candidates = x'00' WHERE segment = 1", "cannot be read"),
    ] as [(StaticString, String)])
  func auditFindsInventedText(_ change: StaticString, _ problem: String) throws {
    try StoreFixture.temporary { store in
      _ = try store.add(["play", "take the pawn", "mate"])
      try store.write { try $0.execute(change) }
      let problems = try store.audit().problems
      #expect(problems.count == 1)
      #expect(problems.allSatisfy { $0.contains(problem) })
      #expect(problems.allSatisfy { $0.contains("segment 1,") })
    }
  }

  /// Readers leave such a segment out, or show an earlier version of it.
  @Test(
    arguments: [
      ("UPDATE revision SET segment = 99 WHERE segment = 1 AND revision = 0", [1, 99]),
      ("UPDATE revision SET segment = 99 WHERE segment = 1 AND revision = 1", [99]),
      ("UPDATE revision SET segment = 99 WHERE segment = 2", [2, 99]),
      ("UPDATE revision SET segment = -1 WHERE segment = 2", [-1, 2]),
      ("UPDATE revision SET segment = 2 WHERE segment = 1 AND revision = 1", []),
      ("UPDATE revision SET revision = 7 WHERE segment = 1 AND revision = 1", [1]),
      ("UPDATE revision SET revision = -1 WHERE segment = 1 AND revision = 0", [1]),
      ("UPDATE revision SET revision = 1 WHERE segment = 2", [2]),
      ("UPDATE segment SET key = 99 WHERE key = 2", [2, 99]),
      ("DELETE FROM segment WHERE key = 1", [1]), ("DELETE FROM revision WHERE segment = 2", [2]),
    ] as [(StaticString, [Int])])
  func auditFindsDamagedNumbers(_ change: StaticString, _ segments: [Int]) throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["play", "take the pawn", "mate"])
      try store.revise(1, in: session, selection: .init(index: 0, rule: "user"), reason: "chosen")
      #expect(try store.audit().problems == [])
      try store.write { try $0.execute(change) }
      let problems = try store.audit().problems
      #expect(problems.map { $0.components(separatedBy: " of ")[0] } == segments.map { "segment \($0)" })
      #expect(problems.allSatisfy { $0.contains(session) })
    }
  }

  @Test func auditFindsWordOutsideOfItsText() throws {
    try StoreFixture.temporary { store in
      let session = StoreFixture.session()
      try store.begin(session)
      var segment = StoreFixture.segment(0, "take the pawn")
      segment.candidates[0].words[1].text = "queen"
      try store.append(segment, to: session.id)
      let problem = try #require(try store.audit().problems.first)
      #expect(problem.contains("\"queen\""))
    }
  }

  /// A person's choice of one word is a candidate of its own, made of the recognizer's words, and can be taken back.
  @Test func composedCandidateIsCheckedAgainstItsEvidence() throws {
    try StoreFixture.temporary { store in
      let session = StoreFixture.session()
      try store.begin(session)
      let segment = StoreFixture.segment(0, "take the pawn", alternatives: ["bake a porn"])
      try store.append(segment, to: session.id)
      let alternative = try #require(try store.segment(0, in: session.id).wordAlternatives[1].first)
      let chosen = try store.choose(alternative, of: 0, in: session.id)
      #expect(chosen.text == "take a pawn")
      #expect(chosen.candidates.count == 3)
      #expect(chosen.selection == .init(index: 2, rule: "user"))
      #expect(try store.revisions(of: 0, in: session.id).map(\.author) == [.recognizer, .person])
      #expect(try store.audit().problems == [])
      expect(.invalid("segment 0 has no alternative \"a\" for these words")) {
        try store.choose(alternative, of: 0, in: session.id)
      }
      let back = try store.choose(0, of: 0, in: session.id)
      #expect(back.selection == .recognizer)

      var invented = chosen.candidates
      invented[2].words[1].text = "queen"
      invented[2].text = "take queen pawn"
      try store.revise(
        0, in: session.id, candidates: invented, selection: .init(index: 2, rule: "user"), reason: "")
      #expect(try store.audit().problems.count == 1)
      invented[2].source = "composed of nothing"
      try store.revise(
        0, in: session.id, candidates: invented, selection: .init(index: 2, rule: "user"), reason: "")
      let problems = try store.audit().problems
      #expect(problems.count == 2)
      #expect(problems.allSatisfy { $0.contains("composed") })
    }
  }
}
