import Foundation
import TelecapTestSupport
import Testing

@Suite("telecap doctor", .real("runs telecap")) struct DoctorTests {
  @Test("It prints its checks as lines and as JSON, with status 0")
  func checks() throws {
    let text = try Program.run("doctor")
    #expect(text.status == 0 && text.errors.isEmpty, "\(text)")
    for name in ["capture", "receive buffer", "timer"] { #expect(text.output.contains(" \(name) "), "\(text)") }
    let end = try Program.run("doctor --format json")
    let json = try JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [String: [[String: String]]]
    let states = try #require(json?["checks"]).compactMap { $0["state"] }
    #expect(states.count >= 6 && Set(states).isSubset(of: ["good", "limited", "missing"]), "\(end)")
  }
}
