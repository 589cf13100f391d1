// swift-tools-version: 6.2
// telecap: record, dissect, replay and judge the small binary protocols between phones and computers.
import PackageDescription

/// Warnings are errors in our own targets when `TELECAP_STRICT` is set, as `make check` does; a newer compiler's new
/// warning must not break a user's build.
let strict = Context.environment["TELECAP_STRICT"] != nil
let settings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (strict ? [.unsafeFlags(["-warnings-as-errors"])] : [])

/// The modules that the packet path and the suites run in. They are optimised in the debug build too: the fast tests take a sixth of the
/// CPU time, and the first build of the program half more. `make demo` builds without, until the tests have been built.
let hotModules = [
  "TelecapText", "TelecapRecording", "TelecapWire", "TelecapImpairment", "TelecapModels", "TelecapLoop",
  "TelecapConformance",
]

/// How a module is optimised in a debug build. `TELECAP_OPTIMIZED=all` is for AddressSanitizer, whose tests would take hours, and
/// `TELECAP_OPTIMIZED=none` for a debugger. SwiftPM takes such flags from no package that another one depends on.
func optimized(_ name: String) -> [SwiftSetting] {
  let which = Context.environment["TELECAP_OPTIMIZED"] ?? "hot"
  let isDependency = Context.packageDirectory.contains("/checkouts/")
  guard !isDependency, which == "all" || which == "hot" && hotModules.contains(name) else { return [] }
  return [.unsafeFlags(["-O", "-whole-module-optimization", "-num-threads", "2"], .when(configuration: .debug))]
}

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies, swiftSettings: settings + optimized(name),
    // Rounding and roots call libm, which on Linux only Foundation links by itself.
    linkerSettings: name == "TelecapText" ? [.linkedLibrary("m", .when(platforms: [.linux]))] : [])
}

func tests(of name: String, _ more: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name), "TelecapTestSupport"] + more, exclude: exclude,
    swiftSettings: settings)
}

/// The test targets that are built: all, or those that `TELECAP_TESTS` names, with what they depend on and nothing else, so that
/// a sanitizer need not build the rest.
let testTargets = Context.environment["TELECAP_TESTS"].map { $0.split(separator: " ").map(String.init) }

func built(_ targets: [Target]) -> [Target] {
  guard var added = testTargets else { return targets }
  var names = Set<String>()
  while let name = added.popLast() {
    guard names.insert(name).inserted else { continue }
    for dependency in targets.first(where: { $0.name == name })?.dependencies ?? [] {
      if case .byNameItem(let name, _) = dependency { added.append(name) }
    }
  }
  return targets.filter { names.contains($0.name) }
}

/// The program that `make fuzz` makes: it is linked with libFuzzer, so it is there only when that is asked for.
let fuzzer: [Target] =
  Context.environment["TELECAP_FUZZ"] == nil
  ? []
  : [
    .executableTarget(
      name: "telecap-fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzzing/Driver", swiftSettings: settings,
      // GNU gold, which Swift takes on Linux, ends with an internal error over sanitizers.
      linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))])
  ]

let products: [Product] = [
  .executable(name: "telecap", targets: ["telecap"]),
  .library(name: "TelecapText", targets: ["TelecapText"]),
  .library(name: "TelecapRecording", targets: ["TelecapRecording"]),
  .library(name: "TelecapWire", targets: ["TelecapWire"]),
  .library(name: "TelecapTele", targets: ["TelecapTele"]),
  .library(name: "TelecapMouse", targets: ["TelecapMouse"]),
  .library(name: "TelecapImpairment", targets: ["TelecapImpairment"]),
  .library(name: "TelecapModels", targets: ["TelecapModels"]),
  .library(name: "TelecapLoop", targets: ["TelecapLoop"]),
  .library(name: "TelecapHaptics", targets: ["TelecapHaptics"]),
  .library(name: "TelecapConformance", targets: ["TelecapConformance"]),
  .library(name: "TelecapSuites", targets: ["TelecapSuites"]),
]

