import Foundation
import TelecapTestSupport
import Testing

/// The checker is tried on sources that are wrong in just the way it looks for.
@Suite(.real("runs the compiler")) struct CompilerImportsTests {
  private static let wire = Room("TelecapWire", ["TelecapRecording"])

  @Test(
    "An import that is not allowed is found in any surrounding code",
    arguments: [
      "import Foundation", "@testable import Foundation", "@_exported public import Foundation",
      "internal import Foundation", "import struct Foundation.URL", "import `Foundation`",
      "let a = 1; import Foundation", "/* a /* b */ c */ import\tFoundation // why",
      "@_spi(Private) import Foundation", "#if os(Linux) || os(macOS)\nimport Foundation\n#endif",
      "let s = \"/*\"\nimport Foundation\nlet t = \"*/\"",
    ])
  func found(_ source: String) throws {
    try TemporaryRoom.with(["A.swift": source, "B.swift": "import TelecapRecording\n"]) { files in
      let found = try CompilerImports.violations(in: files, of: CompilerImportsTests.wire)
      #expect(found == ["A.swift: TelecapWire must not import Foundation"])
    }
  }

  @Test(
    "Text that only looks like an import is no import",
    arguments: [
      "", "/* /* */ import Foundation */", "let s = \"import Foundation\"",
      "let s = #\"\"\"\n  \"\"\"\n  import Foundation\n  \"\"\"#", "func f(import Foundation: Int) {}",
    ])
  func notFound(_ source: String) throws {
    try TemporaryRoom.with(["A.swift": source]) { files in
      let found = try CompilerImports.modules(of: files, module: "A")
      #expect(found == [])
    }
  }

  @Test("Imports of the row are allowed, and each file with another import is named")
  func allowed() throws {
    let store = Room("TelecapStore", ["TelecapRecording", "CSQLite"], system: ["Glibc", "Darwin"])
    let libc = "#if canImport(Glibc)\n  import Glibc\n#else\n  import Darwin\n#endif\n"
    try TemporaryRoom.with([
      "A.swift": "import CSQLite\nimport TelecapRecording\n" + libc, "B.swift": "import TelecapWire\nimport CPcap\n",
      "C.swift": "import CSQLite\nimport TelecapWire\n",
    ]) { files in
      let first = try CompilerImports.violations(in: Array(files.prefix(1)), of: store)
      let all = try CompilerImports.violations(in: files, of: store)
      #expect(first == [])
      #expect(
        all == [
          "B.swift: TelecapStore must not import CPcap", "B.swift: TelecapStore must not import TelecapWire",
          "C.swift: TelecapStore must not import TelecapWire",
        ])
    }
  }

  @Test("Sources that do not compile are an error, and not a list without imports")
  func broken() throws {
    try TemporaryRoom.with(["A.swift": "import Foundation\nlet a = \n"]) { files in
      #expect(throws: CompilerImports.Failure.self) { try CompilerImports.modules(of: files, module: "A") }
    }
  }
}

/// The checks on the package are tried on manifests that are wrong in just the way they look for.
@Suite struct PackageReaderTests {
  @Test("A target that depends on a protocol's module through another one is found")
  func reach() {
    let reach = Reach([
      PackageTarget(name: "Tele", dependencies: ["Wire"]), PackageTarget(name: "Suites", dependencies: ["Tele"]),
      PackageTarget(name: "Store", dependencies: ["Wire"]), PackageTarget(name: "Report", dependencies: ["Suites"]),
    ])
    #expect(reach.everything(of: "Report") == ["Suites", "Tele", "Wire"])
    #expect(reach.violations(["Tele": ["Suites", "Report"]]) == [])
    #expect(reach.violations(["Tele": ["Suites"]]) == ["Report must not depend on Tele, the room of a protocol"])
    #expect(reach.violations(["Mouse": []]) == [])
  }

  @Test("The targets of a manifest are read with their dependencies, without tests and packages")
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
          .target(name: "S", dependencies: ["A"], path: "Tests/S"),
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
        PackageTarget(name: "E", dependencies: ["B", "C"]), PackageTarget(name: "S", dependencies: ["A"]),
        PackageTarget(name: "f", dependencies: ["A", "Y"]),
      ])
  }
}

/// Sources in a folder that is gone afterwards.
private enum TemporaryRoom {
  static func with(_ sources: [String: String], _ body: ([URL]) throws -> Void) throws {
    let folder = try Folder()
    let paths = try sources.keys.sorted().map { try folder.write(Array((sources[$0] ?? "").utf8), to: $0) }
    try withExtendedLifetime(folder) { try body(paths.map { URL(filePath: $0) }) }
  }
}
