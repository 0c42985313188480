import Foundation
import Longhand
import ScriptedSpeech
import StoreAuditing
import TestSupport
import Testing

@testable import LonghandServer

/// Two clients that know a session as it was some time ago and change it, held against a model: a change is made exactly as it
/// was named, or it is refused and changes nothing. Some answers are lost, and the requests are sent again.
@Suite struct TwoClientsTests {
  /// Each of them has read the session before the other one tagged it.
  @Test func tagsOfBothAreKept() async throws {
    try await TestServer.run { server in
      let id = try server.begin(["one"])
      var tags: [String]?
      for tag in ["a", "音"] {
        let answer = try server.ask(
          "PATCH", "/api/sessions/\(id)", json: #"{"tags": ["\#(tag)"], "tagsBefore": []}"#)
        #expect(answer.status == 200)
        tags = answer.json["tags"] as? [String]
      }
      #expect(tags == ["音", "a"])
      // A program that does not say what it has read replaces them, as ever.
      let answer = try server.ask("PATCH", "/api/sessions/\(id)", json: #"{"tags": ["c"]}"#)
      #expect(answer.json["tags"] as? [String] == ["c"])
    }
  }

  /// A segment as the server has it or a client knows it.
  private struct Row: Equatable {
    var key: Int
    var revision: Int
    var text: String
    var alternatives: [String]
    /// Who says each of the words.
    var speakers: [String?]

    init(_ segment: Segment) {
      (key, revision, text) = (segment.id, segment.revision, segment.text)
      alternatives = segment.candidates.map(\.text)
      speakers = segment.words.map(\.speaker)
    }

    var words: [String] { text.split(separator: " ").map(String.init) }
  }

  /// What a request does to segments that are as the client knows them.
  private struct Change {
    var method = "PUT"
    var path: String
    var body: String
    /// The rows that are named.
    var named: [Row] = []
    /// The texts after it, by keys; what follows a key is divided off it.
    var texts: [(key: Int, text: String, divided: String?)] = []
    var speaker: String?
    var isBack: Bool?
    var step: Int?
  }

  private struct Client {
    var rows: [Row]
    var steps: TranscriptStore.Steps
  }

  /// What the server has to have.
  private struct Model {
    var rows: [Row]
    /// The steps that can be taken back and made again, with the texts of their segments before and after.
    var done: [(step: Int, before: [Int: String], after: [Int: String])] = []
    var undone: [(step: Int, before: [Int: String], after: [Int: String])] = []
    var lastStep = 0
    /// The names of those who say segments, by keys.
    var assigned: [Int: String] = [:]

    var texts: [Int: String] { Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.text) }) }
  }

  private final class Talk {
    let server: TestServer
    let id: String
    var random: SeededGenerator
    var model: Model
    var clients: [Client] = []
    var lost: [Change] = []
    private var nextWord = 0
    private(set) var accepted: [String: Int] = [:]
    private(set) var refused = 0

    init(_ server: TestServer, seed: UInt64) throws {
      (self.server, random) = (server, SeededGenerator(seed: seed))
      let session = RecordedSession(
        source: "talk", locale: "en-US", engine: "analyzer", start: .now, state: .complete)
      id = session.id
      try server.library.store.begin(session)
      model = Model(rows: [])
      for key in 0..<6 {
        let count = Int.random(in: 1...5, using: &random)
        let (words, others) = ((0..<count).map { _ in word() }, (0..<count).map { _ in word() })
        let start = Double(key) * 3
        let candidates = [words, others].map { texts in
          Candidate(
            text: texts.joined(separator: " "),
            words: texts.enumerated().map {
              Word(text: $1, start: start + Double($0) / 2, end: start + Double($0 + 1) / 2, confidence: 0.5)
            }, confidence: 0.5)
        }
        try server.library.store.append(
          Segment(id: key, start: start, end: start + 2.5, candidates: candidates), to: id)
      }
      model.rows = try rows()
      clients = try [client(), client()]
    }

    /// A word that no other text has. With a mark it is shown as it is.
    private func word() -> String {
      nextWord += 1
      return "W\(nextWord),"
    }

    func rows() throws -> [Row] { try server.library.store.transcript(of: id).segments.map(Row.init) }

    func client() throws -> Client {
      try Client(rows: rows(), steps: server.library.store.steps(of: id))
    }

    // MARK: Changes

    func change(by client: Client) -> Change? {
      let index = Int.random(in: client.rows.indices, using: &random)
      let row = client.rows[index]
      let place = "segments/\(row.key)"
      if let next = client.steps.next, Int.random(in: 0..<4, using: &random) == 0 {
        return step(next, isBack: false)
      }
      switch Int.random(in: 0..<12, using: &random) {
      case 0, 1:
        guard let range = range(row) else { return nil }
        let (new, text) = replaced(range, of: row)
        return Change(
          path: "\(place)/words",
          body: """
            {"first": \(range.lowerBound), "end": \(range.upperBound), "text": "\(new)", "revision": \(row.revision)}
            """, named: [row], texts: [(row.key, text, nil)])
      case 2:
        guard let range = range(row) else { return nil }
        return edit([row], [replaced(range, of: row).text], [(row.key, replaced(range, of: row).text, nil)])
      case 3, 4, 5:
        guard row.words.count > 1 else { return nil }
        let end = Int.random(in: 1..<row.words.count, using: &random)
        let parts = [row.words[..<end], row.words[end...]].map { $0.joined(separator: " ") }
        return edit([row], parts, [(row.key, parts[0], parts[1])])
      case 6:
        guard index > 0 else { return nil }
        let named = Array(client.rows[index - 1...index])
        let text = named.map(\.text).filter { !$0.isEmpty }.joined(separator: " ")
        return edit(named, [text], named.map { ($0.key, $0.text, nil) })
      case 7:
        let choice = Int.random(in: row.alternatives.indices, using: &random)
        return Change(
          path: "\(place)/selection", body: #"{"index": \#(choice), "revision": \#(row.revision)}"#,
          named: [row], texts: [(row.key, row.alternatives[choice], nil)])
      case 8:
        let name = ["Anna", "Ben", "Carl"].randomElement(using: &random) ?? ""
        return Change(
          path: "\(place)/speaker", body: #"{"speaker": "\#(name)", "revision": \#(row.revision)}"#,
          named: [row], speaker: name)
      case 9:
        return step(client.steps.last, isBack: true)
      case 10:
        return step(client.steps.next ?? client.steps.last + 1, isBack: false)
      default:
        let named = [row, client.rows.randomElement(using: &random) ?? row].filter { !$0.words.isEmpty }
        guard !named.isEmpty, Set(named.map(\.key)).count == named.count else { return nil }
        let new = word()
        let places = named.map {
          #"{"session": "\#(id)", "segment": \#($0.key), "first": 0, "end": 1, "revision": \#($0.revision)}"#
        }
        return Change(
          method: "POST", path: "/api/replacements",
          body: #"{"text": "\#(new)", "places": [\#(places.joined(separator: ", "))]}"#, named: named,
          texts: named.map { ($0.key, ([new] + $0.words.dropFirst()).joined(separator: " "), nil) })
      }
    }

    private func step(_ step: Int, isBack: Bool) -> Change {
      Change(
        method: "POST", path: isBack ? "undo" : "redo", body: #"{"step": \#(step)}"#, isBack: isBack,
        step: step)
    }

    private func range(_ row: Row) -> Range<Int>? {
      guard !row.words.isEmpty else { return nil }
      let first = Int.random(in: row.words.indices, using: &random)
      return first..<Int.random(in: first + 1...row.words.count, using: &random)
    }

    private func replaced(_ range: Range<Int>, of row: Row) -> (new: String, text: String) {
      var words = row.words
      let new = "N\(row.key)x\(row.revision)x\(range.lowerBound)"
      words.replaceSubrange(range, with: [new])
      return (new, words.joined(separator: " "))
    }

    private func edit(
      _ named: [Row], _ paragraphs: [String], _ texts: [(key: Int, text: String, divided: String?)]
    ) -> Change {
      let segments = named.map { #"{"key": \#($0.key), "revision": \#($0.revision)}"# }
      let quoted = paragraphs.map { "\"\($0)\"" }
      return Change(
        path: "text",
        body: """
          {"segments": [\(segments.joined(separator: ", "))], "paragraphs": [\(quoted.joined(separator: ", "))]}
          """, named: named, texts: texts)
    }

    // MARK: Requests

    func send(_ change: Change, _ what: String) throws {
      let target = change.path.hasPrefix("/") ? change.path : "/api/sessions/\(id)/\(change.path)"
      let status = try server.ask(change.method, target, json: change.body).status
      let now = try rows()
      let fits = fits(change)
      if fits { #expect(status == 200, "\(what): \(change.path) \(change.body)") }
      #expect([200, 409].contains(status), "\(what): \(status) for \(change.path) \(change.body)")
      if fits, status == 200 {
        accepted[change.path.split(separator: "/").last.map(String.init) ?? "", default: 0] += 1
        try accept(change, now, what)
      } else {
        refused += 1
      }
      #expect(now == model.rows, "\(what): \(status) for \(change.path) \(change.body)")
      model.rows = now
    }

    /// Whether all that a change names is as it was known.
    private func fits(_ change: Change) -> Bool {
      if let isBack = change.isBack {
        return change.step == (isBack ? model.done.last?.step : model.undone.last?.step)
      }
      let present = model.rows.filter { row in change.named.contains { $0.key == row.key } }
      let areKnown = present.allSatisfy { row in
        change.named.contains { $0.key == row.key && $0.revision == row.revision }
      }
      guard change.path == "text", let first = change.named.first else { return areKnown }
      let start = model.rows.firstIndex { $0.key == first.key } ?? 0
      return areKnown && model.rows[start...].prefix(change.named.count).map(\.key) == change.named.map(\.key)
    }

    /// Changes the model. Revisions and speakers are checked, and then those of the server.
    private func accept(_ change: Change, _ now: [Row], _ what: String) throws {
      let before = model
      let steps = try server.library.store.steps(of: id)
      if let speaker = change.speaker { for row in change.named { model.assigned[row.key] = speaker } }
      if let isBack = change.isBack {
        let one = isBack ? model.done.removeLast() : model.undone.removeLast()
        if isBack { model.undone.append(one) } else { model.done.append(one) }
        for (key, text) in isBack ? one.before : one.after { set(key, text) }
        #expect(steps.last == model.done.last?.step ?? 0, "\(what)")
        #expect(steps.next == model.undone.last?.step, "\(what)")
      } else {
        for (key, text, divided) in change.texts {
          set(key, text)
          guard let divided, let place = model.rows.firstIndex(where: { $0.key == key }) else { continue }
          var new = model.rows[place]
          (new.key, new.text) = (model.rows.count, divided)
          model.assigned[new.key] = model.assigned[key]
          model.rows.insert(new, at: place + 1)
        }
        if steps.last > model.lastStep {
          // A number is never used again.
          model.lastStep = steps.last
          model.undone = []
          let (old, new) = (before.texts, model.texts)
          let keys = new.keys.filter { old[$0] != new[$0] }
          model.done.append(
            (
              steps.last, Dictionary(uniqueKeysWithValues: keys.map { ($0, old[$0] ?? "") }),
              Dictionary(uniqueKeysWithValues: keys.map { ($0, new[$0] ?? "") })
            ))
        } else {
          #expect(before.texts == model.texts, "\(what): no step for \(change.path) \(change.body)")
        }
      }
      try compare(now, change, before, what)
    }

    private func set(_ key: Int, _ text: String) {
      if let index = model.rows.firstIndex(where: { $0.key == key }) { model.rows[index].text = text }
    }

    /// Takes revisions and speakers over where the change may have changed them.
    private func compare(_ now: [Row], _ change: Change, _ before: Model, _ what: String) throws {
      #expect(now.map(\.key) == model.rows.map(\.key), "\(what)")
      let known = Dictionary(uniqueKeysWithValues: before.rows.map { ($0.key, $0) })
      let ids = try Dictionary(
        uniqueKeysWithValues: server.library.store.speakers(of: id).entries.map { ($0.id, $0.name) })
      for (index, row) in now.enumerated() where index < model.rows.count {
        if let old = known[row.key], old.text == model.rows[index].text,
          !change.named.contains(where: { $0.key == row.key })
        {
          // The end of a paragraph may be marked at the segment that follows.
          let isNext =
            index > 0
            && (change.named.contains { $0.key == now[index - 1].key } || change.isBack != nil
              || known[now[index - 1].key] == nil)
          #expect(isNext || old.revision == row.revision, "\(what): segment \(row.key) was not named")
        }
        let names = Set(row.speakers.map { id in id.flatMap { ids[$0] ?? nil } })
        #expect(names.isSubset(of: [model.assigned[row.key]]), "\(what): who says segment \(row.key)")
        model.rows[index].revision = row.revision
        model.rows[index].speakers = row.speakers
        model.rows[index].alternatives = row.alternatives
      }
    }
  }

  @Test(arguments: 0..<(isSoak ? 10 : 2) as Range<UInt64>)
  func eachChangeIsExactlyWhatItNamesOrNothing(seed: UInt64) async throws {
    try await TestServer.run { server in
      var (accepted, refused): ([String: Int], Int) = ([:], 0)
      for number in 0..<(isSoak ? 50 : 10) as Range<UInt64> {
        let talk = try Talk(server, seed: seed * 1000 + number)
        for step in 0..<40 {
          let what = "\(seed) \(number) \(step)"
          let index = Int.random(in: 0...1, using: &talk.random)
          if Int.random(in: 0..<3, using: &talk.random) == 0 { talk.clients[index] = try talk.client() }
          // An answer was lost.
          if Int.random(in: 0..<4, using: &talk.random) == 0, !talk.lost.isEmpty {
            try talk.send(talk.lost.removeFirst(), what + " again")
          }
          guard let change = talk.change(by: talk.clients[index]) else { continue }
          try talk.send(change, what)
          if Int.random(in: 0..<10, using: &talk.random) == 0 {
            talk.lost.append(change)
          } else {
            talk.clients[index] = try talk.client()
          }
        }
        accepted.merge(talk.accepted, uniquingKeysWith: +)
        refused += talk.refused
        #expect(try server.library.store.audit().problems == [])
      }
      // The negative control: all kinds were accepted, and many refused.
      for kind in ["words", "text", "selection", "speaker", "undo", "redo", "replacements"] {
        #expect(accepted[kind] ?? 0 > 0, "\(kind)")
      }
      #expect(refused > 20)
    }
  }
}
