import Foundation

/// One line of standard input of `longhand worker`.
struct WorkerJob: Sendable, Hashable {
  /// The caller's name for the job.
  let id: String
  /// A path, or a URL.
  let path: String
  /// The options of this job as arguments, after those that all jobs have.
  let arguments: [String]

  /// A value of an option in JSON.
  private enum Value: Decodable {
    case flag(Bool)
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? container.decode(Int.self) {
        self = .text(String(number))
      } else if let number = try? container.decode(Double.self) {
        self = .text(String(number))
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }

  private struct Fields: Decodable {
    var id: String
    var path: String
    var options: [String: Value]?
  }

  /// Reads a line.
  /// - Parameters:
  ///   - bytes: the line, without its end.
  ///   - options: the options that a job may have.
  /// - Throws: `Rejection`.
  init(_ bytes: [UInt8], options: [Option]) throws(Rejection) {
    guard let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
      throw Rejection(id: nil, problem: "The line is not a JSON object.")
    }
    let id = object["id"] as? String
    guard let id else { throw Rejection(id: nil, problem: "The job has no id, or it is not a string.") }
    let unknown = Set(object.keys).subtracting(["id", "path", "options"]).sorted()
    if let key = unknown.first { throw Rejection(id: id, problem: "The job has the unknown key '\(key)'.") }
    guard object["path"] is String else {
      throw Rejection(id: id, problem: "The job has no path, or it is not a string.")
    }
    guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(bytes)) else {
      throw Rejection(
        id: id, problem: "The options of the job are not an object of texts, numbers, true and false.")
    }
    self.id = id
    path = fields.path
    var arguments: [String] = []
    for (name, value) in (fields.options ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard let option = options.first(where: { $0.name == "--" + name }) else {
        throw Rejection(id: id, problem: "A job has no option '\(name)'.")
      }
      switch value {
      case .flag(let isOn) where option.value == nil: arguments += isOn ? [option.name] : []
      case .text(let text) where option.value != nil: arguments.append("\(option.name)=\(text)")
      case .flag, .text:
        throw Rejection(
          id: id,
          problem:
            "The option '\(name)' takes \(option.value == nil ? "true or false" : "a text or a number")."
        )
      }
    }
    self.arguments = arguments
  }

  /// Why a line is not a job.
  struct Rejection: Error, Hashable {
    /// The ID, if the line has one.
    var id: String?
    /// A sentence.
    var problem: String
  }
}
