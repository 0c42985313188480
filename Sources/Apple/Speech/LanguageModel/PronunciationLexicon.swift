import Foundation
import FoundationXML

/// Pronunciations in W3C's Pronunciation Lexicon Specification 1.0, with X-SAMPA.
enum PronunciationLexicon {
  private static let attributes = [
    "version=\"1.0\"", "xmlns=\"http://www.w3.org/2005/01/pronunciation-lexicon\"",
    "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"",
    "xsi:schemaLocation=\"http://www.w3.org/2005/01/pronunciation-lexicon "
      + "http://www.w3.org/TR/2007/CR-pronunciation-lexicon-20071212/pls.xsd\"",
    "alphabet=\"xsampa\"",
  ]

  /// The lexicon, exactly as Apple's framework writes it.
  /// - Throws: `SFSpeechError.malformedSupplementalModel` if a word or a pronunciation is empty or has control characters.
  static func text(
    of pronunciations: [SFCustomLanguageModelData.CustomPronunciation], locale: Locale
  ) throws -> String {
    let language = escaped(locale.identifier(.icu))
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<lexicon \(attributes.joined(separator: " "))"
    text += " xml:lang=\"\(language)\">\n"
    for (index, term) in pronunciations.enumerated() {
      let all = [term.grapheme] + term.phonemes
      guard all.allSatisfy({ $0.contains { !$0.isWhitespace } && $0.utf8.allSatisfy { $0 >= 0x20 } }),
        !term.phonemes.isEmpty
      else {
        throw SFSpeechError.malformedData(
          "Pronunciation \(index + 1), \(term), has an empty word or pronunciation, or a control character."
        )
      }
      text += "\t<lexeme>\n\t\t<grapheme>\(escaped(term.grapheme))</grapheme>\n"
      for phonemes in term.phonemes { text += "\t\t<phoneme>\(escaped(phonemes))</phoneme>\n" }
      text += "\t</lexeme>\n"
    }
    return text + "</lexicon>"
  }

  /// The pronunciations of a lexicon.
  /// - Throws: `SFSpeechError.malformedSupplementalModel`, with the line number.
  static func read(_ data: Data) throws -> [SFCustomLanguageModelData.CustomPronunciation] {
    let reader = Reader()
    let parser = XMLParser(data: data)
    parser.shouldResolveExternalEntities = false
    parser.delegate = reader
    guard parser.parse(), reader.isLexicon else {
      throw SFSpeechError.malformedData(
        "\(LanguageModelAssetInformation.Member.pronunciations), line \(parser.lineNumber): not a complete pronunciation lexicon"
      )
    }
    return reader.lexemes
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
  }

  private final class Reader: NSObject, XMLParserDelegate {
    var lexemes: [SFCustomLanguageModelData.CustomPronunciation] = []
    /// Whether the end of a lexicon was reached.
    var isLexicon = false
    private var graphemes: [String] = []
    private var phonemes: [String] = []
    private var text = ""

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String] = [:]
    ) {
      text = ""
      if name == "lexeme" { (graphemes, phonemes) = ([], []) }
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
      let content = text.trimmingCharacters(in: .whitespacesAndNewlines)
      switch name {
      case "grapheme": graphemes.append(content)
      case "phoneme": phonemes.append(content)
      case "lexicon": isLexicon = true
      case "lexeme": lexemes += graphemes.map { .init(grapheme: $0, phonemes: phonemes) }
      default: break
      }
    }
  }
}