let package = Package(
  name: "telecap",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: testTargets == nil ? products : [],
  // Exact versions make builds repeatable. An update is a commit of this project.
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2", traits: []),
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
  ],
  targets: built(
    [
      .systemLibrary(name: "CPcap", pkgConfig: "libpcap", providers: [.apt(["libpcap-dev"]), .brew(["libpcap"])]),
      .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
      .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
      .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
      .target(name: "CSockets"),
      .target(name: "CStore"),
      .target(name: "CReport", exclude: ["page.js", "page.css", "wireshark.lua"]),
      library("TelecapText"),
      library("TelecapRecording"),
      library("TelecapPlatform"),
      library("TelecapWire", ["TelecapText", "TelecapRecording"]),
      library("TelecapModels", ["TelecapText", "TelecapRecording", "TelecapWire"]),
      library("TelecapTele", ["TelecapText", "TelecapRecording", "TelecapWire", "TelecapModels"]),
      library("TelecapMouse", ["TelecapText", "TelecapRecording", "TelecapWire", "TelecapModels"]),
      library(
        "TelecapImpairment",
        ["TelecapText", "TelecapRecording", .product(name: "HeapModule", package: "swift-collections")]),
      library("TelecapHaptics", ["TelecapText", "TelecapRecording"]),
      library("TelecapLoop", ["TelecapRecording", "TelecapWire", "TelecapImpairment", "TelecapModels"]),
      library(
        "TelecapConformance",
        [
          "TelecapText", "TelecapRecording", "TelecapWire", "TelecapImpairment", "TelecapModels", "TelecapLoop",
          "CYAML", .product(name: "DequeModule", package: "swift-collections"),
        ]),
      library(
        "TelecapSuites",
        [
          "TelecapText", "TelecapRecording", "TelecapWire", "TelecapTele", "TelecapMouse", "TelecapImpairment",
          "TelecapModels", "TelecapHaptics", "TelecapConformance",
        ]),
      library(
        "TelecapProtocols",
        [
          "TelecapText", "TelecapRecording", "TelecapWire", "TelecapTele", "TelecapMouse", "TelecapConformance",
        ]),
      library("TelecapCapture", ["TelecapPlatform", "TelecapRecording", "TelecapWire", "CPcap", "CZlib"]),
      library(
        "TelecapStore", ["TelecapText", "TelecapPlatform", "TelecapRecording", "TelecapWire", "CSQLite", "CStore"]),
      library(
        "TelecapFiles",
        ["TelecapText", "TelecapPlatform", "TelecapRecording", "TelecapWire", "TelecapCapture", "TelecapStore"]),
      library(
        "TelecapTransport",
        [
          "TelecapText", "TelecapPlatform", "TelecapRecording", "TelecapWire", "TelecapTele", "TelecapImpairment",
          "TelecapModels", "TelecapLoop", "TelecapConformance", "CSockets",
          .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
          .product(name: "Histogram", package: "hdrhistogram-swift"),
          .product(name: "Subprocess", package: "swift-subprocess", condition: .when(platforms: [.linux, .macOS])),
          .product(name: "SystemPackage", package: "swift-system", condition: .when(platforms: [.linux])),
        ]),
      library(
        "TelecapReplay",
        [
          "TelecapText", "TelecapPlatform", "TelecapRecording", "TelecapWire", "TelecapTele", "TelecapMouse",
          "TelecapImpairment", "TelecapModels", "TelecapLoop", "TelecapConformance", "TelecapSuites",
          "TelecapProtocols",
          "TelecapCapture", "TelecapStore", "TelecapFiles", "TelecapTransport", "TelecapReport",
        ]),
      library(
        "TelecapReport",
        [
          "CReport", "TelecapText", "TelecapRecording", "TelecapWire", "TelecapImpairment", "TelecapModels",
          "TelecapConformance",
        ]),
      library(
        "TelecapWeb",
        [
          "TelecapText", "TelecapPlatform", "TelecapRecording", "TelecapWire", "TelecapImpairment", "TelecapModels",
          "TelecapLoop",
          "TelecapConformance", "TelecapSuites",
          "TelecapProtocols", "TelecapCapture", "TelecapStore", "TelecapFiles", "TelecapTransport", "TelecapReport",
          "TelecapReplay", .product(name: "NIOCore", package: "swift-nio"),
          .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
        ]),
      library(
        "TelecapHapticTools",
        [
          "TelecapText", "TelecapRecording", "TelecapWire", "TelecapTele", "TelecapImpairment", "TelecapModels",
          "TelecapHaptics", "TelecapLoop", "TelecapConformance", "TelecapSuites", "TelecapCapture", "TelecapStore",
          "TelecapFiles", "TelecapTransport", "TelecapReport", "TelecapReplay",
        ]),
      .executableTarget(
        name: "telecap",
        dependencies: [
          "TelecapText", "TelecapRecording", "TelecapWire", "TelecapTele", "TelecapMouse", "TelecapImpairment",
          "TelecapModels", "TelecapHaptics", "TelecapLoop", "TelecapConformance", "TelecapSuites", "TelecapProtocols",
          "TelecapCapture", "TelecapStore", "TelecapFiles", "TelecapTransport", "TelecapReport",
          "TelecapReplay", "TelecapHapticTools", "TelecapWeb",
          .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ],
        swiftSettings: settings),
      .target(
        name: "TelecapTestSupport", dependencies: ["TelecapPlatform", "TelecapRecording"],
        path: "Tests/TelecapTestSupport",
        swiftSettings: settings),
      .target(
        name: "FuzzTargets",
        dependencies: [
          "TelecapText", "TelecapPlatform", "TelecapRecording", "TelecapWire", "TelecapTele", "TelecapMouse",
          "TelecapImpairment",
          "TelecapModels", "TelecapHaptics", "TelecapConformance", "TelecapSuites", "TelecapProtocols",
          "TelecapCapture", "TelecapStore", "TelecapFiles", "TelecapTransport", "TelecapReport", "TelecapReplay",
          "TelecapWeb", "CSQLite",
        ], path: "Tests/Fuzzing/Targets", swiftSettings: settings),
      .target(
        name: "TelecapMutants",
        dependencies: [
          "TelecapText", "TelecapRecording", "TelecapWire", "TelecapTele", "TelecapMouse", "TelecapImpairment",
          "TelecapHaptics", "TelecapModels", "TelecapConformance", "TelecapProtocols", "TelecapSuites",
        ], path: "Tests/TelecapMutants", swiftSettings: settings),
      .executableTarget(
        name: "mutants", dependencies: ["TelecapMutants", "TelecapReplay"], path: "Tests/Mutants/Program",
        swiftSettings: settings),
      tests(of: "TelecapText", ["TelecapRecording"]),
      tests(of: "TelecapRecording"),
      tests(of: "TelecapPlatform"),
      tests(of: "TelecapWire", ["TelecapRecording", "TelecapTele", "TelecapMouse", "TelecapProtocols"]),
      tests(of: "TelecapTele", ["TelecapRecording", "TelecapWire"]),
      tests(of: "TelecapImpairment", ["TelecapRecording"]),
      tests(of: "TelecapModels", ["TelecapRecording", "TelecapWire", "TelecapTele", "TelecapMouse"]),
      tests(of: "TelecapHaptics", ["TelecapRecording"]),
      tests(
        of: "TelecapLoop",
        ["TelecapRecording", "TelecapWire", "TelecapTele", "TelecapMouse", "TelecapImpairment", "TelecapModels"]),
      tests(
        of: "TelecapConformance",
        ["TelecapReplay", "TelecapLoop", "TelecapSuites", "TelecapTele", "TelecapMouse", "TelecapProtocols"]),
      tests(of: "TelecapSuites", ["TelecapConformance", "TelecapTele", "TelecapMouse"]),
      tests(of: "TelecapMutants", ["TelecapConformance", "TelecapReplay", "TelecapSuites"]),
      tests(of: "TelecapProtocols", ["TelecapRecording", "TelecapWire", "TelecapConformance", "TelecapSuites"]),
      tests(of: "TelecapCapture", ["TelecapTele", "TelecapMouse", "TelecapProtocols"]),
      tests(of: "TelecapStore", ["TelecapTele", "TelecapMouse", "TelecapProtocols", "CSQLite"]),
      tests(
        of: "TelecapFiles",
        [
          "TelecapText", "TelecapRecording", "TelecapWire", "TelecapCapture", "TelecapStore", "TelecapTele",
          "TelecapProtocols", "TelecapReport",
        ]),
      tests(
        of: "TelecapReplay",
        [
          "TelecapText", "TelecapPlatform", "TelecapRecording", "TelecapWire", "TelecapTele", "TelecapMouse",
          "TelecapImpairment",
          "TelecapModels", "TelecapHaptics", "TelecapConformance", "TelecapSuites", "TelecapProtocols",
          "TelecapCapture",
          "TelecapStore", "TelecapFiles", "TelecapTransport", "TelecapReport", "CSQLite",
        ]),
      tests(
        of: "TelecapHapticTools",
        [
          "TelecapText", "TelecapPlatform", "TelecapRecording", "TelecapWire", "TelecapTele", "TelecapImpairment",
          "TelecapModels", "TelecapHaptics", "TelecapProtocols", "TelecapStore", "TelecapFiles", "TelecapReport",
          "TelecapReplay",
        ]),
      tests(
        of: "TelecapTransport",
        [
          "TelecapPlatform", "TelecapReplay", "TelecapRecording", "TelecapTele", "TelecapMouse", "TelecapSuites",
          "TelecapProtocols",
          "CSockets",
          .product(name: "NIOCore", package: "swift-nio"),
          .product(name: "NIOEmbedded", package: "swift-nio"),
          .product(name: "NIOPosix", package: "swift-nio"),
        ]),
      tests(
        of: "TelecapReport",
        ["TelecapSuites", "TelecapTele", "TelecapMouse", "TelecapProtocols", "TelecapHapticTools"], exclude: ["Golden"]),
      tests(
        of: "TelecapWeb",
        [
          "TelecapPlatform", "TelecapRecording", "TelecapWire", "TelecapProtocols", "TelecapStore", "TelecapFiles",
          "TelecapReport",
          "TelecapReplay", "TelecapTransport", "TelecapConformance", "TelecapSuites", "CSQLite",
        ]),
      tests(
        of: "telecap",
        [
          "TelecapText", "TelecapPlatform", "TelecapRecording", "TelecapWire", "TelecapTele", "TelecapMouse",
          "TelecapImpairment",
          "TelecapModels", "TelecapHaptics", "TelecapLoop", "TelecapConformance", "TelecapSuites", "TelecapProtocols",
          "TelecapCapture", "TelecapStore", "TelecapFiles", "TelecapTransport", "TelecapReplay", "TelecapHapticTools",
          "CSockets", "CSQLite",
          .product(name: "ArgumentParser", package: "swift-argument-parser"),
          .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
        ], exclude: ["Golden"]),
      .testTarget(
        name: "FuzzingTests", dependencies: ["FuzzTargets", "TelecapTestSupport"], swiftSettings: settings),
      .testTarget(name: "LayeringTests", dependencies: ["TelecapTestSupport"], swiftSettings: settings),
    ] + fuzzer)
)
