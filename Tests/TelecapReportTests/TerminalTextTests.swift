import TelecapProtocols
import TelecapRecording
import TelecapReport
import TelecapTestSupport
import TelecapText
import TelecapWire
import Testing

/// Captures come from anywhere: nothing that they hold moves the cursor, changes colours or titles of windows.
@Suite struct TerminalTextTests {
  private static let hostile = "\u{1b}]0;owned\u{7}\u{9b}31m\r\u{202e}"

  @Test("Every name, comment and rule of a summary is printable")
  func summary() throws {
    let text = Self.hostile
    var info = CaptureInfo(
      tool: text, version: text, host: text, clock: text, source: text, filter: text, commandLine: text, started: .zero)
    info.damage = text
    info.relays = [RelayTally(route: text)]
    var summary = CaptureSummary(info: info)
    summary.interfaces = [InterfaceSummary(interface: Interface(name: text, linkType: 1, comment: text))]
    summary.isDissected = true
    summary.types = [TypeSummary(protocolName: text, type: text, direction: .clientToServer)]
    let end = Endpoint(.loopback, port: 1)
    summary.sessions = [
      SessionSummary(
        session: Session(
          id: 1, protocolName: text, carrier: .udp, client: end, server: end, sessionID: nil, opened: .zero))
    ]
    summary.findings = [FindingSummary(rule: text, severity: text, count: 1, firstPacket: 1)]
    let lines = SummaryText(summary, style: .plain).lines(of: text)
    let shown = "\\u{1b}]0;owned\\u{7}\\u{9b}31m\\u{d}\\u{202e}"
    for line in lines { #expect(line == line.printable) }
    // The path; tool, version and host; source and filter; clock; relay; damage; name; comment; both names of a type; the session's
    // protocol; severity and rule.
    #expect(lines.joined().components(of: shown) == 16)
  }
}

extension String {
  fileprivate func components(of part: String) -> Int {
    split(separator: part, omittingEmptySubsequences: false).count - 1
  }
}
