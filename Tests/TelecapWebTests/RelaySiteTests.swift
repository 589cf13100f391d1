import TelecapImpairment
import TelecapProtocols
import TelecapReport
import TelecapSuites
import TelecapTestSupport
import TelecapTransport
import TelecapWire
import Testing

@testable import TelecapWeb

/// The page of a relay, and who changes its network to what.
@Suite(.real("sockets")) struct RelaySiteTests {
  private static let gate = PageGate(token: "t", hosts: ["h"], takesChanges: true)

  private static func server() throws -> PageServer {
    let network = try RelayNetwork(
      up: Impairments(parsing: "--delay 1s --jitter 5ms --distribution normal"), down: .none, seed: 1, Protocols.builtIn
    )
    let relay = ShownRelay("udp:1=x:2", RelayController(), network, Protocols.builtIn, tell: { _ in })
    return PageServer(
      LivePages(relay, recording: nil, tool: "test").pages.compactMap(\.site),
      at: HostPort(host: "127.0.0.1", port: nil))
  }

  private static func status(_ request: PageRequest) async throws -> Int {
    try await server().answer(request, gate).status
  }

  @Test(
    "A request without the token or with a missing or foreign origin changes nothing",
    arguments: [
      (PageRequest(method: "POST", path: "/t/0/network", host: "h"), 403),
      (PageRequest(method: "POST", path: "/t/0/network", host: "h", origin: "http://x"), 403),
      (PageRequest(method: "POST", path: "/t/0/network", host: "h", origin: "null"), 403),
      (PageRequest(method: "POST", path: "/t/0/network", host: "x", origin: "http://h"), 403),
      (PageRequest(method: "POST", path: "/u/0/network", host: "h", origin: "http://h"), 404),
      (PageRequest(method: "PUT", path: "/t/0/network", host: "h", origin: "http://h"), 405),
      (PageRequest(method: "GET", path: "/t/0/network", host: "h", origin: "http://h"), 404),
      (PageRequest(method: "POST", path: "/t/0/", host: "h", origin: "http://h"), 404),
      // It may, and no relay runs.
      (PageRequest(method: "POST", path: "/t/0/network", form: ["loss": "1"], host: "h", origin: "http://h"), 503),
    ])
  func gate(_ request: PageRequest, _ status: Int) async throws {
    #expect(try await Self.status(request) == status)
  }

  @Test(
    "A value outside its slider, or of no slider, is an error with the range",
    arguments: [
      (["loss": "101"], "loss is \"101\"; it is 0 to 100 %"), (["loss": "nan"], "loss is \"nan\""),
      (["delay": "-1"], "delay is \"-1\"; it is 0 to 1000 ms"), (["jitter": "1e300"], "it is 0 to 500 ms"),
      (["way": "sideways"], "way is both, up, down"),
      (["network": "/etc/passwd"], "there is no network \"/etc/passwd\"; there are "),
      (["network": "lte/../lte"], "there is no network"),
      (["loss": "1", "size": "3"], "there is no \"size\" to change"),
      ([:], "The form says nothing"),
    ])
  func values(_ form: [String: String], _ words: String) async throws {
    let request = PageRequest(method: "POST", path: "/t/0/network", form: form, host: "h", origin: "http://h")
    let answer = try await Self.server().answer(request, Self.gate)
    #expect(answer.status == 400 && answer.body.contains(words), "\(answer.body)")
  }

  @Test("Sliders start at the values of the command, and keep the impairments that they cannot show")
  func positions() async throws {
    let page = try await Self.server().answer(PageRequest(path: "/t/0/", host: "h"), Self.gate)
    #expect(
      page.status == 200 && page.body.contains("name=\"delay\" min=\"0\" max=\"1000\" step=\"0.5\" value=\"1000\""))
    #expect(page.body.contains("<option value=\"up\" selected>") && page.body.contains("The relay does not run."))
    let former = try Impairments(parsing: "--jitter 5ms --distribution normal --corrupt 3%")
    let request = try RelayRequest(["loss": "2.5", "jitter": "7", "way": "up"], after: former)
    #expect(request.way == .up)
    #expect(
      request.impairments == (try Impairments(parsing: "--loss 2.5% --jitter 7ms --distribution normal --corrupt 3%")))
    #expect(try RelayRequest([:], after: .none).impairments.asked.isEmpty)
  }

  @Test("The network profiles of the folder can be chosen by their names")
  func networks() async throws {
    let page = try await Self.server().answer(PageRequest(path: "/t/0/", host: "h"), Self.gate)
    #expect(page.body.contains("<option value=\"lte\">lte</option>"))
    #expect(page.body.contains("<option value=\"\">perfect</option>"))
  }
}
