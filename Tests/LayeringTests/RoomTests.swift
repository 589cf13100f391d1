import Foundation
import TelecapTestSupport
import Testing

/// The project's own sources and Package.swift against the table of the rooms.
@Suite struct RoomTests {
  private static let root = Project.root
  private static let sources = root.appending(path: "Sources")

  private static func directories() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: sources.path).filter { !$0.hasPrefix(".") })
  }

  private static func swiftFiles(of room: String, in parent: String = "Sources") throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "\(parent)/\(room)").path)
      .filter { $0.hasSuffix(".swift") }.map { "\(parent)/\(room)/\($0)" }.sorted()
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  @Test(
    "A module imports only what its row allows, by the compiler's list", .real("runs the compiler"),
    arguments: Rooms.all)
  func imports(_ room: Room) throws {
    let files = try RoomTests.swiftFiles(of: room.name)
    try #require(!files.isEmpty)
    #expect(try CompilerImports.violations(in: files.map { RoomTests.root.appending(path: $0) }, of: room) == [])
  }

  @Test("The shared code of the tests imports only what its row allows", .real("runs the compiler"))
  func testSupport() throws {
    for (room, folder) in [
      (Rooms.testSupport, Rooms.testSupport.name), (Rooms.fuzzTargets, "Fuzzing/Targets"),
      (Rooms.mutants, Rooms.mutants.name), (Rooms.mutantsProgram, "Mutants/Program"),
    ] {
      let files = try RoomTests.swiftFiles(of: folder, in: "Tests")
      try #require(!files.isEmpty)
      let urls = files.map { RoomTests.root.appending(path: $0) }
      #expect(try CompilerImports.violations(in: urls, of: room) == [])
    }
  }

  @Test("No module depends on a protocol's module that its row does not allow")
  func protocols() throws {
    let targets = PackageReader.targets(in: try RoomTests.text("Package.swift"))
    #expect(Reach(targets).violations(Rooms.protocolUsers) == [])
  }

  @Test("Only Wire and the modules of protocols have literal offsets of messages")
  func literalPlaces() throws {
    var found: [String] = []
    for room in Rooms.all where room.name != "TelecapWire" && Rooms.protocolUsers[room.name] == nil {
      for file in try RoomTests.swiftFiles(of: room.name) {
        found += try LiteralPlaces.found(in: RoomTests.text(file)).map { "\(file):\($0)" }
      }
    }
    #expect(found == [])
  }

  @Test("Every directory under Sources is a module with a row, and every row has a directory")
  func directoriesAndRooms() throws {
    #expect(try RoomTests.directories() == Set(Rooms.all.map(\.name)).union(Rooms.shims))
    for shim in Rooms.shims { #expect(try RoomTests.swiftFiles(of: shim) == [], "\(shim) is C only") }
  }

  @Test("Package.swift gives each target exactly the dependencies of its row")
  func package() throws {
    let targets = PackageReader.targets(in: try RoomTests.text("Package.swift"))
    let rooms = Set(Rooms.all.map(\.name)).union(Rooms.shims)
    #expect(Set(targets.map(\.name)) == rooms.union(Rooms.ofTests.map(\.name)))
    for target in targets {
      #expect(target.dependencies == Rooms[target.name]?.dependencies ?? [], "\(target.name)")
    }
  }

  @Test("Pure modules use no system modules, and each outside library has one importer")
  func table() throws {
    for name in [
      "TelecapRecording", "TelecapWire", "TelecapImpairment", "TelecapModels", "TelecapHaptics", "TelecapLoop",
      "TelecapConformance", "TelecapSuites",
    ] {
      #expect(Rooms[name]?.system == [])
    }
    let importers = [
      "CSQLite": "TelecapStore", "ArgumentParser": "telecap", "CPcap": "TelecapCapture", "CZlib": "TelecapCapture",
      "CSockets": "TelecapTransport", "CStore": "TelecapStore", "CReport": "TelecapReport",
      "Histogram": "TelecapTransport", "HeapModule": "TelecapImpairment", "CYAML": "TelecapConformance",
      "DequeModule": "TelecapConformance", "NIOHTTP1": "TelecapWeb",
    ]
    for (module, importer) in importers {
      #expect(Rooms.all.filter { $0.allowed.contains(module) }.map(\.name) == [importer], "\(module)")
    }
    // Sockets, and the HTTP server of the pages.
    for module in ["NIOCore", "NIOPosix"] {
      #expect(Rooms.all.filter { $0.allowed.contains(module) }.map(\.name) == ["TelecapTransport", "TelecapWeb"])
    }
    for room in Rooms.all { #expect(room.allowed.isDisjoint(with: ["Foundation", "FoundationEssentials"])) }
  }
}
