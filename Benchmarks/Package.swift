// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of Longhand do not build its measurements.
let package = Package(
  name: "longhand-benchmarks",
  platforms: [.macOS("26.0")],
  dependencies: [.package(name: "longhand", path: "..")],
  targets: [
    .executableTarget(
      name: "LonghandBenchmarks",
      dependencies: [
        .product(name: "Longhand", package: "longhand"),
        .product(name: "AppleFrameworks", package: "longhand", condition: .when(platforms: [.linux])),
        "CProcess",
      ],
      swiftSettings: [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")]),
    .systemLibrary(name: "CProcess"),
  ]
)
