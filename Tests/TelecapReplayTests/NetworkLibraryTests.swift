import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapReplay
import TelecapTestSupport
import Testing

@Suite struct NetworkLibraryTests {
  private static let text =
    "network: mine\ntitle: mine\nsource: measured here\ndelay: 20ms\nkeep-order: true\nhostile: 1%\n"

  @Test("A network is found by its name in the folder, and by its path anywhere")
  func found() throws {
    let folder = try Folder()
    try Folders.create(folder["networks"])
    let path = try folder.write(Array(Self.text.utf8), to: "networks/mine.yaml")
    let library = NetworkLibrary(scenarios: folder[""])
    #expect(library.names == ["mine"])
    for name in ["mine", path] {
      let network = try library.read(name)
      #expect(network.name == "mine" && network.impairments.description == "--hostile 1% --delay 20ms --keep-order")
    }
  }

  @Test("One that is not there is told with those that are")
  func unknown() throws {
    let folder = try Folder()
    try Folders.create(folder["networks"])
    _ = try folder.write(Array(Self.text.utf8), to: "networks/mine.yaml")
    let library = NetworkLibrary(scenarios: folder[""])
    #expect(throws: NetworkProblem(name: "mime", names: ["mine"])) { try library.read("mime") }
    #expect("\(NetworkProblem(name: "mime", names: ["mine"]))" == #"there is no network "mime"; did you mean "mine"?"#)
    #expect(
      "\(NetworkProblem(name: "zzzzzzz", names: ["a", "b"]))" == #"there is no network "zzzzzzz"; there are a, b"#)
    #expect(throws: FileError.self) { try library.read("./none.yaml") }
    #expect(ExitStatus(of: NetworkProblem(name: "x", names: [])) == .usage)
  }

  @Test("A scenario names one of its folder's networks, and one that is not there is told with its place")
  func inScenario() throws {
    let folder = try Folder()
    try Folders.create(folder["networks"])
    _ = try folder.write(Array(Self.text.utf8), to: "networks/mine.yaml")
    func scenario(_ network: String) throws -> Scenario {
      let text = """
        # A host hears what comes late.
        requirement: tele.hello.busy
        role: host
        impair: {network: \(network), delay: 5ms}
        steps: [{send: HELLO, answer: OK}]

        """
      for parent in ["tele", "tele/hello"] where !Folders.exists(folder[parent]) { try Folders.create(folder[parent]) }
      _ = try folder.write(Array(text.utf8), to: "tele/hello/busy.yaml")
      return try ScenarioFolder(folder["."]).scenario("tele/hello/busy.yaml")
    }
    #expect(try scenario("mine").impairments.description == "--hostile 1% --delay 5ms --keep-order")
    do {
      _ = try scenario("theirs")
      Issue.record("a network that is not there was taken")
    } catch {
      #expect("\(error)".contains("busy.yaml:4:19: there is no network \"theirs\"; there are "))
    }
  }
}
