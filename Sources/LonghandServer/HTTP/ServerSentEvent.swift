import Foundation
import Longhand

/// Events as a browser's `EventSource` reads them.
enum ServerSentEvent {
  /// An event whose data stands on one line.
  static func data(_ kind: String?, _ data: String, id: Int? = nil) -> Data {
    var text = ""
    if let id { text += "id: \(id)\n" }
    if let kind { text += "event: \(kind)\n" }
    return Data("\(text)data: \(data)\n\n".utf8)
  }

  /// An event. JSON that this server writes has no line ends.
  static func data(_ kind: String?, _ value: JSONValue, id: Int? = nil) -> Data {
    data(kind, value.text, id: id)
  }

  /// A comment, which keeps a connection alive and tells whether somebody is there.
  static let comment = Data(":\n\n".utf8)
}
