import TelecapProtocols
import TelecapRecording
import TelecapReplay
import TelecapText
import TelecapWire
import Testing

@Suite("telecap doctor: the report on a machine") struct MachineReportTests {
  /// A machine that lacks nothing.
  private var right: MachineFacts {
    var facts = MachineFacts()
    facts.interfaces = [("eth0", 1_234), ("lo", 0)]
    facts.buffer = (requested: 4 << 20, granted: 4 << 20)
    facts.lateness = (1...200).map { Int64($0) * 1_000 }
    facts.processors = 2
    facts.triedPorts = 4
    facts.programs = [.init("opening pages", ["xdg-open"], path: "/usr/bin/xdg-open", advice: "install xdg-utils")]
    return facts
  }

  @Test("A machine that lacks nothing is good throughout")
  func nothingLacks() {
    let report = MachineReport(right)
    #expect(
      report.lines == [
        "good     capture         interfaces can be recorded; packets in this second: eth0 1,234, lo 0",
        "good     receive buffer  4096 kB of the 4096 kB that relay and simulate ask for",
        "good     timer           2 processors; half of the sleeps end at most 100.0 µs late, 99 of 100 at most 198.0 µs",
        "good     ports           no other program uses one of 4 ports of the built-in protocols",
        "good     xdg-open        /usr/bin/xdg-open, for opening pages",
      ])
  }

  /// The state and the advice of the check called `name`.
  private func check(_ name: String, _ change: (inout MachineFacts) -> Void) throws -> MachineReport.Check {
    var facts = right
    change(&facts)
    let report = MachineReport(facts)
    let found = try #require(report.checks.first { $0.name == name }, "\(report.checks)")
    #expect(report.checks.filter { $0.name != name }.allSatisfy { $0.state == .good }, "\(report.checks)")
    return found
  }

  @Test("Without the right to capture the report says how to get it")
  func capture() throws {
    let found = try check("capture") { $0.captureProblem = "lo: not permitted to capture; allow it once" }
    #expect(found.state == .missing && found.text.contains("allow it once"))
  }

  @Test("A receive buffer that is a byte too small is limited", arguments: [(0, false), (1, true)])
  func buffer(_ less: Int, _ isLimited: Bool) throws {
    let found = try check("receive buffer") { $0.buffer = (4 << 20, 4 << 20 - less) }
    #expect((found.state == .limited) == isLimited && (found.advice != nil) == isLimited)
  }

  @Test(
    "Sleeps of which more than one in a hundred end over 5 ms late are limited", arguments: [(2, false), (3, true)])
  func timer(_ late: Int, _ isLimited: Bool) throws {
    let found = try check("timer") {
      $0.lateness = Array($0.lateness.dropLast(late)) + [Int64](repeating: 5_000_001, count: late)
    }
    #expect((found.state == .limited) == isLimited, "\(found)")
  }

  @Test("Each port that another program uses is listed with its option")
  func ports() throws {
    let entry = try #require(Ports.standard.entries.first { $0.row.carrier == .udp })
    let found = try check("port \(entry.row.id)") { $0.taken = [entry] }
    #expect(found.state == .limited && found.text == "udp \(entry.number) is in use")
    #expect(found.advice?.contains("--\(entry.row.id) N") == true)
  }

  @Test("A program that is not installed is missing, with the way to get it")
  func programs() throws {
    let found = try check("xdg-open") { $0.programs[0].path = nil }
    #expect(found.state == .missing && found.advice == "install xdg-utils")
    #expect(found.text == "needed for opening pages: no xdg-open is installed")
  }

  @Test("As JSON it is one object with all checks")
  func json() throws {
    var (facts, json) = (right, JSONWriter())
    facts.programs[0].path = nil
    MachineReport(facts).write(to: &json)
    let node = try #require(JSONReading(json.bytes).node)
    let checks = node["checks"]?.elements ?? []
    #expect(checks.compactMap { $0["state"]?.string } == ["good", "good", "good", "good", "missing"])
    #expect(checks.last?["advice"]?.string == "install xdg-utils" && checks.first?["advice"] == nil)
  }
}
