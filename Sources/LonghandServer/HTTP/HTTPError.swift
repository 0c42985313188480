import FileSupport
import Foundation
import Longhand

/// Why a request failed. The response has the JSON body that OpenAI's API defines for errors.
struct HTTPError: Error, Sendable, Hashable {
  /// The status code of the response.
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
  /// What is wrong and what to do, in whole sentences for people.
  var message: String
  /// The parameter that is wrong, if one is.
  var parameter: String?
  /// What is wrong, for programs.
  var code: String?
  /// Headers that the response must have.
  var headers: [HTTPHeader] = []

  init(_ status: Status, _ message: String, parameter: String? = nil, code: String? = nil) {
    self.status = status
    self.message = message
    self.parameter = parameter
    self.code = code
  }

  /// The response to any error.
  init(_ error: any Error) {
    switch error {
    case let error as HTTPError: self = error
    case let error as StoreError: self.init(error)
    case RecordingError.system(_, _, ENOENT):
      self.init(.notFound, "The session has no audio. Only its text can be read.", code: "no_sound")
    case let error as RecordingError where error.isFullDisk: self = .diskFull
    case CocoaError.fileWriteOutOfSpace: self = .diskFull
    case let error as CocoaError:
      self.init(
        .serverError, "\(error.localizedDescription) Check the permissions of the library's folder.")
    default: self.init(.serverError, error.explanation)
    }
  }

  init(_ error: StoreError) {
    switch error.problem {
    case .noSession: self = .noSession
    case .noSegment(let id): self = .noSegment(id)
    case .invalid(let why): self.init(.badRequest, why)
    case .changed, .separated:
      self.init(
        .conflict, "It was changed meanwhile. Look at it, and repeat the change.", parameter: "revision",
        code: "changed")
    case .locked:
      self.init(.unavailable, "Another program is writing to the library. Try again in a moment.")
    case .diskFull: self = .diskFull
    default: self.init(.serverError, error.description)
    }
  }

  static let diskFull = HTTPError(.diskFull, "The server's disk is full. Free some space and try again.")
  static let noSession = HTTPError(
    .notFound, "There is no session with this ID. GET /api/sessions lists the sessions.", code: "no_session")

  static func noSegment(_ id: some CustomStringConvertible) -> HTTPError {
    HTTPError(
      .notFound,
      "The session has no segment with the key \(id). GET /api/sessions/ID/segments lists the segments.",
      code: "no_segment")
  }

  /// The body of the response.
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
