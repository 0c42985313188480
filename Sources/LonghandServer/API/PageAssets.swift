import Foundation

/// The page's own files, which lie in the program itself.
enum PageAssets {
  /// By their names.
  static let files: [String: [UInt8]] = [
    "announcer.js": PackageResources.announcer_js,
    "api.js": PackageResources.api_js,
    "app.js": PackageResources.app_js,
    "connection.js": PackageResources.connection_js,
    "coverage.js": PackageResources.coverage_js,
    "dialogs.js": PackageResources.dialogs_js,
    "drawer.js": PackageResources.drawer_js,
    "element.js": PackageResources.element_js,
    "follow.js": PackageResources.follow_js,
    "format.js": PackageResources.format_js,
    "heard.js": PackageResources.heard_js,
    "heights.js": PackageResources.heights_js,
    "icon.svg": PackageResources.icon_svg,
    "index.html": PackageResources.index_html,
    "keys.js": PackageResources.keys_js,
    "library.js": PackageResources.library_js,
    "notices.js": PackageResources.notices_js,
    "player.js": PackageResources.player_js,
    "readings.js": PackageResources.readings_js,
    "recorder.js": PackageResources.recorder_js,
    "route.js": PackageResources.route_js,
    "rows.js": PackageResources.rows_js,
    "search.js": PackageResources.search_js,
    "segment-actions.js": PackageResources.segment_actions_js,
    "segment-row.js": PackageResources.segment_row_js,
    "segments.js": PackageResources.segments_js,
    "session-header.js": PackageResources.session_header_js,
    "session-view.js": PackageResources.session_view_js,
    "stream.js": PackageResources.stream_js,
    "style.css": PackageResources.style_css,
    "timeline.js": PackageResources.timeline_js,
  ]

  /// A file.
  /// - Throws: `HTTPError` if there is none of that name.
  static func response(_ name: String) throws -> HTTPResponse {
    guard let bytes = files[name] else { throw HTTPError(.notFound, "the page has no such file") }
    var response = HTTPResponse.bytes(Data(bytes), type: contentType(of: name))
    // Another version of the program brings another page.
    response.headers.append(HTTPHeader("Cache-Control", "no-cache"))
    return response
  }

  private static func contentType(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    default: "application/octet-stream"
    }
  }
}
