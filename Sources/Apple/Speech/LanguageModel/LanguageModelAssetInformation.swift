import Foundation

/// The description of a file of custom language model data, which is one of the file's members.
struct LanguageModelAssetInformation: Decodable {
  /// The members of the file.
  enum Member {
    static let information = "asset_info.json"
    /// W3C's Pronunciation Lexicon Specification 1.0.
    static let pronunciations = "custom-prons"
    /// Lines with a count, a tab and a phrase.
    static let phrases = "phrase-count"
  }

  var locale: String
  /// The data's identifier, a colon and its version.
  var version: String
  var contentList: [String]?

  private enum CodingKeys: String, CodingKey {
    case locale, version
    case contentList = "content-list"
  }

  init(_ data: SFCustomLanguageModelData, members: [String]) {
    locale = data.locale.identifier(.icu)
    version = data.identifier + ":" + data.version
    contentList = members
  }

  /// The member's text, exactly as Apple's framework writes it.
  var text: String {
    func list(_ values: [String]) -> String {
      values.isEmpty
        ? "[]" : "[\n" + values.map { "        \(Self.quoted($0))" }.joined(separator: ",\n") + "\n    ]"
    }
    return """
      {
          "locale": \(Self.quoted(locale)),
          "version": \(Self.quoted(version)),
          "supported_locales": \(list([Self.longName(of: Locale(identifier: locale))])),
          "content-list": \(list(contentList ?? []))
      }

      """
  }

  private static func quoted(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }

  /// A locale with the codes of ISO 639-3 and ISO 3166-1 alpha-3, such as `eng-USA`.
  static func longName(of locale: Locale) -> String {
    let language = locale.language.languageCode?.identifier(.alpha3) ?? locale.identifier
    guard let region = locale.region?.identifier else { return language }
    return language + "-" + (regions[region] ?? region)
  }

  /// The alpha-3 codes (ISO 3166-1) of the regions of Apple's recognizer. Foundation does not provide them.
  private static let regions = [
    "AE": "ARE", "AT": "AUT", "AU": "AUS", "BE": "BEL", "BR": "BRA", "CA": "CAN", "CH": "CHE", "CL": "CHL",
    "CN": "CHN", "CO": "COL", "CZ": "CZE", "DE": "DEU", "DK": "DNK", "ES": "ESP", "FI": "FIN", "FR": "FRA",
    "GB": "GBR", "GR": "GRC", "HK": "HKG", "HR": "HRV", "HU": "HUN", "ID": "IDN", "IE": "IRL", "IL": "ISR",
    "IN": "IND", "IT": "ITA", "JP": "JPN", "KR": "KOR", "LU": "LUX", "MX": "MEX", "MY": "MYS", "NL": "NLD",
    "NO": "NOR", "NZ": "NZL", "PH": "PHL", "PL": "POL", "PT": "PRT", "RO": "ROU", "RU": "RUS", "SA": "SAU",
    "SE": "SWE", "SG": "SGP", "SK": "SVK", "TH": "THA", "TR": "TUR", "TW": "TWN", "UA": "UKR", "US": "USA",
    "VN": "VNM", "ZA": "ZAF",
  ]
}
