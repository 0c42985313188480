import Foundation
import LonghandTranscripts
import Speech

/// Which parts of a vocabulary a recognizer uses, or the second text.
package struct VocabularyUse: Sendable, Hashable, Encodable {
  /// The name of the recognizer; `--normalize` for the second text.
  package let by: String
  /// The keys of the file, as far as it has them.
  package let parts: [String]
  /// What else there is to know, as the end of a sentence; nil for nothing.
  package let note: String?

  /// The most words and phrases that a recognizer can expect.
  package static var maxPhrases: Int {
    #if os(Linux)
      SpeechModel.maxPhrases
    #else
      100
    #endif
  }

  /// How many that are, and what more of them mean, as a clause.
  static var rule: String { TranscriptionError.rule(ofPhrases: maxPhrases) }

  /// For each recognizer, and for the second text.
  package static func all(of vocabulary: Vocabulary) -> [VocabularyUse] {
    let counts = vocabulary.counts
    func parts(_ names: String...) -> [String] {
      names.filter { name in counts.contains { $0.name == name && $0.count > 0 } }
    }
    let model = parts("terms", "pronunciations", "phrases", "templates", "classes")
    var uses: [VocabularyUse] = []
    #if os(Linux)
      let hasDictionary = SpeechModel.hasDictionary(for: Locale(identifier: vocabulary.locale))
      for (name, usesLanguageModels, reader) in SpeechModel.recognizersOfDomains {
        if usesLanguageModels, !hasDictionary {
          // The embedded recognizer does not know the language.
          guard reader != nil else { continue }
          // Pronunciations are refused.
          uses.append(.init(by: name, parts: model.filter { $0 != "pronunciations" }, note: nil))
        } else if usesLanguageModels {
          uses.append(.init(by: name, parts: model, note: reader.map { "in American English also by \($0)" }))
        } else {
          uses.append(
            .init(
              by: name, parts: parts("terms"), note: "with models that can prefer words; \(rule)"))
        }
      }
    #else
      uses.append(.init(by: "the system's recognizer", parts: model, note: nil))
    #endif
    uses.append(.init(by: "--normalize", parts: parts("terms", "corrections", "entities"), note: nil))
    return uses
  }
}

extension Vocabulary {
  /// How many entries each part has.
  package var counts: [(name: String, count: Int)] {
    [
      ("terms", terms.count), ("pronunciations", terms.reduce(0) { $0 + $1.pronunciations.count }),
      ("phrases", phrases.count), ("templates", templates.count), ("classes", classes.count),
      ("corrections", corrections.count), ("entities", entities.count),
    ]
  }

  /// The number of entries of each kind that `rows` do not show, of those that it has.
  package var countsBesideRows: [(name: String, count: Int)] {
    counts.filter { !["terms", "pronunciations", "corrections"].contains($0.name) && $0.count > 0 }
  }
}
