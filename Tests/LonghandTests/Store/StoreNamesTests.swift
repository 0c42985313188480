import Foundation
import Longhand
import Testing

@testable import LonghandTranscripts

@Suite struct StoreNamesTests {
  @Test func sessionIsFoundByItsName() throws {
    try StoreFixture.temporary { store in
      let (first, second) = (try store.add(["one"]), try store.add(["two"]))
      try store.rename(first, to: "My talk")
      #expect(try store.session(matching: "My talk").id == first)
      #expect(try store.session(matching: first).name == "My talk")
      #expect(try store.session(matching: second).name == nil)
      // The work on a session, which knows nothing of the name, keeps it.
      var session = try store.session(matching: first)
      session.name = nil
      session.state = .complete
      try store.update(session)
      #expect(try store.session(matching: first).name == "My talk")
      try store.rename(first, to: nil)
      expect(.noSession("My talk")) { _ = try store.session(matching: "My talk") }
    }
  }

  @Test func nameThatMeansSeveralSessionsIsAmbiguous() throws {
    try StoreFixture.temporary { store in
      let sessions = [try store.add(["one"]), try store.add(["two"])].sorted()
      for session in sessions { try store.rename(session, to: "talk") }
      expect(.ambiguousSession("talk", sessions)) { _ = try store.session(matching: "talk") }
      // The beginning of another session's ID, as a name.
      let beginning = String(sessions[1].prefix(6))
      try store.rename(sessions[0], to: beginning)
      expect(.ambiguousSession(beginning, sessions)) { _ = try store.session(matching: beginning) }
      #expect(try store.session(matching: sessions[1]).id == sessions[1])
    }
  }

  /// Otherwise the other session could not be found by the characters of its ID that are printed.
  @Test func beginningOfAnotherSessionsIDIsNoName() throws {
    try StoreFixture.temporary { store in
      let (first, second) = (try store.add(["one"]), try store.add(["two"]))
      for name in [second.prefix(8), second.prefix(12)] {
        for name in [String(name), name.uppercased()] {
          #expect(throws: StoreError.self, "\(name)") { try store.rename(first, to: name) }
          #expect(throws: StoreError.self, "\(name)") { try store.check(name: name) }
        }
      }
      try store.rename(first, to: String(first.prefix(8)))
      #expect(try store.session(matching: String(first.prefix(8))).id == first)
      try store.rename(first, to: "20261130")
    }
  }

  @Test(arguments: ["", "last", "a\nb", "  ", String(repeating: "x", count: 201), UUID().uuidString])
  func nameThatCannotBeUsedIsRefused(_ name: String) throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["one"])
      #expect(throws: StoreError.self) { try store.rename(session, to: name) }
      #expect(try store.session(matching: session).name == nil)
    }
  }
}
