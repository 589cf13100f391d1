import Testing

/// The checker is tried on sources that are wrong in just the way it looks for.
@Suite struct ImportReaderTests {
  private static let wire = Room("TelecapWire", ["TelecapRecording"])

  @Test(
    "An import that is not allowed is found, whatever stands around it",
    arguments: [
      "import Foundation", "  import Foundation", "@testable import Foundation", "@preconcurrency import Foundation",
      "public import Foundation", "@_exported public import Foundation", "internal import Foundation",
      "import struct Foundation.URL", "import func Foundation.memcpy", "import Foundation.NSURL", "import `Foundation`",
      "let a = 1; import Foundation", "import\tFoundation // why", "/* a */ import Foundation",
      "@_spi(Private) import Foundation", "#if os(Linux)\nimport Foundation\n#endif",
      "let s = \"//\"; import Foundation",
      "let s = \"\\\"/*\"\nimport Foundation\nlet t = \"*/\"", "let s = #\"\\\"#; import Foundation",
      "/* a /* b */ c */ import Foundation", "/// doc\nimport Foundation",
      "let s = \"\"\"\n  text\n  \"\"\"\nimport Foundation",
    ])
  func found(_ source: String) {
    #expect(ImportReader.imports(in: source).map(\.module) == ["Foundation"])
    #expect(ImportReader.violations(in: source, path: "A.swift", room: ImportReaderTests.wire).count == 1)
  }

  @Test(
    "What is no import is none",
    arguments: [
      "", "// import Foundation", "/* import Foundation */", "/*\nimport Foundation\n*/",
      "/* /* */ import Foundation */",
      "/// import Foundation", "let s = \"import Foundation\"", "let s = \"\"\"\n  import Foundation\n  \"\"\"",
      "let s = #\"\"\"\n  \"\"\"\n  import Foundation\n  \"\"\"#", "importFoundation()",
      "let imported = Foundation.self",
      "func f(import Foundation: Int)", "x.import Foundation",
    ])
  func notFound(_ source: String) {
    #expect(ImportReader.imports(in: source) == [])
  }

  @Test("The sentence names file, line, room and module")
  func sentence() {
    let source =
      "import TelecapRecording\n\n/*\n a\n*/\npublic import struct Foundation.URL\n@testable import TelecapWire\n"
    #expect(
      ImportReader.violations(in: source, path: "Sources/TelecapWire/A.swift", room: ImportReaderTests.wire) == [
        "Sources/TelecapWire/A.swift:6: TelecapWire must not import Foundation",
        "Sources/TelecapWire/A.swift:7: TelecapWire must not import TelecapWire",
      ])
  }

  @Test("What the row names is allowed")
  func allowed() {
    let store = Room("TelecapStore", ["TelecapRecording", "GRDB"], system: ["Glibc"])
    let source = "import GRDB\nimport TelecapRecording\n#if canImport(Glibc)\n  import Glibc\n#endif\n"
    #expect(ImportReader.violations(in: source, path: "A.swift", room: store) == [])
    #expect(ImportReader.imports(in: source).map(\.line) == [1, 2, 4])
  }

  @Test("Targets are read out of a manifest with their dependencies, without tests and packages")
  func manifest() {
    let manifest = """
      func library(_ name: String) -> Target { .target(name: name) }
      let package = Package(
        dependencies: [.package(url: "https://example.org/x", from: "1.0.0")],
        targets: [
          .systemLibrary(name: "C", pkgConfig: "libc", providers: [.apt(["c-dev"])]),
          .target(name: "D"),
          library("A"),
          library("B", ["A", .product(name: "X", package: "x")]),
          library(
            "E", [
              "B", "C",
            ]),
          .executableTarget(name: "f", dependencies: ["A", .product(name: "Y", package: "y")], swiftSettings: settings),
          tests(of: "A"),
          .testTarget(name: "ATests", dependencies: ["A"]),
        ]
      )
      """
    #expect(
      PackageReader.targets(in: manifest) == [
        PackageTarget(name: "C", dependencies: []), PackageTarget(name: "D", dependencies: []),
        PackageTarget(name: "A", dependencies: []), PackageTarget(name: "B", dependencies: ["A", "X"]),
        PackageTarget(name: "E", dependencies: ["B", "C"]), PackageTarget(name: "f", dependencies: ["A", "Y"]),
      ])
  }
}
