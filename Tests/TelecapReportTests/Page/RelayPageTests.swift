import TelecapConformance
import TelecapImpairment
import TelecapRecording
import TelecapModels
import TelecapSuites
import TelecapTele
import TelecapWire
import Testing

@testable import TelecapReport

/// The page of a relay: named networks, and how the program behind it stands.
@Suite struct RelayPageTests {
  private static let page = RelayPage(name: "r", others: [], networks: [], tool: "test")

  @Test("A named network is played as it is, and a slider moved afterwards changes only its own")
  func networks() throws {
    let odd = try Impairments(parsing: "--loss 33.33333% --delay 1234567ns")
    let standing = ["network": "odd", "of": "odd", "loss": "33.333", "delay": "1.2346"]
    #expect(
      WhatIfRequest(standing) { $0 == "odd" ? odd : nil }.options.isEmpty, "nobody moved what the page shows rounded")
    #expect(
      WhatIfRequest(standing.merging(["loss": "40"]) { $1 }) { $0 == "odd" ? odd : nil }.options.map(\.0) == ["loss"])
    let lte = try Impairments(parsing: "--loss 0.2% --delay 22.5ms --jitter 15ms --keep-order --rate 50mbit")
    let networks = [NamedNetwork(name: "lte", lte)]
    let chosen = try RelayRequest(["network": "lte", "way": "down"], after: .none, networks: networks)
    #expect(chosen.impairments == lte && chosen.way == .down)
    // As a browser sends all sliders: each where the network put it, but one.
    var form = Dictionary(
      uniqueKeysWithValues: NetworkSlider.all(for: lte).map { ($0.name, "\(RelayRequest.position(of: $0, in: lte))") })
    #expect(try RelayRequest(form, after: lte).impairments == lte)
    form["loss"] = "4"
    #expect(
      try RelayRequest(form, after: lte).impairments
        == Impairments(parsing: "--loss 4% --delay 22.5ms --jitter 15ms --keep-order --rate 50mbit"))
    #expect(try RelayRequest(["network": ""], after: lte, networks: networks).impairments == .none)
    let text = RelayPage(name: "r", others: [], networks: networks, tool: "test").text(nil, lte, .both)
    #expect(text.contains("<option value=\"lte\" selected>") && text.contains("step=\"0.5\" value=\"22.5\""))
  }

  @Test("What a slider cannot say stays while it is not moved")
  func unsayable() throws {
    let former = try Impairments(parsing: "--delay 5s --loss 3%")
    let delay = try #require(NetworkSlider.all(for: former).first { $0.name == "delay" })
    #expect(RelayRequest.position(of: delay, in: former) == 0)
    #expect(
      try RelayRequest(["delay": "0", "loss": "5"], after: former).impairments
        == Impairments(parsing: "--delay 5s --loss 5%"))
    #expect(
      try RelayRequest(["delay": "7", "loss": "0"], after: former).impairments == Impairments(parsing: "--delay 7ms"))
  }

  @Test(
    "A slider of stalls has the period of the network", arguments: [("--stall 2s@20s", 2_000, "20 s"), ("", 0, "5 s")])
  func stall(_ options: String, _ value: Int, _ period: String) throws {
    let network = try Impairments(parsing: options)
    let request = WhatIfRequest(["network": "own"]) { $0 == "own" ? network : nil }
    #expect(Int(request.numbers["stall"] ?? 0) == value && request.options.isEmpty)
    #expect(request.sliders.first { $0.name == "stall" }?.label == "Stall, every \(period)")
    let moved = WhatIfRequest(["network": "own", "of": "own", "stall": "300"]) { $0 == "own" ? network : nil }
    #expect(moved.options.map(\.value) == ["300ms@\(period.replacing(" ", with: ""))"])
    let text = RelayPage(name: "r", others: [], networks: [], tool: "test").text(nil, network, .both)
    #expect(text.contains("Stall, every \(period) <output>\(value) ms</output>"))
    #expect(
      try RelayRequest(["stall": "\(value)"], after: network).impairments == network, "a slider that was not moved")
  }

  @Test("How a judged program stands: what fails first, and that nothing was tried yet")
  func verdicts() throws {
    let none = RelayStanding([], until: .zero, isFinal: false)
    #expect(Self.page.text(nil, .none, .both, none).contains("Nothing was tried yet."))
    #expect(!Self.page.text(nil, .none, .both, nil).contains("id=\"verdicts\""))
    let scenarios = Scenario.ofTraffic(
      "", Setup(part: .host, code: "ABC123"), .none, seed: 1, end: .zero, in: .all)
    var failed = CaseResult(of: Case(), .fail)
    failed.breaches = [
      Failure(time: Timestamp(nanoseconds: 1_500_000_000), expected: "0.5", observed: "<script>alert(1)</script>")
    ]
    let results = [
      ScenarioResult(scenarios[0], CaseResult(of: Case(), .pass)), ScenarioResult(scenarios[1], failed),
    ]
    let standing = RelayStanding(results, until: Timestamp(nanoseconds: 2_000_000_000), isFinal: false)
    #expect(standing.words == "1 pass, 1 fail")
    let text = Self.page.text(nil, .none, .both, standing)
    #expect(text.contains("first 2.0 s") && text.contains("1.500 s") && !text.contains("<script>alert"))
    let rows = text.matches(of: /data-verdict="([^"]+)"/).map { String($0.1) }
    #expect(rows == [scenarios[1].requirement.id, scenarios[0].requirement.id])
  }

  @Test("What is open says why, what passed says nothing", arguments: [(Verdict.pass, false), (.inconclusive, true)])
  func open(_ verdict: Verdict, _ saysWhy: Bool) {
    let scenario = Scenario.ofTraffic("", Setup(part: .host, code: "ABC123"), .none, seed: 1, end: .zero, in: .all)[0]
    var result = CaseResult(of: Case(), verdict)
    result.reason = "the pointer was never shown"
    func text(isFinal: Bool) -> String {
      let results = [ScenarioResult(scenario, result)]
      return Self.page.text(nil, .none, .both, RelayStanding(results, until: .zero, isFinal: isFinal))
    }
    #expect(text(isFinal: true).contains(result.reason) == saysWhy)
    #expect(!text(isFinal: false).contains(result.reason))
    #expect(text(isFinal: false).contains("not exercised yet, or not observable") == saysWhy)
  }
}
