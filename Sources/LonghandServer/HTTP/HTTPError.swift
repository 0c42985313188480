import Foundation
import Longhand

/// Why a request is not answered as its client wished. The body is the one that clients of OpenAI's API know.
struct HTTPError: Error, Sendable, Hashable {
  /// What the client is told by a number.
  enum Status: Int, Sendable {
    case badRequest = 400
    case unauthorized = 401
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case conflict = 409
    case tooLarge = 413
    case unsupportedMediaType = 415
    case unsatisfiableRange = 416
    case misdirected = 421
    case serverError = 500
    case unavailable = 503
    case diskFull = 507
  }

  var status: Status
  /// What is wrong, for people.
  var message: String
  /// Which parameter is wrong, if it is one.
  var parameter: String?
  /// What is wrong, for programs.
  var code: String?
  /// Headers that say more.
  var headers: [HTTPResponse.Header] = []

  init(_ status: Status, _ message: String, parameter: String? = nil, code: String? = nil) {
    self.status = status
    self.message = message
    self.parameter = parameter
    self.code = code
  }

  /// What any error means to a client.
  init(_ error: any Error) {
    switch error {
    case let error as HTTPError: self = error
    case let error as StoreError: self.init(error)
    case RecordingError.system(_, _, ENOENT):
      self.init(.notFound, "the session has no sound", code: "no_sound")
    case let error as CocoaError:
      self.init(.serverError, "\(error.localizedDescription) See that the library may be written.")
    default: self.init(.serverError, "\(error)")
    }
  }

  private init(_ error: StoreError) {
    switch error.problem {
    case .noSession: self.init(.notFound, "there is no such session", code: "no_session")
    case .noSegment(let id):
      self.init(.notFound, "the session has no segment \(id)", code: "no_segment")
    case .invalid(let why): self.init(.badRequest, why)
    case .locked: self.init(.unavailable, "another program is writing the library; try again")
    case .diskFull: self.init(.diskFull, "the disk is full; free some room and try again")
    default: self.init(.serverError, error.description)
    }
  }

  /// The body.
  var json: JSONValue {
    let type = status.rawValue >= 500 ? "server_error" : "invalid_request_error"
    return .object([
      (
        "error",
        .object([
          ("message", .string(message)), ("type", .string(type)),
          ("param", parameter.map { .string($0) } ?? .null), ("code", code.map { .string($0) } ?? .null),
        ])
      )
    ])
  }
}
