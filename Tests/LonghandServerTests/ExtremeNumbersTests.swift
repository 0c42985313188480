import Foundation
import Longhand
import TestSupport
import Testing

@testable import LonghandServer

/// Numbers at the ends of what an integer can be: each request is refused quickly, and changes nothing.
@Suite struct ExtremeNumbersTests {
  private static let numbers = [
    "-9223372036854775808", "-9223372036854775807", "9223372036854775806", "9223372036854775807",
    "9223372036854775808", "18446744073709551615", "-2147483649", "-2147483648", "2147483647", "2147483648",
    "100000000", "1000000000000000", "1e300", "-1",
  ]

  /// `$N` is the number, `$S` the ID of the session.
  private static let requests: [(method: String, path: String, body: String)] = [
    ("PUT", "text", #"{"segments": [{"key": $N, "revision": 0}], "paragraphs": ["X"]}"#),
    ("PUT", "text", #"{"segments": [{"key": 0, "revision": $N}], "paragraphs": ["X"]}"#),
    (
      "PUT", "text",
      #"{"segments": [{"key": 0, "revision": 0}, {"key": $N, "revision": 0}], "paragraphs": []}"#
    ),
    ("POST", "undo", #"{"step": $N}"#), ("POST", "redo", #"{"step": $N}"#),
    ("PUT", "segments/0/words", #"{"first": $N, "end": 1, "text": "X", "revision": 0}"#),
    ("PUT", "segments/0/words", #"{"first": 0, "end": $N, "text": "X", "revision": 0}"#),
    ("PUT", "segments/0/words", #"{"first": 0, "end": 1, "text": "X", "revision": $N}"#),
    ("PUT", "segments/0/selection", #"{"index": $N, "revision": 0}"#),
    ("PUT", "segments/0/selection", #"{"index": 1, "revision": $N}"#),
    ("PUT", "segments/0/selection", #"{"word": $N, "alternative": 0, "revision": 0}"#),
    ("PUT", "segments/0/selection", #"{"word": 0, "alternative": $N, "revision": 0}"#),
    ("PUT", "segments/0/revision", #"{"revision": $N, "current": 0}"#),
    ("PUT", "segments/0/revision", #"{"revision": 0, "current": $N}"#),
    ("PUT", "segments/0/speaker", #"{"speaker": "Anna", "revision": $N}"#),
    ("PUT", "segments/0/speaker", #"{"speaker": "Anna", "revision": 0, "speakersRevision": $N}"#),
    ("PATCH", "speakers/channel1", #"{"name": "Anna", "revision": $N}"#),
    ("POST", "speakers/channel1/merge", #"{"other": "channel2", "revision": $N}"#),
    ("PUT", "segments/$N/words", #"{"first": 0, "end": 1, "text": "X", "revision": 0}"#),
    ("PUT", "segments/$N/selection", #"{"index": 1, "revision": 0}"#),
    ("PUT", "segments/$N/revision", #"{"revision": 0, "current": 0}"#),
    ("PUT", "segments/$N/speaker", #"{"speaker": "Anna", "revision": 0}"#),
    ("GET", "segments/$N", ""), ("GET", "segments?limit=$N", ""), ("GET", "export?width=$N", ""),
    ("GET", "export?lines=$N", ""), ("GET", "waveform?points=$N", ""),
    ("GET", "/api/search?q=one&limit=$N", ""), ("GET", "/api/sessions?limit=$N", ""),
    ("PUT", "/api/uploads/$S?offset=$N", "{}"),
    (
      "POST", "/api/replacements",
      #"{"text": "X", "places": [{"session": "$S", "segment": $N, "first": 0, "end": 1, "revision": 0}]}"#
    ),
    (
      "POST", "/api/replacements",
      #"{"text": "X", "places": [{"session": "$S", "segment": 0, "first": $N, "end": 1, "revision": 0}]}"#
    ),
    (
      "POST", "/api/replacements",
      #"{"text": "X", "places": [{"session": "$S", "segment": 0, "first": 0, "end": $N, "revision": 0}]}"#
    ),
    (
      "POST", "/api/replacements",
      #"{"text": "X", "places": [{"session": "$S", "segment": 0, "first": 0, "end": 1, "revision": $N}]}"#
    ),
  ]

  /// Those that have nothing there, or say so.
  private static let harmless: [(method: String, path: String, body: String)] = [
    ("GET", "segments?from=$N", ""), ("GET", "segments?from=$N&limit=1000", ""),
    ("GET", "unsure?segment=0&word=$N", ""), ("GET", "unsure?segment=$N", ""), ("GET", "audio?until=$N", ""),
    ("GET", "waveform?from=$N", ""), ("GET", "waveform?to=$N", ""),
    ("POST", "/api/uploads", #"{"name": "a.wav", "size": $N}"#),
    (
      "POST", "/api/replacements/undo",
      #"{"replacements": [{"session": "$S", "segment": $N, "before": 0, "after": 0}]}"#
    ),
    (
      "POST", "/api/replacements/undo",
      #"{"replacements": [{"session": "$S", "segment": 0, "before": $N, "after": 1}]}"#
    ),
    (
      "POST", "/api/replacements/undo",
      #"{"replacements": [{"session": "$S", "segment": 0, "before": 0, "after": $N}]}"#
    ),
  ]

  @Test func numbersThatCannotBeAreRefusedAndChangeNothing() async throws {
    try await TestServer.run { server in
      let id = try server.begin(["One two three.", "Four."], state: .complete)
      try server.library.store.changeSpeakers(of: id) { $0.addChannels(2) }
      _ = try server.record(id, seconds: 1, isComplete: true)
      let store = server.library.store
      let before = (try store.transcript(of: id), try store.status(of: id).sequence)
      for number in Self.numbers {
        for (isRefused, requests) in [(true, Self.requests), (false, Self.harmless)] {
          for (method, path, body) in requests {
            let path = path.replacing("$N", with: number).replacing("$S", with: id)
            let body = body.replacing("$N", with: number).replacing("$S", with: id)
            let start = ContinuousClock.now
            let status = try server.ask(
              method, path.hasPrefix("/") ? path : "/api/sessions/\(id)/\(path)",
              json: body.isEmpty ? nil : body
            ).status
            let what = "\(status): \(method) \(path) \(body)"
            #expect(
              isRefused ? [400, 404, 409, 413, 507].contains(status) : status < 500 || status == 507,
              "\(what)")
            #expect(ContinuousClock.now - start < .seconds(5), "\(what)")
          }
        }
      }
      #expect(try store.transcript(of: id) == before.0)
      #expect(try store.status(of: id).sequence == before.1)
      #expect(try store.speakers(of: id).entries.count == 2)
    }
  }
}
