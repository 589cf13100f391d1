import TelecapConformance
import TelecapSuites
import TelecapTestSupport
import Testing

/// Every network on the first messages of a stream: what is found without chance, and how many runs that are.
@Suite struct ExplorerTests {
  /// The results of exploring the scenarios of these requirements, all unless given.
  private func explore(
    _ name: String, _ fault: String? = nil, messages: Int = 3, only: Set<String> = [], untilBroken: Bool = false
  ) throws -> [Exploration] {
    struct Enough: Error {}
    let model = try #require(Suites.all.models.first { $0.part.name == name })
    let scenarios = try ScenarioFiles.all(of: model.part).filter { only.isEmpty || only.contains($0.requirement.id) }
    var all: [Exploration] = []
    do {
      try Explorer(messages: messages).explore(model, fault: fault, scenarios) {
        all.append($0)
        if untilBroken, $0.verdict == .fail { throw Enough() }
      }
    } catch is Enough {}
    return all
  }

  /// How many ways there are to deliver messages of which `once` come at most once, and `twice` at most twice.
  private func networks(once: Int, twice: Int) -> Int {
    func choose(_ of: Int, _ count: Int) -> Int { (0..<count).reduce(1) { $0 * (of - $1) / ($1 + 1) } }
    func factorial(_ number: Int) -> Int { number < 2 ? 1 : (2...number).reduce(1, *) }
    var sum = 0
    for doubled in 0...twice {
      for single in 0...(once + twice - doubled) where single + doubled > 0 {
        sum +=
          choose(twice, doubled) * choose(once + twice - doubled, single) * factorial(single + 2 * doubled)
          >> doubled
      }
    }
    return sum
  }

  @Test(
    "Each subset, order and duplicate is run once, and again with each value in the middle",
    arguments: sampled([2, 3, 4], oneIn: 3))
  func counted(_ messages: Int) throws {
    let one = try #require(
      try explore("phone", messages: messages, only: ["tele.haptic.latest-value-wins"]).first {
        $0.messages == messages
      })
    let all = networks(once: 0, twice: messages)
    let withValue = networks(once: messages - 1, twice: 1)
    #expect(one.values > 10)
    #expect(one.runs == all + one.values * withValue)
    #expect(one.judged == one.runs)
    #expect(messages > 2 || all == 18)
  }

  @Test("No right model breaks a rule", arguments: sampled(["mouse-host", "phone", "host"], oneIn: 3))
  func right(_ name: String) throws {
    let all = try explore(name)
    #expect(!all.isEmpty)
    for one in all {
      #expect(one.verdict == .pass, "\(one.system) \(one.scenario): \(String(describing: one.smallest))")
    }
  }

  @Test(
    "Each fault in order, copies, clamping or wrapping is found",
    arguments: sampled(
      [
        ("phone", "no-clamp"), ("phone", "no-clamp-high"), ("phone", "no-clamp-low"), ("phone", "nan-is-one"),
        ("phone", "queued"), ("phone", "first-value-wins"), ("phone", "ignores-zero"), ("host", "order-of-arrival"),
        ("host", "wrap-is-old"), ("host", "applies-duplicates"), ("host", "first-value-wins"),
        ("host", "applies-not-finite"), ("host", "half-is-newer"),
        ("mouse-host", "duplicates-dropped"), ("mouse-host", "leaves-screen"), ("mouse-host", "remembers-beyond"),
        ("mouse-host", "no-lower-edge"), ("mouse-host", "loses-largest"),
      ], oneIn: 6))
  func wrong(_ name: String, _ fault: String) throws {
    let all = try explore(name, fault, messages: fault == "remembers-beyond" ? 4 : 3, untilBroken: true)
    #expect(all.contains { $0.verdict == .fail }, "\(all.map(\.runs))")
  }
}
