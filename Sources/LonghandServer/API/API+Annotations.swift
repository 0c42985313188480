import Foundation
import Longhand

/// What people write about sessions: names, notes and tags.
extension API {
  static let annotationRoutes = [
    Route("PATCH", "/api/sessions/*") { api, request, parameters in
      let id = try api.session(parameters[0]).id
      let changes = try request.json(Annotation.self)
      try api.library.store.annotate(
        id,
        SessionAnnotation(
          name: changes.name?.text, note: changes.note?.text, tags: changes.tags,
          tagsBefore: changes.tagsBefore))
      api.hub.storeChanged()
      return .json(api.documents.summary(try api.session(id)))
    },
    Route("GET", "/api/tags") { api, _, _ in
      let tags = try api.library.store.sessions(limit: .max).flatMap { $0.tags ?? [] }
      let counts = Dictionary(tags.map { ($0, 1) }, uniquingKeysWith: +)
      return .json(
        .object([
          (
            "tags",
            .array(
              counts.sorted { $0.key < $1.key }.map { tag, count in
                .object([("tag", .string(tag)), ("count", .integer(count))])
              })
          )
        ]))
    },
  ]

  /// Members that are missing change nothing; null removes what is there.
  private struct Annotation: Decodable {
    /// A text, or null.
    struct Field: Decodable {
      let text: String

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = container.decodeNil() ? "" : try container.decode(String.self)
      }
    }

    private enum Key: String, CodingKey { case name, note, tags, tagsBefore }

    let name: Field?
    let note: Field?
    let tags: [String]?
    /// The tags as the client has read them: what others changed since then stays.
    let tagsBefore: [String]?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      // `decodeIfPresent` takes null for a missing member.
      name = container.contains(.name) ? try container.decode(Field.self, forKey: .name) : nil
      note = container.contains(.note) ? try container.decode(Field.self, forKey: .note) : nil
      tags = try container.decodeIfPresent([String].self, forKey: .tags)
      tagsBefore = try container.decodeIfPresent([String].self, forKey: .tagsBefore)
    }
  }
}
