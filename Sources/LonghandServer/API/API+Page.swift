import Foundation
import Longhand

/// The page, and the sign-in with the token.
extension API {
  static let pageRoutes = [
    Route("GET", "/") { _, _, _ in try PageAssets.response("index.html") },
    Route("GET", "/page/*") { _, _, parameters in try PageAssets.response(parameters[0]) },
    Route("GET", "/openapi.json") { _, _, _ in try PageAssets.response("openapi.json") },
    Route("GET", "/health") { _, _, _ in .json(.object([("status", .string("ok"))])) },
  ]

  /// The response to a client without the token, and to one that opens the page with it; nil for all other requests.
  func signIn(_ request: HTTPRequest) -> HTTPResponse? {
    if let token = requests.token, request.path.isEmpty, let given = request.value("token") {
      return token.matches(given) ? openedPage : signInPage(error: "This token is wrong.")
    }
    if requests.isSignedIn(request) { return nil }
    var response = signInPage(error: nil)
    if requests.needsReload(request) {
      // Another address than this one: browsers treat a reload as the visit of the other site that it repeats.
      response.headers.append(HTTPHeader("Refresh", "0; url=/\(requests.pagePath)/?"))
    }
    return response
  }

  /// Exchanges the token for a cookie that scripts cannot read and other sites cannot send, and removes the token from
  /// the address.
  private var openedPage: HTTPResponse {
    let path = "/\(requests.pagePath)/"
    return HTTPResponse(
      status: 303,
      headers: [
        HTTPHeader("Location", path),
        HTTPHeader(
          "Set-Cookie", "\(requests.cookieName)=\(requests.cookie); Path=\(path); HttpOnly; SameSite=Strict"),
      ])
  }

  /// A page without scripts, which asks for the token.
  /// - Parameter error: the reason why it asks again.
  private func signInPage(error: String?) -> HTTPResponse {
    let page = String(decoding: PackageResources.sign_in_html, as: UTF8.self)
      .replacingOccurrences(of: "<!-- error -->", with: error.map { "<p role=\"alert\">\($0)</p>" } ?? "")
    var response = HTTPResponse.bytes(Data(page.utf8), type: "text/html; charset=utf-8", status: 401)
    response.headers += [
      RequestGuard.challenge,
      HTTPHeader(
        "Content-Security-Policy",
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'self'; "
          + "frame-ancestors 'none'"),
    ]
    return response
  }
}

/// The files of the page, which are embedded in the executable.
enum PageAssets {
  /// Contents by file name.
  static let files: [String: [UInt8]] = [
    "alternatives.js": PackageResources.alternatives_js,
    "api.js": PackageResources.api_js,
    "app.js": PackageResources.app_js,
    "connection.js": PackageResources.connection_js,
    "coverage.js": PackageResources.coverage_js,
    "dialogs.js": PackageResources.dialogs_js,
    "drawer.js": PackageResources.drawer_js,
    "drop.js": PackageResources.drop_js,
    "element.js": PackageResources.element_js,
    "export-dialog.js": PackageResources.export_dialog_js,
    "filter.js": PackageResources.filter_js,
    "find.js": PackageResources.find_js,
    "follow.js": PackageResources.follow_js,
    "format.js": PackageResources.format_js,
    "icon.svg": PackageResources.icon_svg,
    "index.html": PackageResources.index_html,
    "kept-files.js": PackageResources.kept_files_js,
    "kept-text.js": PackageResources.kept_text_js,
    "keys.js": PackageResources.keys_js,
    "library.js": PackageResources.library_js,
    "menu.js": PackageResources.menu_js,
    "messages.js": PackageResources.messages_js,
    "openapi.json": PackageResources.openapi_json,
    "paragraphs.js": PackageResources.paragraphs_js,
    "playback-tools.js": PackageResources.playback_tools_js,
    "playback.js": PackageResources.playback_js,
    "player.js": PackageResources.player_js,
    "recognition-dialog.js": PackageResources.recognition_dialog_js,
    "recognition-fields.js": PackageResources.recognition_fields_js,
    "record-dialog.js": PackageResources.record_dialog_js,
    "recorder.js": PackageResources.recorder_js,
    "replace-dialog.js": PackageResources.replace_dialog_js,
    "route.js": PackageResources.route_js,
    "row-heights.js": PackageResources.row_heights_js,
    "rows.js": PackageResources.rows_js,
    "search.js": PackageResources.search_js,
    "segment-actions.js": PackageResources.segment_actions_js,
    "segment-row.js": PackageResources.segment_row_js,
    "segments.js": PackageResources.segments_js,
    "session-audio.js": PackageResources.session_audio_js,
    "session-details.js": PackageResources.session_details_js,
    "session-events.js": PackageResources.session_events_js,
    "session-header.js": PackageResources.session_header_js,
    "session-navigation.js": PackageResources.session_navigation_js,
    "session-tail.js": PackageResources.session_tail_js,
    "session-view.js": PackageResources.session_view_js,
    "sign-in.html": PackageResources.sign_in_html,
    "speaker-popup.js": PackageResources.speaker_popup_js,
    "speakers.js": PackageResources.speakers_js,
    "stream.js": PackageResources.stream_js,
    "style.css": PackageResources.style_css,
    "terms.js": PackageResources.terms_js,
    "text-editor.js": PackageResources.text_editor_js,
    "timeline.js": PackageResources.timeline_js,
    "transcript-copy.js": PackageResources.transcript_copy_js,
    "unsure-words.js": PackageResources.unsure_words_js,
    "uploads.js": PackageResources.uploads_js,
    "vocabulary-dialog.js": PackageResources.vocabulary_dialog_js,
    "watch-dialog.js": PackageResources.watch_dialog_js,
    "word-alternatives.js": PackageResources.word_alternatives_js,
    "word-popup.js": PackageResources.word_popup_js,
  ]

  /// The response with a file.
  /// - Throws: `HTTPError` if the page has no such file.
  static func response(_ name: String) throws -> HTTPResponse {
    guard let bytes = files[name] else {
      throw HTTPError(.notFound, "The page has no file '\(name)'. Reload the page.")
    }
    var response = HTTPResponse.bytes(Data(bytes), type: contentType(of: name))
    // Another version of the program has another page.
    response.headers.append(HTTPHeader("Cache-Control", "no-cache"))
    return response
  }

  private static func contentType(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    case "json": "application/json"
    default: "application/octet-stream"
    }
  }
}
