/// The languages that Whisper was trained with, in the order of their tokens.
package enum WhisperLanguages {
  /// The 99 languages of every model for several languages.
  package static let all =
    """
    en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy \
    sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo \
    uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su
    """.split(separator: " ").map(String.init)
  /// The language that *large-v3* adds.
  package static let added = "yue"
}
