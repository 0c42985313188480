import Foundation
import Longhand

/// Files that clients bring into the library: in one request, or in parts that can be sent again.
extension API {
  static let uploadRoutes = [
    Route("POST", "/api/sessions", body: .form) { api, request, _ in
      guard case .form(let form) = request.body, let file = form.file else { throw noFile }
      let fields = Dictionary(form.fields.map { ($0.name, $0.value) }) { $1 }
      let known = ["name"] + RecognitionFields.names
      if let name = form.fields.first(where: { !known.contains($0.name) })?.name {
        let names = known.joined(separator: "', '")
        throw HTTPError(
          .badRequest, "The form has the field '\(name)'. Send 'file', and if you like '\(names)'.",
          parameter: name)
      }
      try api.check(name: fields["name"] ?? "")
      return try api.imported(
        api.imports.take(
          file.descriptor, named: file.name, choice: try api.choice(RecognitionFields(fields))),
        named: fields["name"])
    },
    Route("GET", "/api/uploads") { api, _, _ in
      .json(.object([("uploads", .array(api.imports.unfinished.map(api.imports.document)))]))
    },
    Route("POST", "/api/uploads") { api, request, _ in
      let file = try request.json(File.self)
      let upload = try api.imports.begin(
        name: file.name, size: file.size, modified: file.modified,
        choice: try api.choice(try request.json(RecognitionFields.self)))
      return .json(api.imports.document(upload), status: 201)
    },
    Route("GET", "/api/uploads/*") { api, _, parameters in
      .json(api.imports.document(try api.imports.upload(parameters[0])))
    },
    Route("PUT", "/api/uploads/*", body: .part) { api, request, parameters in
      let offset = try request.offset(of: "file")
      var bytes = Data()
      if case .bytes(let data) = request.body { bytes = data }
      let upload = try api.imports.upload(parameters[0])
      guard try api.imports.append(bytes, at: offset, to: upload) == upload.size else {
        return .json(api.imports.document(upload))
      }
      return try api.imported(api.imports.finish(upload), named: nil)
    },
    Route("POST", "/api/uploads/*/stop") { api, _, parameters in
      .json(try api.imports.setStopped(true, parameters[0]))
    },
    Route("POST", "/api/uploads/*/resume") { api, _, parameters in
      .json(try api.imports.setStopped(false, parameters[0]))
    },
    Route("DELETE", "/api/uploads/*") { api, _, parameters in
      api.imports.remove(try api.imports.upload(parameters[0]))
      return .done
    },
  ]

  private struct File: Decodable {
    var name: String
    var size: Int64
    var modified: Double?
  }

  /// Refuses a name before its file is imported: the same file would not be imported again with another name.
  private func check(name: String) throws {
    do { try library.store.check(name: name) } catch {
      var refusal = HTTPError(error)
      refusal.parameter = "name"
      throw refusal
    }
  }

  /// The response to a complete file: 201 for a new session, 200 for the one that has the same file.
  private func imported(_ session: ImportHost.Imported, named name: String?) throws -> HTTPResponse {
    if let name, !session.isDuplicate {
      try library.store.annotate(session.id, SessionAnnotation(name: name))
    }
    hub.storeChanged()
    return .json(
      .object([("id", .string(session.id)), ("isDuplicate", .boolean(session.isDuplicate))]),
      status: session.isDuplicate ? 200 : 201)
  }
}
