/// What the program tells its caller when it ends; the numbers are part of the contract.
enum ExitStatus {
  /// Everything asked for was done.
  static let done: Int32 = 0
  /// The work failed, for any one of several inputs too.
  static let failed: Int32 = 1
  /// The command line cannot be carried out as it stands.
  static let usage: Int32 = 2

  /// Ended by a signal, after a clean drain: 130 for SIGINT, 143 for SIGTERM.
  static func ended(by signal: Int32) -> Int32 { 128 + signal }
}
