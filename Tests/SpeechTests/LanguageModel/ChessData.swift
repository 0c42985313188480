import Foundation
import Speech

/// The data of Apple's chess example: direct phrases around a template, and two openings' names.
enum ChessData {
  static let pieces = ["pawn", "rook", "knight", "bishop", "queen", "king"]
  static let ranks = (1...8).map(String.init)

  static func data(version: String = "1.0") -> SFCustomLanguageModelData {
    SFCustomLanguageModelData(
      locale: Locale(identifier: "en_US"), identifier: "com.apple.SpokenWord", version: version
    ) {
      SFCustomLanguageModelData.PhraseCount(phrase: "Play the Albin counter gambit", count: 10)
      SFCustomLanguageModelData.PhraseCountsFromTemplates(
        classes: ["piece": pieces, "royal": ["queen", "king"], "rank": ranks]
      ) {
        SFCustomLanguageModelData.TemplatePhraseCountGenerator.Template(
          "<piece> to <royal> <piece> <rank>", count: 10_000)
      }
      SFCustomLanguageModelData.PhraseCount(phrase: "Play the Winawer variation", count: 10)
      SFCustomLanguageModelData.PhraseCount(phrase: "Play the Tartakower", count: 10)
      SFCustomLanguageModelData.CustomPronunciation(grapheme: "Winawer", phonemes: ["w I n aU @r"])
      SFCustomLanguageModelData.CustomPronunciation(grapheme: "Tartakower", phonemes: ["t A r t @ k aU @r"])
    }
  }
}
