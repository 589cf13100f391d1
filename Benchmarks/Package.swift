// swift-tools-version: 6.1
// The part of `make bench` that uses the library of telecap: a program that plans and runs in virtual time. The programs in C
// (Sources/*/main.c) are compiled by Benchmarks/run.
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "telecap", path: "..")],
  targets: [
    .executableTarget(
      name: "virtual-run",
      dependencies: [
        .product(name: "TelecapRecording", package: "telecap"), .product(name: "TelecapWire", package: "telecap"),
        .product(name: "TelecapImpairment", package: "telecap"), .product(name: "TelecapModels", package: "telecap"),
        .product(name: "TelecapLoop", package: "telecap"), .product(name: "TelecapConformance", package: "telecap"),
        .product(name: "TelecapTele", package: "telecap"), .product(name: "TelecapSuites", package: "telecap"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
