import Foundation
import Speech

/// What is said over a chess board.
struct ChessLanguage {
  /// Every move of a piece from the king's or the queen's side, some openings, and how two of their names sound.
  var data: SFCustomLanguageModelData {
    SFCustomLanguageModelData(
      locale: Locale(identifier: "en_US"), identifier: "com.example.SpokenChess", version: "1.0"
    ) {
      SFCustomLanguageModelData.PhraseCountsFromTemplates(
        classes: [
          "piece": ["pawn", "rook", "knight", "bishop", "queen", "king"],
          "royal": ["queen", "king"],
          "rank": (1...8).map { String($0) },
        ]
      ) {
        SFCustomLanguageModelData.TemplatePhraseCountGenerator.Template(
          "<piece> to <royal> <piece> <rank>", count: 10_000)
      }
      for opening in ["Albin counter gambit", "Winawer variation", "Tartakower variation"] {
        SFCustomLanguageModelData.PhraseCount(phrase: "play the \(opening)", count: 10)
      }
      SFCustomLanguageModelData.CustomPronunciation(grapheme: "Winawer", phonemes: ["w I n aU @r"])
      SFCustomLanguageModelData.CustomPronunciation(grapheme: "Tartakower", phonemes: ["t A r t @ k aU @r"])
    }
  }
}
