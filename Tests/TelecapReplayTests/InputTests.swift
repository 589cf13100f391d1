import Foundation
import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapReplay
import TelecapSuites
import TelecapTele
import TelecapTestSupport
import TelecapTransport
import TelecapWire
import Testing

@Suite struct ExitStatusTests {
  @Test("Each room's errors have their status, and others none")
  func errors() {
    #expect(ExitStatus(of: ReplayProblem.standardInput) == .usage)
    #expect(ExitStatus(of: FileError.exists(path: "x")) == .cannotCreate)
    #expect(ExitStatus(of: SystemError("x")) == .unavailable)
    #expect(ExitStatus(of: SystemNameError("x")) == .usage)
    #expect(ExitStatus(of: CaptureFileError.noDecompressor(path: "x", .zstd, reason: "")) == .unavailable)
    #expect(ExitStatus(of: CaptureFileError.cannotDecompress(path: "x", offset: 0, .gzip, reason: "")) == .data)
    #expect(ExitStatus(of: CancellationError()) == nil)
  }
}

@Suite struct ProtocolLibraryTests {
  private let library = ProtocolLibrary(scenarios: Project.file("Scenarios").path)

  @Test("A name is a file of the folder, or a built-in protocol; a path is itself")
  func read() throws {
    #expect(try library.read(["tele", "dsu", "mouse"]).map(\.name) == ["tele", "dsu", "mouse"])
    let path = Project.file("Scenarios/protocols/dsu.yaml").path
    #expect(try library.read([path]).map(\.name) == ["dsu"])
    #expect(try library.read([]).isEmpty)
  }

  @Test("A file that declares a protocol again in the same way is that protocol, built in or not")
  func again() throws {
    let tele = Project.file("Scenarios/protocols/tele.yaml").path
    let read = try library.read([tele, "dsu", "tele", "dsu"])
    #expect(read.count == 2 && read[0] === Tele.wire && read[1].name == "dsu")
    let folder = try Folder()
    let dsu = try String(contentsOf: Project.file("Scenarios/protocols/dsu.yaml"), encoding: .utf8)
    let other = try folder.write(Array(dsu.replacing("timeout: 5s", with: "timeout: 6s").utf8), to: "dsu.yaml")
    let error = #expect(throws: YAMLFileError.self) { try library.read(["dsu", other]) }
    #expect(
      error?.problem
        == "there is a protocol \"dsu\" already, and this is another: session, timeout is \"6 s\" here and "
        + "\"5 s\" there; give it another name")
  }

  @Test("What is not there, there already, or wrong, is told")
  func refused() throws {
    let unknown = #expect(throws: ProtocolProblem.self) { try library.read(["nope"]) }
    #expect(
      unknown?.description.hasPrefix("there is no protocol \"nope\"; there are tele, mouse and, in files, ") == true)
    #expect(unknown?.advice == "name its file, with a slash in it: ./nope.yaml")
    let folder = try Folder()
    let nothing = #expect(throws: ProtocolProblem.self) { try ProtocolLibrary(scenarios: folder.path).read(["x"]) }
    #expect(nothing?.description == "there is no protocol \"x\"; there are tele, mouse")
    #expect(throws: FileError.self) { try library.read(["./nope.yaml"]) }
  }
}

@Suite struct ModelInputTests {
  @Test("Forces and movements are read from files; what is wrong in one is told with its path")
  func files() throws {
    let folder = try Folder()
    let range = try ForceRange(minimum: 0, maximum: 2)
    let forces = try folder.write(Array("0\n1\n2\n".utf8), to: "f.csv")
    _ = try ForceSeries(file: forces, range: range)
    let bad = try folder.write(Array("0\nnonsense\n".utf8), to: "bad.csv")
    let error = #expect(throws: InputFileError.self) { try ForceSeries(file: bad, range: range) }
    #expect(error?.path == bad && error?.description.hasPrefix("\(bad): ") == true)
    #expect(throws: InputFileError.self) { try MouseScript(evemu: bad) }
    #expect(throws: FileError.self) { try MouseScript(evemu: folder["none"]) }
  }
}

