import Foundation

/// The window of Hann over the samples of a frame, and its autocorrelation, by which that of a windowed frame is divided.
package struct AnalysisWindow: Sendable {
  package let values: [Double]
  /// The autocorrelation for lags from 0, scaled to 1 there.
  package let correlation: [Double]

  /// - Parameters:
  ///   - length: the samples of a frame.
  ///   - lags: the number of lags of the autocorrelation.
  package init(_ length: Int, lags: Int) {
    let values = (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(length)) }
    let energies = (0..<lags).map { lag in zip(values, values.dropFirst(lag)).reduce(0) { $0 + $1.0 * $1.1 } }
    self.values = values
    correlation = energies.map { $0 / energies[0] }
  }
}
