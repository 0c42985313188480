import Foundation
import Longhand
import Testing

@testable import LonghandServer

/// The description of the API, held against its routes.
@Suite struct OpenAPITests {
  private func document() throws -> [String: Any] {
    let text = try #require(PageAssets.files["openapi.json"])
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func paths() throws -> [String: [String: [String: Any]]] {
    try #require(try document()["paths"] as? [String: [String: [String: Any]]])
  }

  @Test func everyRouteIsDescribedAndNoOther() throws {
    let described = try paths().flatMap { path, operations in
      let pattern = path.split(separator: "/").map { $0.hasPrefix("{") ? "*" : String($0) }
      return operations.keys.map { "\($0.uppercased()) /\(pattern.joined(separator: "/"))" }
    }
    let routes = API.routes.filter { !$0.pattern.isEmpty && $0.pattern.first != "page" }
      .map { "\($0.method) /\($0.pattern.joined(separator: "/"))" }
    #expect(described.sorted() == routes.sorted())
  }

  @Test func everyOperationHasItsParametersAndAnswers() throws {
    for (path, operations) in try paths() {
      let names = path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
        String($0.dropFirst().dropLast())
      }
      for (method, operation) in operations {
        let parameters = operation["parameters"] as? [[String: Any]] ?? []
        let inPath = parameters.filter { $0["in"] as? String == "path" }.compactMap { $0["name"] as? String }
        #expect(inPath == names, "\(method) \(path)")
        #expect((operation["summary"] as? String)?.isEmpty == false, "\(method) \(path)")
        #expect((operation["responses"] as? [String: Any])?.isEmpty == false, "\(method) \(path)")
        let hasBody = operation["requestBody"] != nil
        #expect(!hasBody || ["post", "put", "patch"].contains(method), "\(method) \(path)")
      }
    }
  }

  /// What a place of a name has.
  @Test func placesOfTermsAreDescribedWithTheirID() throws {
    func at(_ value: Any?, _ keys: String...) -> [String: Any]? {
      keys.reduce(value as? [String: Any]) { $0?[$1] as? [String: Any] }
    }
    let answer = at(
      try paths()["/api/sessions/{id}/terms"]?["get"], "responses", "200", "content", "application/json",
      "schema")
    let term = at(answer, "properties", "terms", "items")
    let place = at(term, "properties", "places", "items", "properties")
    let written = JSONDocument.place(
      "Guess", id: "7", .exactMatch, in: [("segment", .integer(1)), ("number", .integer(1))], 0...1)
    let keys = try #require(
      try JSONSerialization.jsonObject(with: Data(written.text.utf8)) as? [String: Any]
    ).keys
    #expect(place?.keys.sorted() == keys.sorted())
  }

  @Test func documentIsServedToThoseWithTheToken() async throws {
    try await TestServer.run { server in
      let answer = try server.ask("/openapi.json")
      #expect(answer.status == 200)
      #expect(answer.headers["content-type"] == "application/json")
      #expect(answer.json["openapi"] as? String == "3.1.0")
      #expect(try server.ask("/openapi.json", ["Authorization": ""]).status == 401)
    }
  }
}