@Suite struct ChosenCasesTests {
  private func scenarios() throws -> [Scenario] {
    try ProjectScenarios.all().filter { $0.id.hasPrefix("tele.") }
  }

  private func choice(_ name: String) throws -> SystemChoice { try SystemChoice(name, .all, stop: StopFlag()) }

  @Test("Scenarios of the system's parts run; where there is none, that is told")
  func parts() throws {
    let all = try scenarios()
    let phone = try ChosenCases(all, for: choice("model:phone"), one: nil, budget: .seconds(1), seeds: 2)
    #expect(!phone.scenarios.isEmpty && phone.scenarios.count < all.count && phone.leftOut.isEmpty && phone.seeds == 2)
    #expect(phone.scenarios.allSatisfy { $0.setup.part == Part(.phone) })
    #expect(throws: ReplayProblem.noCase(system: "model:mouse-host")) {
      try ChosenCases(all, for: choice("model:mouse-host"), one: nil, budget: .seconds(1), seeds: nil)
    }
  }

  @Test("On the wall clock the budget decides, unless one case is asked for")
  func budget() throws {
    let wire = try choice("udp://127.0.0.1:9?role=host&code=ABC123")
    let all = try scenarios()
    let short = try ChosenCases(all, for: wire, one: nil, budget: .seconds(5), seeds: nil)
    let long = try ChosenCases(all, for: wire, one: nil, budget: .seconds(500), seeds: nil)
    #expect(short.leftOut.count > long.leftOut.count && short.scenarios.count < long.scenarios.count)
    let one = try #require(try OneCase(network: "none", pieces: 7, seed: 9))
    let single = try ChosenCases(all, for: wire, one: one, budget: .seconds(1), seeds: 5)
    #expect(single.leftOut.isEmpty && single.seeds == nil)
    for scenario in single.scenarios {
      #expect(
        scenario.combinations == [.none] && scenario.pieces == (scenario.hasStream ? [7] : []) && scenario.onlySeed == 9
      )
    }
    let none = try OneCase(network: nil, pieces: nil, seed: nil)
    #expect(none.map { _ in true } == nil)
    #expect(throws: ImpairmentSyntaxError.self) { try OneCase(network: "--loss much", pieces: nil, seed: nil) }
    #expect(throws: (any Error).self) { try OneCase(network: "nonsense", pieces: nil, seed: nil) }
  }

  @Test("A network of one case may be one that changes fields, of messages that the scenarios have")
  func changedFields() throws {
    let hostile = try #require(try OneCase(network: "--set intensity=1.5 --hostile 5%", pieces: nil, seed: nil))
    let haptics = try scenarios().filter { $0.id == "tele.haptic.latest-value-wins.grid" }
    let confined = try hostile.restrict(haptics)
    #expect(!confined.isEmpty)
    for scenario in confined {
      let plan = scenario.script(for: try #require(scenario.cases().first)).plan
      #expect(plan.contains { !$0.changes.isEmpty })
    }
    let mice = try ProjectScenarios.all().filter { $0.id.hasPrefix("mouse.pointer.sum") }
    #expect(!mice.isEmpty)
    #expect(throws: FieldProblem.self) { try hostile.restrict(mice) }
  }

  @Test("Each scenario is told of as it is done, and those that were left out with them, in order")
  func run() async throws {
    let model = try choice("model:phone")
    let some = try scenarios().filter { $0.id.hasPrefix("tele.haptic.") }
    let cases = try ChosenCases(some, for: model, one: nil, budget: .seconds(1), seeds: 1)
    var told: [String] = []
    let result = try await cases.run(against: model) { told.append($0.scenario.id) }
    #expect(result.scenarios.map(\.scenario.id) == told.sorted() && result.passes(strict: false))
    #expect(told.count == cases.scenarios.count && told.count > 3)
  }
}
