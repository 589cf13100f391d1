// swift-tools-version: 6.1
// What `make bench` measures telecap against: limits, written in C, and the harness for what has no process of its own.
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "telecap", path: "..")],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
    .executableTarget(name: "traffic", linkerSettings: [.linkedLibrary("m")]),
    .executableTarget(name: "insert", dependencies: ["CSQLite"]),
    .executableTarget(name: "blast"),
    .executableTarget(name: "flood"),
    .executableTarget(name: "sink"),
    .executableTarget(name: "oneway", linkerSettings: [.linkedLibrary("pthread", .when(platforms: [.linux]))]),
    .executableTarget(
      name: "virtual-run",
      dependencies: [
        .product(name: "TelecapRecording", package: "telecap"), .product(name: "TelecapWire", package: "telecap"),
        .product(name: "TelecapImpairment", package: "telecap"), .product(name: "TelecapModels", package: "telecap"),
        .product(name: "TelecapLoop", package: "telecap"), .product(name: "TelecapConformance", package: "telecap"),
        .product(name: "TelecapTele", package: "telecap"), .product(name: "TelecapSuites", package: "telecap"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
