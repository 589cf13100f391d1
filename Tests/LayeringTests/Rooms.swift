/// The imports that one target may have.
struct Room: Sendable, CustomStringConvertible {
  let name: String
  /// Targets and products that it depends on: Package.swift must name just these.
  let dependencies: Set<String>
  /// Modules of the system that it may import besides.
  let system: Set<String>

  var description: String { name }
  var allowed: Set<String> { dependencies.union(system) }

  init(_ name: String, _ dependencies: Set<String> = [], system: Set<String> = []) {
    (self.name, self.dependencies, self.system) = (name, dependencies, system)
  }
}

/// The table of the design, "Targets". Those up to Suites are pure: the standard library and one another.
enum Rooms {
  private static let libc: Set<String> = ["Glibc", "Musl", "Darwin"]
  private static let pure: Set<String> = [
    "TelecapText", "TelecapRecording", "TelecapWire", "TelecapTele", "TelecapMouse", "TelecapImpairment",
    "TelecapModels", "TelecapHaptics", "TelecapLoop", "TelecapConformance",
  ]

  static let all = [
    Room("TelecapText"),
    Room("TelecapRecording"),
    Room("TelecapPlatform", system: libc),
    // CONFIG must hold JSON; a plan is JSON Lines, and its times and chances are decimal numbers; events are printed as JSON.
    Room("TelecapWire", ["TelecapText", "TelecapRecording"]),
    Room("TelecapModels", ["TelecapText", "TelecapRecording", "TelecapWire"]),
    Room("TelecapTele", ["TelecapText", "TelecapRecording", "TelecapWire", "TelecapModels"]),
    Room("TelecapMouse", ["TelecapText", "TelecapRecording", "TelecapWire", "TelecapModels"]),
    Room("TelecapImpairment", ["TelecapText", "TelecapRecording", "HeapModule"]),
    Room("TelecapHaptics", ["TelecapText", "TelecapRecording"]),
    Room("TelecapLoop", ["TelecapRecording", "TelecapWire", "TelecapImpairment", "TelecapModels"]),
    // Text only until YAML and what programs print are read in a room of their own.
    Room(
      "TelecapConformance",
      [
        "TelecapText", "TelecapRecording", "TelecapWire", "TelecapImpairment", "TelecapModels", "TelecapLoop", "CYAML",
        "DequeModule",
      ]),
    Room("TelecapSuites", pure.subtracting(["TelecapLoop"])),
    Room(
      "TelecapProtocols",
      ["TelecapText", "TelecapRecording", "TelecapWire", "TelecapTele", "TelecapMouse", "TelecapConformance"]),
    Room("TelecapCapture", ["TelecapPlatform", "TelecapRecording", "TelecapWire", "CPcap", "CZlib"], system: libc),
    Room(
      "TelecapStore", ["TelecapText", "TelecapPlatform", "TelecapRecording", "TelecapWire", "CSQLite", "CStore"],
      system: libc.union(["Dispatch"])),
    // Text: what is exported as JSON.
    Room(
      "TelecapFiles",
      ["TelecapText", "TelecapPlatform", "TelecapRecording", "TelecapWire", "TelecapCapture", "TelecapStore"],
      system: libc),
    Room(
      "TelecapTransport",
      pure.subtracting(["TelecapMouse", "TelecapHaptics"]).union([
        "TelecapPlatform", "CSockets", "NIOCore", "NIOPosix", "Histogram", "Subprocess", "SystemPackage",
      ]),
      system: libc.union(["System"])),
    Room(
      "TelecapReport",
      pure.subtracting(["TelecapLoop", "TelecapTele", "TelecapMouse", "TelecapHaptics"]).union(["CReport"])),
    Room(
      "TelecapReplay",
      pure.subtracting(["TelecapHaptics"]).union([
        "TelecapPlatform", "TelecapSuites", "TelecapProtocols", "TelecapCapture", "TelecapStore", "TelecapFiles",
        "TelecapTransport",
        "TelecapReport",
      ])),
    Room(
      "TelecapWeb",
      [
        "TelecapText", "TelecapPlatform", "TelecapRecording", "TelecapWire", "TelecapImpairment", "TelecapModels",
        "TelecapLoop",
        "TelecapConformance", "TelecapSuites",
        "TelecapProtocols", "TelecapCapture", "TelecapStore", "TelecapFiles", "TelecapTransport", "TelecapReport",
        "TelecapReplay", "NIOCore", "NIOHTTP1", "NIOPosix",
      ]),
    // The work of the commands ahap, sync, senses and touch: only the command imports it.
    Room(
      "TelecapHapticTools",
      pure.subtracting(["TelecapMouse"]).union([
        "TelecapSuites", "TelecapCapture", "TelecapStore", "TelecapFiles", "TelecapTransport", "TelecapReport",
        "TelecapReplay",
      ])),
    Room(
      "telecap",
      pure.union([
        "TelecapSuites", "TelecapProtocols", "TelecapCapture", "TelecapStore", "TelecapFiles", "TelecapTransport",
        "TelecapReplay", "TelecapReport", "TelecapHapticTools", "TelecapWeb", "ArgumentParser",
      ]),
      system: libc),
  ]

  /// The modules of protocols, and the modules that may depend on each, directly or transitively. A module that does
  /// not exist yet may be listed. All other modules know a protocol as a value only.
  static let protocolUsers: [String: Set<String>] = [
    "TelecapTele": users.union(["TelecapTransport", "TelecapHapticTools"]),
    "TelecapMouse": users.union(["TelecapHapticTools"]),
    "TelecapHaptics": users.subtracting(["TelecapProtocols"]).union(["TelecapHapticTools"]),
  ]

  /// The modules that may know each protocol: those that replay to our own peers, by the suites, and the pages by it.
  private static let users: Set<String> = [
    "TelecapSuites", "TelecapProtocols", "TelecapReplay", "TelecapWeb", "telecap", "FuzzTargets", "TelecapMutants",
    "mutants",
  ]

  /// Rooms of C: module maps and shims, no Swift.
  static let shims: Set<String> = ["CPcap", "CReport", "CSQLite", "CSockets", "CStore", "CYAML", "CZlib"]

  /// The shared code of the tests: under Tests, and nothing outside the tests may depend on it. It knows no protocol.
  static let testSupport = Room(
    "TelecapTestSupport", ["TelecapPlatform", "TelecapRecording"],
    system: libc.union(["Foundation", "Testing"]))

  /// The code by which fuzzers and tests read untrusted bytes: under Tests, and nothing outside the tests may depend on
  /// it.
  static let fuzzTargets = Room(
    "FuzzTargets",
    pure.subtracting(["TelecapLoop"]).union([
      "TelecapSuites", "TelecapProtocols", "TelecapPlatform", "TelecapCapture", "TelecapStore", "TelecapFiles",
      "TelecapTransport", "TelecapReport", "TelecapReplay", "TelecapWeb", "CSQLite",
    ]), system: libc.union(["Foundation", "Dispatch"]))

  /// Our models with one thing changed each, and the program that runs the suite against them: under Tests, of no room, and
  /// nothing outside the tests may depend on them.
  static let mutants = Room(
    "TelecapMutants",
    pure.subtracting(["TelecapLoop"]).union(["TelecapSuites", "TelecapProtocols"]), system: ["Foundation"])
  static let mutantsProgram = Room("mutants", ["TelecapMutants", "TelecapReplay"], system: ["Foundation"])

  /// The targets under Tests that are no tests.
  static let ofTests = [testSupport, fuzzTargets, mutants, mutantsProgram]

  static subscript(name: String) -> Room? { (all + ofTests).first { $0.name == name } }
}
