/// English abbreviations.
package enum Abbreviations {
  /// The words that are said in place of abbreviations, in lower case and without full stops.
  package static let words: [String: [String]] = [
    "mr": ["mister"], "mrs": ["missus"], "dr": ["doctor"], "st": ["saint"], "prof": ["professor"],
    "jr": ["junior"], "sr": ["senior"], "capt": ["captain"], "lt": ["lieutenant"], "sgt": ["sergeant"],
    "rev": ["reverend"], "gov": ["governor"], "mt": ["mount"], "esq": ["esquire"], "vs": ["versus"],
    "etc": ["et", "cetera"], "etcetera": ["et", "cetera"], "messrs": ["messieurs"],
    "alright": ["all", "right"],
  ]
}
