import Foundation
import Longhand

/// The transcript of a session in a format, as a file.
extension API {
  func export(_ id: String, _ request: HTTPRequest) throws -> HTTPResponse {
    let session = try session(id)
    let name = request.value("format") ?? "txt"
    guard let format = TranscriptFormat(rawValue: name) else {
      let names = TranscriptFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw HTTPError(
        .badRequest, "There is no format '\(name)'. Use one of: \(names).", parameter: "format")
    }
    let width = try request.integer("width", in: 0...1000, or: 42)
    let lines = try request.integer("lines", in: 0...10, or: 2)
    let way = request.value("overlap") ?? CaptionOverlap.together.rawValue
    guard let overlap = CaptionOverlap(rawValue: way) else {
      let names = CaptionOverlap.allCases.map(\.rawValue).joined(separator: ", ")
      throw HTTPError(.badRequest, "'overlap' must be one of \(names), not '\(way)'.", parameter: "overlap")
    }
    let numbers = request.value("numbers").map { NumberForm(rawValue: $0) }
    if let numbers, numbers == nil || !format.hasNumberForms {
      throw HTTPError(
        .badRequest,
        numbers == nil
          ? "'numbers' must be spoken or written."
          : "The format \(name) has no other numbers than the recognizer's. Remove 'numbers'.",
        parameter: "numbers")
    }
    let layout = CaptionLayout(
      maxLineWidth: width == 0 ? nil : width, maxLineCount: lines == 0 ? nil : lines, overlap: overlap)
    var transcript = try library.transcript(
      of: session, withoutCorrections: request.value("corrections") == "no")
    if request.value("speakers") == "no" { transcript = transcript.withoutSpeakers }
    if let wanted = request.value("translation") {
      guard ["also", "only"].contains(wanted) else {
        throw HTTPError(
          .badRequest, "'translation' must be 'also' or 'only', not '\(wanted)'.", parameter: "translation")
      }
      transcript.translation = try library.store.translation(of: session.id)
      guard let translated = transcript.translated else {
        throw HTTPError(.notFound, "The session has no translation.", code: "no_translation")
      }
      if wanted == "only" { transcript = translated }
    }
    var formatter = TranscriptFormatter(
      format: format, layout: layout, wordTimestamps: request.value("words") == "yes",
      style: request.value("style") == "words" ? .words : .sentences)
    formatter.numbers = numbers ?? nil
    formatter.hasEcho = request.value("echo") == "yes"
    let document = try library.file(transcript, of: session.id, by: formatter)
    var response = HTTPResponse.bytes(document, type: Self.contentType(of: format))
    let file = FileName(session.title, extension: format.fileExtension)
    response.headers.append(HTTPHeader("Content-Disposition", file.disposition))
    return response
  }

  private static func contentType(of format: TranscriptFormat) -> String {
    switch format {
    case .json: "application/json"
    case .jsonl: "application/jsonl"
    case .vtt: "text/vtt; charset=utf-8"
    case .tsv: "text/tab-separated-values; charset=utf-8"
    case .md: "text/markdown; charset=utf-8"
    case .html: "text/html; charset=utf-8"
    case .docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    case .fcpxml, .eaf: "application/xml"
    case .otr: "application/json"
    case .txt, .srt, .ctm, .textgrid, .rttm, .edl: "text/plain; charset=utf-8"
    }
  }
}

/// The name of a file that a browser saves.
struct FileName {
  private let name: String

  /// - Parameters:
  ///   - title: the title of the recording.
  ///   - extension: without the dot.
  init(_ title: RecordingTitle, extension: String) { name = "\(title.fileStem).\(`extension`)" }

  /// The `Content-Disposition` header (RFC 6266): the name in ASCII for old clients, and in UTF-8.
  var disposition: String {
    let plain = String(
      String.UnicodeScalarView(name.unicodeScalars.map { $0.isASCII ? $0 : "_" }))
    let allowed = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    let encoded = name.addingPercentEncoding(withAllowedCharacters: allowed) ?? plain
    return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"
  }
}
